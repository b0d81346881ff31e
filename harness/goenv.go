package harness

import (
	"fmt"
	"slices"
	"strings"
)

// The go command obeys its environment, what "go env -w" wrote, and GOFLAGS. What of
// these decides how both revisions are built alike, as GOAMD64, GOEXPERIMENT, CGO_CFLAGS
// or GOPROXY do, it gets as the user has it. This table has the others.

// withheld are variables that no go command here gets, and why.
var withheld = map[string]string{
	"GOTOOLCHAIN": "one toolchain builds both sides, and is chosen",
	"GOROOT":      "that of the toolchain",
	"GOWORK":      "as the tree has it, see Side.Env",
	"PWD":         "of the tree",
	"GOFLAGS":     "see keptFlags",
	"GODEBUG":     "settings of the go command itself, some of which print",
	"GOCOVERDIR":  "where a go command built with -cover would write",
	// Or a program of this name on the PATH: it answers for the go command.
	"GOPACKAGESDRIVER": "one that lists packages otherwise than what builds them",
	// Of GitHub's jobs: whoever has them writes to its caches, or is the job for others.
	"ACTIONS_RUNTIME_TOKEN":          "a token",
	"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "a token",
}

// fighting are the flags of GOFLAGS that are refused at once, and why.
var fighting = map[string]string{
	"-overlay": ours, "-json": ours, "-o": ours, "-c": ours, "-n": ours, "-C": ours, "-i": ours, "-work": ours, "-exec": ours,
	"-cover": counters, "-covermode": counters, "-coverpkg": counters, "-coverprofile": counters,
	"-toolexec":   "puts a program between the go command and the compiler",
	"-linkshared": "makes programs that need libraries beside them",
}

const (
	ours     = "can't be combined with what pinpoint passes to go build"
	counters = "has every statement counted, which would be measured, too"
)

// goSettings are what the go command says it goes by.
type goSettings struct {
	GOROOT, GOVERSION, GOMODCACHE, GOFLAGS string
	GOOS, GOARCH, GOHOSTOS, GOHOSTARCH     string
	GO111MODULE                            string
}

// settingNames are the fields of goSettings.
var settingNames = []string{"GOROOT", "GOVERSION", "GOMODCACHE", "GOFLAGS", "GOOS", "GOARCH", "GOHOSTOS", "GOHOSTARCH", "GO111MODULE"}

// refusal says why nothing can be measured under the settings, before anything is built.
func (s goSettings) refusal() error {
	switch {
	case s.GO111MODULE == "off":
		return fmt.Errorf("GO111MODULE=off: pinpoint measures modules; unset it%s", unset("GO111MODULE"))
	case s.GOOS != s.GOHOSTOS:
		return fmt.Errorf("GOOS=%s: what is measured has to run on this machine, which is %s; unset it%s", s.GOOS, s.GOHOSTOS, unset("GOOS"))
	case s.GOARCH != s.GOHOSTARCH && (s.GOHOSTARCH != "amd64" || s.GOARCH != "386"):
		return fmt.Errorf("GOARCH=%s: what is measured has to run on this machine, which is %s; unset it%s", s.GOARCH, s.GOHOSTARCH, unset("GOARCH"))
	}
	for _, flag := range unquote(s.GOFLAGS) {
		name, value := flagOf(flag)
		why := fighting[name]
		if name == "-buildmode" && !slices.Contains([]string{"", "default", "exe", "pie"}, value) {
			why = "makes no program"
		}
		if name == "-compiler" && value != "gc" {
			why = "is not the compiler that pinpoint knows"
		}
		if why != "" {
			return fmt.Errorf("reading GOFLAGS: %s %s; unset it", name, why)
		}
	}
	return nil
}

// unset is how a setting goes that no variable has.
func unset(name string) string { return " (go env -u " + name + ", if go env -w set it)" }

// keptFlags are those of GOFLAGS that a go command gets. Without -mod=mod it writes no
// go.mod and go.sum: not those of a tree, and not the user's.
func (s goSettings) keptFlags() []string {
	return slices.DeleteFunc(unquote(s.GOFLAGS), func(flag string) bool {
		name, value := flagOf(flag)
		return name == "-mod" && value == "mod"
	})
}

// environment is that of every go command, for a user's.
func (s goSettings) environment(user []string) []string {
	var env []string
	for _, entry := range user {
		if withheld[envName(entry)] == "" {
			env = append(env, entry)
		}
	}
	flags := s.keptFlags()
	for i, flag := range flags {
		if strings.ContainsAny(flag, " \t") {
			quote := "'"
			if strings.Contains(flag, quote) {
				quote = `"`
			}
			flags[i] = quote + flag + quote
		}
	}
	// A variable that is empty leaves the word to what go env -w wrote.
	joined := strings.Join(flags, " ")
	if joined == "" && s.GOFLAGS != "" {
		joined = "-mod="
	}
	return append(env, "GOPACKAGESDRIVER=off", "GOTOOLCHAIN=local", "GOROOT="+s.GOROOT, "GOFLAGS="+joined)
}

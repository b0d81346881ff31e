package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestGoEnvironment: what the go command is told by the user, in a variable or by go
// env -w, is passed on, refused at once with a sentence, or not passed on.
func TestGoEnvironment(t *testing.T) {
	other := map[string]string{"amd64": "arm64", "arm64": "amd64"}[runtime.GOARCH]
	if other == "" {
		other = "amd64"
	}
	for _, c := range []struct {
		set, want string // NAME=VALUE; what a go command says of NAME afterwards
		refused   string
		variable  bool // go env -w takes no such
	}{
		{set: "GOFLAGS=-tags=a,b", want: "-tags=a,b"},
		{set: "GOFLAGS=-trimpath '-ldflags=-X main.v=1 -w'", want: "-trimpath '-ldflags=-X main.v=1 -w'"},
		{set: "GOFLAGS=-mod=vendor", want: "-mod=vendor"},
		{set: "GOFLAGS=-mod=readonly -count=1", want: "-mod=readonly -count=1"},
		{set: "GOFLAGS=-mod=mod", want: "-mod="},
		{set: "GOFLAGS=--mod=mod -race", want: "-race"},
		{set: "GOFLAGS=-cover", refused: "reading GOFLAGS: -cover has every statement counted"},
		{set: "GOFLAGS=--coverpkg=all", refused: "reading GOFLAGS: -coverpkg has every statement counted"},
		{set: "GOFLAGS=-toolexec=/tmp/x", refused: "reading GOFLAGS: -toolexec puts a program between"},
		{set: "GOFLAGS=-v -overlay=x", refused: "reading GOFLAGS: -overlay can't be combined"},
		{set: "GOFLAGS=-work", refused: "reading GOFLAGS: -work can't be combined"},
		{set: "GOFLAGS=-exec=sudo", refused: "reading GOFLAGS: -exec can't be combined"},
		{set: "GOFLAGS=-buildmode=c-archive", refused: "reading GOFLAGS: -buildmode makes no program"},
		{set: "GOFLAGS=-buildmode=pie", want: "-buildmode=pie"},
		{set: "GOFLAGS=-compiler=gccgo", refused: "reading GOFLAGS: -compiler is not the compiler"},
		{set: "GOARCH=" + other, refused: "GOARCH=" + other + ": what is measured has to run on this machine"},
		{set: "GOOS=windows", refused: "GOOS=windows: what is measured has to run on this machine"},
		{set: "GO111MODULE=off", refused: "GO111MODULE=off: pinpoint measures modules"},
		{set: "GO111MODULE=on", want: "on"},
		{set: "GOEXPERIMENT=noregabi", want: "noregabi"},
		{set: "GOAMD64=v2", want: "v2"},
		{set: "GOPRIVATE=example.com", want: "example.com"},
		{set: "CGO_CFLAGS=-O1", want: "-O1"},
		{set: "GOWORK=/elsewhere/go.work", want: "off", variable: true},
		{set: "GOTOOLCHAIN=local", want: "local"},
	} {
		name, value, _ := strings.Cut(c.set, "=")
		for _, how := range []string{"a variable", "go env -w"} {
			if c.variable && how != "a variable" {
				continue
			}
			t.Run(c.set+" by "+how, func(t *testing.T) {
				offline(t)
				dir := tree(t, "-- go.mod --\nmodule example.com/m\n")
				os.Unsetenv("GOFLAGS") // offline puts it back
				if how == "a variable" {
					t.Setenv(name, value)
				} else {
					os.Unsetenv("GOTOOLCHAIN")
					file := filepath.Join(dir, "settings")
					if err := os.WriteFile(file, []byte(c.set+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
					t.Setenv("GOENV", file)
				}
				side := Side{Dir: dir, Top: dir}
				g, err := side.FindGo(t.Context())
				if c.refused != "" {
					if err == nil || !strings.HasPrefix(err.Error(), c.refused) || strings.Contains(err.Error(), "\n") {
						t.Errorf("error %v, want %q", err, c.refused)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(g.Cmd, "env", name)
				cmd.Dir, cmd.Env = dir, side.Env(g)
				out, err := cmd.CombinedOutput()
				if got := strings.TrimSpace(string(out)); err != nil || got != c.want {
					t.Errorf("the go command says %q, %v; want %q", got, err, c.want)
				}
			})
		}
	}
}

// TestGoEnvironmentWithheld: what no go command needs, none gets.
func TestGoEnvironmentWithheld(t *testing.T) {
	offline(t)
	dir := tree(t, "-- go.mod --\nmodule example.com/m\n")
	names := []string{"GODEBUG", "GOCOVERDIR", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"}
	for _, name := range names {
		t.Setenv(name, "gctrace=0")
	}
	g := goIn(t, dir)
	for _, entry := range (Side{Dir: dir}).Env(g) {
		for _, name := range names {
			if envName(entry) == name {
				t.Errorf("the go command gets %s", entry)
			}
		}
	}
	if !slices.Contains((Side{Dir: dir}).Env(g), "GOPACKAGESDRIVER=off") {
		t.Error("a program on the PATH can answer for the go command")
	}
}

// TestWorkspaceAbove: a go.work above the tree decides nothing in it.
func TestWorkspaceAbove(t *testing.T) {
	offline(t)
	dir := tree(t, "-- go.work --\ngo 1.99\n-- cache/tree/go.mod --\nmodule example.com/m\n\ngo 1.21\n")
	t.Setenv("GOTOOLCHAIN", "auto")
	at := filepath.Join(dir, "cache", "tree")
	if _, err := FindGo(t.Context(), at); err == nil {
		t.Error("the go.work above asks for no other toolchain: the test is worth nothing")
	}
	if _, err := (Side{Dir: at, Top: at}).FindGo(t.Context()); err != nil {
		t.Error(err)
	}
}

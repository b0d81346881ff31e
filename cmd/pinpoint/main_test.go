package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/gotooltest"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/sandbox"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pinpoint": func() { os.Exit(pinpoint(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScript runs testdata/script: see testdata/README.md for how to add to it.
func TestScript(t *testing.T) {
	// Where only some scripts run, testscript leaves the directory that they share.
	shared := t.TempDir()
	t.Setenv("TMPDIR", shared)
	params := testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return prepare(env, shared) },
		Condition:           condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo":     makeRepository,
			"status":   exitStatus,
			"hunt":     huntPlanted,
			"report":   checkReport,
			"schema":   checkSchema,
			"snapshot": takeSnapshot,
			"gone":     processGone,
			"examples": runExamples,
		},
	}
	if err := gotooltest.Setup(&params); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, params)
}

// prepare gives every script a git without the user's configuration, a go command
// without network, and a cache of its own for the private trees. Scripts run beside
// each other and take turns where they measure, by the lock of all pinpoints of a
// machine: here one in lockDir, since the tests of other packages measure, too.
func prepare(env *testscript.Env, lockDir string) error {
	env.Setenv(harness.LockDir, lockDir)
	env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOFLAGS", "")
	env.Setenv("GOTRACEBACK", "") // as a user has it, not testscript's
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
	scripts, err := filepath.Abs(filepath.Join("..", "..", "scripts"))
	if err != nil {
		return err
	}
	env.Setenv("SCRIPTS", scripts)
	env.Setenv("REPORTS", filepath.Join(filepath.Dir(scripts), "report", "testdata"))
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	if err := os.MkdirAll(filepath.Join(env.WorkDir, "tmp"), 0o755); err != nil {
		return err
	}
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("HOME", home)
	// Where the home is new, the go command leaves a process behind that writes to it
	// when the test is over.
	telemetry := filepath.Join(home, ".config", "go", "telemetry")
	if err := os.MkdirAll(telemetry, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o644)
}

// condition is [thorough]: hunts that others already stand for are run, too; or
// [sandbox]: there is one.
func condition(cond string) (bool, error) {
	switch cond {
	case "thorough":
		return os.Getenv("PINPOINT_THOROUGH") != "", nil
	case "sandbox":
		return sandbox.Possible() == nil, nil
	}
	return false, fmt.Errorf("unknown condition %s", cond)
}

// makeRepository is "repo DIR REV...": a git repository in DIR with a commit for
// each REV, tagged so, of the files below the directory REV laid over those of
// the commit before.
func makeRepository(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: repo dir rev...")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o755))
	git := func(args ...string) {
		ts.Check(ts.Exec("git", append([]string{
			"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false",
		}, args...)...))
	}
	git("init", "-q")
	for _, rev := range args[1:] {
		ts.Check(overlay(dir, ts.MkAbs(rev)))
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", rev)
		git("tag", rev)
	}
}

// overlay copies the files below from over those below to. A file that is empty
// is removed.
func overlay(to, from string) error {
	return filepath.WalkDir(from, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		if len(data) == 0 {
			return os.Remove(target)
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}

// exitStatus is "status N COMMAND...": runs the command and checks its status.
func exitStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status n command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		code := strings.TrimPrefix(err.Error(), "exit status ")
		var convErr error
		if got, convErr = strconv.Atoi(code); convErr != nil {
			ts.Fatalf("%s: %v", args[1], err)
		}
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("%s: exit status %d, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// huntPlanted is "hunt N COMMAND ARGS...": pinpoint COMMAND from the tag good to
// the tag bad, and its exit status. The regressions that scripts plant are huge,
// so the bounds are wide and few pairs decide, on a busy machine too. Evidence is
// gathered where a script asks for it, by the flag.
func huntPlanted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: hunt n command args...")
	}
	bounds := []string{
		args[0], "pinpoint", args[1], "--good", "good", "--bad", "bad",
		"--min-effect", "90%", "--alpha", "10%", "--seed", "1",
	}
	if args[1] == "find" {
		bounds = append(bounds, "--evidence-budget", "0s")
	}
	exitStatus(ts, false, append(bounds, args[2:]...))
}

// checkReport is "report FILE PATH=VALUE...": looks PATH, such as
// culprits.0.function, up in a JSON report. VALUE is what fmt prints of it;
// PATH# is the length of a list, and 5..8 a range of numbers.
func checkReport(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: report file path=value...")
	}
	var doc any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &doc))
	for _, arg := range args[1:] {
		path, want, ok := strings.Cut(arg, "=")
		if !ok {
			ts.Fatalf("%s: want path=value", arg)
		}
		got := lookUp(doc, path)
		if matches(got, want) == neg {
			ts.Fatalf("%s is %s (want %s, negated %v)", path, got, want, neg)
		}
	}
}

// takeSnapshot is "snapshot DIR FILE": writes the name, mode, time and content's
// hash of everything below DIR to FILE.
func takeSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: snapshot dir file")
	}
	dir := ts.MkAbs(args[0])
	var b strings.Builder
	ts.Check(filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		if info.Mode().IsRegular() {
			if content, err = os.ReadFile(name); err != nil {
				return err
			}
		}
		rel, err := filepath.Rel(dir, name)
		fmt.Fprintf(&b, "%s %v %v %x\n", rel, info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(content))
		return err
	}))
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b.String()), 0o644))
}

// processGone is "gone FILE": the process whose id FILE holds is no more.
func processGone(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone file")
	}
	id, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	if err := syscall.Kill(id, 0); err != syscall.ESRCH {
		ts.Fatalf("process %d is still there (%v)", id, err)
	}
}

// matches compares a value with what a script wants: the same text, or a number
// in a range.
func matches(got, want string) bool {
	from, to, _ := strings.Cut(want, "..")
	low, errLow := strconv.ParseFloat(from, 64)
	high, errHigh := strconv.ParseFloat(to, 64)
	if errLow != nil || errHigh != nil {
		return got == want
	}
	x, err := strconv.ParseFloat(got, 64)
	return err == nil && low <= x && x <= high
}

// lookUp prints what a path leads to, or its length.
func lookUp(doc any, path string) string {
	path, count := strings.CutSuffix(path, "#")
	found := find(doc, path)
	if list, ok := found.([]any); ok && count {
		return strconv.Itoa(len(list))
	}
	if found == nil {
		return "nothing"
	}
	return fmt.Sprint(found)
}

// find follows a path of keys and indexes; nil where it leads nowhere.
func find(doc any, path string) any {
	for _, key := range strings.Split(path, ".") {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(d) {
				return nil
			}
			doc = d[i]
		default:
			return nil
		}
	}
	return doc
}

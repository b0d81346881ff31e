package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/gotooltest"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pinpoint": func() { os.Exit(pinpoint(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScript runs testdata/script: see testdata/README.md for how to add to it.
func TestScript(t *testing.T) {
	params := testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"repo":   makeRepository,
			"status": exitStatus,
			"report": checkReport,
		},
	}
	if err := gotooltest.Setup(&params); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, params)
}

// setup gives every script a git without the user's configuration, a go command
// without network, and a cache of its own for the private trees.
func setup(env *testscript.Env) error {
	env.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOFLAGS", "")
	env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	return os.MkdirAll(filepath.Join(env.WorkDir, "tmp"), 0o755)
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

// checkReport is "report FILE PATH=VALUE...": looks PATH, such as
// culprits.0.function, up in a JSON report. VALUE is what fmt prints of it;
// PATH# is the length of a list.
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
		if (got == want) == neg {
			ts.Fatalf("%s is %s (want %s, negated %v)", path, got, want, neg)
		}
	}
}

func lookUp(doc any, path string) string {
	path, count := strings.CutSuffix(path, "#")
	for _, key := range strings.Split(path, ".") {
		switch d := doc.(type) {
		case map[string]any:
			doc = d[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(d) {
				return "nothing"
			}
			doc = d[i]
		default:
			return "nothing"
		}
	}
	if list, ok := doc.([]any); ok && count {
		return strconv.Itoa(len(list))
	}
	return fmt.Sprint(doc)
}

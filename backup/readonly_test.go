package backup_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
)

// childCache, in the environment, makes this program a pinpoint that was
// started at the same time: it prints the tree of a revision.
const childCache = "BACKUP_TEST_CACHE"

func TestMain(m *testing.M) {
	os.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	os.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	if cache := os.Getenv(childCache); cache != "" {
		os.Exit(child(cache, os.Args[1], os.Args[2]))
	}
	os.Exit(m.Run())
}

func child(cache, dir, rev string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fmt.Println("ready")
	bufio.NewReader(os.Stdin).ReadString('\n')
	r, err := backup.Open(ctx, dir)
	if err == nil {
		var v backup.Revision
		if v, err = r.Resolve(ctx, rev); err == nil {
			var t backup.Tree
			if t, err = r.Tree(ctx, cache, v); err == nil {
				fmt.Println(t.Dir)
				return 0
			}
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 2
}

// startChild returns a process that waits for a line before it begins.
func startChild(t *testing.T, cache, dir, rev string) (cmd *exec.Cmd, begin func(), output *bufio.Reader) {
	t.Helper()
	cmd = exec.Command(os.Args[0], dir, rev)
	cmd.Env = append(os.Environ(), childCache+"="+cache)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	output = bufio.NewReader(out)
	if line, err := output.ReadString('\n'); line != "ready\n" {
		t.Fatalf("child says %q, %v", line, err)
	}
	return cmd, func() { in.Write([]byte("go\n")) }, output
}

// state describes all that must not change in a repository: what git says, and
// every file and directory below it, with contents and times.
func (c checkout) state() map[string]string {
	c.t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(filepath.Dir(c.dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		if d.Type().IsRegular() {
			content, err = os.ReadFile(name)
		}
		got[name] = fmt.Sprintf("%v %v %x", info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(content))
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return got
}

// said is what the user's commands print.
func (c checkout) said() string {
	return strings.Join([]string{c.git("status", "--porcelain=v2", "--branch"), c.git("stash", "list"), c.git("worktree", "list"), c.git("for-each-ref")}, "\n")
}

// busy returns a checkout with all that an onlooker could disturb, and whose
// configuration runs a program, which leaves a file, on every occasion.
func busy(t *testing.T) (c checkout, spy string) {
	c = newCheckout(t)
	spy = filepath.Join(t.TempDir(), "spy")
	run := "touch '" + spy + "'; cat"
	c.write("a.go", "package a\n", "b.go", "package a\n", "gone.go", "package a\n", "f.dat", "1", ".gitignore", "*.log\n")
	c.commit("one")
	c.git("tag", "v1")
	c.write("stashed.go", "package a\n")
	c.git("stash", "-u")
	c.git("worktree", "add", "-q", filepath.Join(filepath.Dir(c.dir), "linked"), "-b", "other")
	c.write(".gitattributes", "*.dat filter=spy diff=spy\n")
	c.commit("two")
	c.write("b.go", "package a // changed\n", "staged.go", "package a\n", "x.log", "", "f.dat", "2")
	c.git("add", "staged.go")
	c.git("config", "core.fsmonitor", run)
	c.git("config", "core.pager", run)
	c.git("config", "filter.spy.clean", run)
	c.git("config", "filter.spy.smudge", run)
	c.git("config", "filter.spy.required", "true")
	c.git("config", "diff.spy.textconv", run)
	c.git("config", "diff.external", run)
	hooks := filepath.Join(t.TempDir(), "hooks")
	if err := os.Mkdir(hooks, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"} {
		if err := os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\ntouch '"+spy+"'\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	c.git("config", "core.hooksPath", hooks)
	// The index is out of date with the files' times: whoever refreshes it writes it.
	long := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(c.path("a.go"), long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(c.path("gone.go")); err != nil {
		t.Fatal(err)
	}
	os.Remove(spy)
	return c, spy
}

func TestOnlyReads(t *testing.T) {
	c, spy := busy(t)
	before := c.state()
	cache := t.TempDir()
	r := open(t, c.dir)
	for _, rev := range []string{"HEAD", "v1", backup.Worktree, "stash@{0}"} {
		tree(t, r, cache, rev)
		tree(t, r, cache, rev)
	}
	for _, rev := range []string{"nope", "-v", "HEAD:a.go", "abcd"} {
		if _, err := r.Resolve(t.Context(), rev); err == nil {
			t.Errorf("Resolve(%q) found something", rev)
		}
	}
	for _, args := range [][]string{{"log", "-p"}, {"show", "HEAD"}, {"diff-tree", "-p", "v1", "HEAD"}} {
		if _, err := r.Git(t.Context(), args...); err != nil {
			t.Error(err)
		}
	}
	same(t, "after reading", c.state(), before)
	if _, err := os.Lstat(spy); err == nil {
		t.Error("the repository's configuration ran a program")
	}
	// What git says is compared last: asking it writes the index.
	c.git("config", "--unset", "core.fsmonitor")
	after := c.said()
	if !strings.Contains(after, "stash@{0}") || !strings.Contains(after, "linked") {
		t.Errorf("stash or linked worktree got lost:\n%s", after)
	}
}

func TestGitRefuses(t *testing.T) {
	r := open(t, newCheckout(t).dir)
	for _, args := range [][]string{{"gc"}, {"checkout", "main"}, {"status"}, {"-c", "x=y", "log"}, nil} {
		if _, err := r.Git(t.Context(), args...); err == nil {
			t.Errorf("Git(%q) ran", args)
		}
	}
}

// A hook or git bisect run has variables in the environment that lead to its own repository.
func TestEnvironment(t *testing.T) {
	c, other := newCheckout(t), newCheckout(t)
	c.write("a.go", "package a\n")
	hash := c.commit("one")
	other.write("b.go", "package b\n")
	other.commit("other")
	t.Setenv("GIT_DIR", other.path(".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	t.Setenv("GIT_INDEX_FILE", other.path(".git/index"))
	t.Setenv("GIT_PREFIX", "x/")
	r := open(t, c.dir)
	if got := resolve(t, r, "HEAD").Commit; got != hash {
		t.Errorf("HEAD is %s, want %s", got, hash)
	}
	got := tree(t, r, t.TempDir(), backup.Worktree)
	same(t, "tree", contents(t, got.Dir), map[string]string{"a.go": "- package a\n"})
}

func many(c checkout, n int) {
	for i := range n {
		c.write(fmt.Sprintf("d%d/f%d.go", i%40, i), strings.Repeat("// line\n", 100)+fmt.Sprint(i))
	}
}

func TestTwoProcesses(t *testing.T) {
	c := newCheckout(t)
	many(c, 500)
	c.commit("many")
	for _, rev := range []string{"HEAD", backup.Worktree} {
		cache := realpath(t, t.TempDir())
		const n = 4
		var begins []func()
		var cmds []*exec.Cmd
		var outs []*bufio.Reader
		for range n {
			cmd, begin, out := startChild(t, cache, c.dir, rev)
			cmds, begins, outs = append(cmds, cmd), append(begins, begin), append(outs, out)
		}
		for _, begin := range begins {
			begin()
		}
		var dirs []string
		for i, out := range outs {
			line, _ := out.ReadString('\n')
			if err := cmds[i].Wait(); err != nil {
				t.Fatalf("%s: process %d: %v", rev, i, err)
			}
			dirs = append(dirs, strings.TrimSpace(line))
		}
		for _, dir := range dirs {
			if dir != dirs[0] {
				t.Errorf("%s: trees %q, want one", rev, dirs)
			}
		}
		if got := len(contents(t, dirs[0])); got != 500 {
			t.Errorf("%s: the tree has %d files, want 500", rev, got)
		}
		onlyTrees(t, cache, 1)
	}
}

// onlyTrees checks that the cache holds n complete trees and nothing else.
func onlyTrees(t *testing.T, cache string, n int) {
	t.Helper()
	entries, err := filepath.Glob(filepath.Join(cache, "trees", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	trees := 0
	for _, e := range entries {
		if filepath.Base(e) == "lock" {
			continue
		}
		if _, err := os.Stat(filepath.Join(e, "manifest")); err != nil {
			t.Errorf("not a tree: %s", e)
		}
		trees++
	}
	if trees != n {
		t.Errorf("%d trees in the cache, want %d: %q", trees, n, entries)
	}
}

// A run that is interrupted, or killed, at any moment leaves the repository as it was. What a
// killed one leaves in the cache is gone after the next.
func TestInterrupt(t *testing.T) {
	c := newCheckout(t)
	many(c, 600)
	c.commit("many")
	before := c.state()
	for _, rev := range []string{"HEAD", backup.Worktree} {
		for _, sig := range []os.Signal{os.Interrupt, os.Kill} {
			cache := t.TempDir()
			cmd, begin, _ := startChild(t, cache, c.dir, rev)
			begin()
			for found := false; !found; { // until it copies
				list, _ := filepath.Glob(filepath.Join(cache, "trees", "*", "*", "*"))
				found = len(list) > 0
			}
			cmd.Process.Signal(sig)
			cmd.Wait()
			if sig == os.Interrupt && cmd.ProcessState.ExitCode() == 2 {
				onlyTrees(t, cache, 0)
			}
			got := tree(t, open(t, c.dir), cache, rev)
			if n := len(contents(t, got.Dir)); n != 600 {
				t.Errorf("%v: the next tree has %d files, want 600", sig, n)
			}
			onlyTrees(t, cache, 1)
		}
	}
	same(t, "after the interruptions", c.state(), before)
}

func TestCancelled(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	c.commit("one")
	r, cache := open(t, c.dir), t.TempDir()
	revs := []backup.Revision{resolve(t, r, "HEAD"), resolve(t, r, backup.Worktree)}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, rev := range revs {
		if _, err := r.Tree(ctx, cache, rev); !errors.Is(err, context.Canceled) {
			t.Errorf("Tree(%s) = %v after cancel, want %v", rev.Name, err, context.Canceled)
		}
		if _, err := r.Resolve(ctx, rev.Name); !errors.Is(err, context.Canceled) {
			t.Errorf("Resolve(%s) = %v after cancel, want %v", rev.Name, err, context.Canceled)
		}
	}
	if _, err := backup.Open(ctx, c.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v after cancel, want %v", err, context.Canceled)
	}
	onlyTrees(t, cache, 0)
}

func TestClean(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	c.commit("one")
	r, cache := open(t, c.dir), t.TempDir()
	old := tree(t, r, cache, "HEAD")
	home := filepath.Dir(old.Dir)
	long := time.Now().Add(-30 * 24 * time.Hour)
	if err := os.Chtimes(filepath.Join(home, "manifest"), long, long); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(filepath.Dir(home), "tmp-1", "commit"), 0o777); err != nil {
		t.Fatal(err)
	}
	c.write("b.go", "package a\n")
	tree(t, r, cache, backup.Worktree)
	onlyTrees(t, cache, 1)
	if _, err := os.Stat(old.Dir); err == nil {
		t.Error("a tree that was not used for a month is still there")
	}
}

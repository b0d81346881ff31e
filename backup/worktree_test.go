package backup_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pinpoint-go/pinpoint/backup"
)

func TestWorktree(t *testing.T) {
	c := newCheckout(t)
	c.write("keep.go", "k", "mod.go", "1", "gone.go", "g", "dir/x.go", "x", "was/x.go", "a", "tool", "t", "now", "n",
		".gitignore", "*.log\n!tracked.log\nskip/\n", "tracked.log", "t", "removed.go", "r", "eol.txt", "a\r\n", "conflict", "c")
	hash := c.commit("one")
	c.write("mod.go", "2", "staged.go", "index", "new.go", "n", "x.log", "ignored", "skip/y.go", "ignored",
		"-n", "dash", "a b", "space", "n\nl", "newline", "caf\u00e9", "utf", "b\xff", "byte", "sub/deep/z.go", "z")
	c.git("add", "staged.go")
	c.write("staged.go", "disk")
	c.git("rm", "-q", "--cached", "removed.go") // and so untracked
	for _, name := range []string{"gone.go", "now", "was/x.go", "was"} {
		if err := os.Remove(c.path(name)); err != nil {
			t.Fatal(err)
		}
	}
	c.write("now/inside.go", "i") // a directory where there was a file
	if err := os.Chmod(c.path("tool"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"link": "keep.go", "dangling": "none", "was": "dir"} {
		if err := os.Symlink(target, c.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{
		"keep.go": "- k", "mod.go": "- 2", "dir/x.go": "- x", "tool": "x t", ".gitignore": "- *.log\n!tracked.log\nskip/\n",
		"tracked.log": "- t", "removed.go": "- r", "eol.txt": "- a\r\n", "conflict": "- c", "staged.go": "- disk", "new.go": "- n",
		"-n": "- dash", "a b": "- space", "n\nl": "- newline", "caf\u00e9": "- utf", "b\xff": "- byte", "sub/deep/z.go": "- z",
		"now/inside.go": "- i", "link": "-> keep.go", "dangling": "-> none", "was": "-> dir",
	}
	got := tree(t, open(t, c.path("sub")), t.TempDir(), backup.Worktree)
	same(t, "tree", contents(t, got.Dir), want)
	if got.Commit != hash || got.Name != backup.Worktree {
		t.Errorf("revision %+v, want one on %s", got.Revision, hash)
	}
}

func TestWorktreeBeforeFirstCommit(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	got := tree(t, open(t, c.dir), t.TempDir(), backup.Worktree)
	same(t, "tree", contents(t, got.Dir), map[string]string{"a.go": "- package a\n"})
	if got.Commit != "" {
		t.Errorf("commit %q", got.Commit)
	}
}

func TestUnmerged(t *testing.T) {
	c := newCheckout(t)
	c.write("a", "0\n")
	c.commit("base")
	c.git("checkout", "-q", "-b", "side")
	c.write("a", "1\n")
	c.commit("side")
	c.git("checkout", "-q", "main")
	c.write("a", "2\n")
	c.commit("main")
	c.git("read-tree", "-m", "main~1", "main", "side")
	got := tree(t, open(t, c.dir), t.TempDir(), backup.Worktree)
	same(t, "tree", contents(t, got.Dir), map[string]string{"a": "- 2\n"})
}

// A repository inside that is no submodule belongs to the state on the disk. A linked worktree doesn't.
func TestNestedRepositories(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "a")
	c.commit("one")
	c.git("worktree", "add", "-q", c.path("trees/other"), "-b", "other")
	nested := checkout{t, c.path("nested")}
	nested.write("n.go", "n", "no.log", "", ".gitignore", "*.log\n")
	nested.git("init", "-q")
	got := tree(t, open(t, c.dir), t.TempDir(), backup.Worktree)
	same(t, "tree", contents(t, got.Dir), map[string]string{"a.go": "- a", "nested/n.go": "- n", "nested/.gitignore": "- *.log\n"})
}

// The key follows what is in the files and nothing else.
func TestWorktreeKey(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "1", "b.go", "2")
	c.commit("one")
	r := open(t, c.dir)
	key := func() string { return resolve(t, r, backup.Worktree).Key }
	first := key()
	seen := map[string]string{first: "at first"}
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"content", func() { c.write("a.go", "3") }},
		{"contents swapped", func() { c.write("a.go", "2", "b.go", "1") }},
		{"name", func() { os.Rename(c.path("b.go"), c.path("c.go")) }},
		{"mode", func() { os.Chmod(c.path("a.go"), 0o777) }},
		{"link", func() { os.Remove(c.path("a.go")); os.Symlink("2", c.path("a.go")) }},
		{"deleted", func() { os.Remove(c.path("a.go")) }},
	} {
		step.do()
		k := key()
		if before, ok := seen[k]; ok {
			t.Errorf("%s: key as %s", step.name, before)
		}
		seen[k] = step.name
	}
	os.Remove(c.path("c.go"))
	c.write("a.go", "1", "b.go", "2")
	c.git("commit", "-q", "--allow-empty", "-m", "two")
	c.git("add", ".")
	if k := key(); k != first {
		t.Errorf("the same files again have key %s, want %s", k, first)
	}
}

// If the files change after Resolve, the tree is that of the new state and says so.
func TestWorktreeChangedSince(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "1")
	c.commit("one")
	r, cache := open(t, c.dir), t.TempDir()
	rev := resolve(t, r, backup.Worktree)
	c.write("a.go", "2")
	head := c.commit("two")
	got, err := r.Tree(t.Context(), cache, rev)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "tree", contents(t, got.Dir), map[string]string{"a.go": "- 2"})
	if now := resolve(t, r, backup.Worktree); got.Revision != now || got.Commit != head {
		t.Errorf("revision %+v, want %+v", got.Revision, now)
	}
	c.write("a.go", "3")
	again, err := r.Tree(t.Context(), cache, got.Revision)
	if err != nil || again.Dir != got.Dir {
		t.Errorf("a state that was copied is gone: %v, %v", again, err)
	}
}

// A copy that is taken while files change shows a state that the checkout was in, or fails.
func TestWorktreeConsistent(t *testing.T) {
	c := newCheckout(t)
	c.write("a", "0", "z", "0")
	many(c, 50)
	c.commit("one")
	done, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		for i := 1; ; i++ {
			for _, name := range []string{"a", "z"} { // z never runs ahead
				tmp := c.path(".git/new")
				os.WriteFile(tmp, fmt.Append(nil, i/40), 0o666)
				os.Rename(tmp, c.path(name))
			}
			select {
			case <-done:
				return
			default:
			}
		}
	}()
	r, cache := open(t, c.dir), t.TempDir()
	copied := 0
	for range 5 {
		rev, err := r.Resolve(t.Context(), backup.Worktree)
		if err != nil {
			continue
		}
		got, err := r.Tree(t.Context(), cache, rev)
		if err != nil {
			continue
		}
		copied++
		var a, z int
		fmt.Sscan(read(t, filepath.Join(got.Dir, "a")), &a)
		fmt.Sscan(read(t, filepath.Join(got.Dir, "z")), &z)
		if a != z && a != z+1 {
			t.Errorf("a is %d while z is %d", a, z)
		}
		os.RemoveAll(filepath.Dir(got.Dir))
	}
	close(done)
	<-stopped
	t.Logf("%d of 5 copies held still", copied)
}

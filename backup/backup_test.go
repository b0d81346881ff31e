package backup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/backup"
)

// A checkout is a repository made for one test, by a git that reads no
// configuration but the repository's own.
type checkout struct {
	t   testing.TB
	dir string
}

func newCheckout(t testing.TB) checkout {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	c := checkout{t, filepath.Join(realpath(t, t.TempDir()), "repo")}
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	c.git("init", "-q", "-b", "main")
	return c
}

func realpath(t testing.TB, dir string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (c checkout) git(args ...string) string {
	c.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=c", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c checkout) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

// write makes files, given as name, content, name, content.
func (c checkout) write(files ...string) {
	c.t.Helper()
	for pair := range slices.Chunk(files, 2) {
		name := c.path(pair[0])
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			c.t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(pair[1]), 0o666); err != nil {
			c.t.Fatal(err)
		}
	}
}

func (c checkout) commit(message string) string {
	c.t.Helper()
	c.git("add", "-A")
	c.git("commit", "-q", "--allow-empty", "-m", message)
	return c.git("rev-parse", "HEAD")
}

func open(t testing.TB, dir string) *backup.Repo {
	t.Helper()
	r, err := backup.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func resolve(t *testing.T, r *backup.Repo, rev string) backup.Revision {
	t.Helper()
	v, err := r.Resolve(t.Context(), rev)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// tree returns the tree of rev in the cache.
func tree(t *testing.T, r *backup.Repo, cache, rev string) backup.Tree {
	t.Helper()
	got, err := r.Tree(t.Context(), cache, resolve(t, r, rev))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// contents describes the files below dir, one a map entry: "- content", "x content" for
// executables, "-> target" for links, "/" for empty directories.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	got := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		got[filepath.ToSlash(rel)], err = describe(name, d)
		if parent := filepath.ToSlash(filepath.Dir(rel)); got[parent] == "/" {
			delete(got, parent)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func describe(name string, d os.DirEntry) (string, error) {
	info, err := d.Info()
	switch {
	case err != nil || d.IsDir():
		return "/", err
	case d.Type() == os.ModeSymlink:
		target, err := os.Readlink(name)
		return "-> " + target, err
	}
	content, err := os.ReadFile(name)
	if info.Mode()&0o111 != 0 {
		return "x " + string(content), err
	}
	return "- " + string(content), err
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, w := range want {
		if g, ok := got[name]; !ok {
			t.Errorf("%s: no %q, want %q", what, name, w)
		} else if g != w {
			t.Errorf("%s: %q is %q, want %q", what, name, g, w)
		}
	}
	for name, g := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: there is %q: %q", what, name, g)
		}
	}
}

func TestCommit(t *testing.T) {
	c := newCheckout(t)
	c.write("go.mod", "module m\n", "a/b/c.go", "package b\n", "run.sh", "#!/bin/sh\n", "big", strings.Repeat("0123456789abcdef", 1<<17),
		"-dash", "d", "two words", "w", "new\nline", "n", "q\"uote\\", "q", "ünï", "u", "b\xffd", "bytes", "empty", "",
		".gitattributes", "hidden export-ignore\n*.txt eol=crlf ident\n", "hidden", "h", "crlf.txt", "$Id$\n")
	if err := os.Chmod(c.path("run.sh"), 0o777); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"in": "a/b", "out": "../../../../etc/passwd", "a/abs": "/nowhere"} {
		if err := os.Symlink(target, c.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	c.commit("one")
	want := contents(t, c.dir)
	for name := range want {
		if strings.HasPrefix(name, ".git/") {
			delete(want, name)
		}
	}
	delete(want, "out")
	delete(want, "a/abs")
	c.git("rm", "-rq", "a")
	c.commit("two")
	got := tree(t, open(t, c.dir), t.TempDir(), "HEAD~1")
	same(t, "tree of HEAD~1", contents(t, got.Dir), want)
	if changed, err := got.Changed(); err != nil || len(changed) > 0 {
		t.Errorf("Changed() = %q, %v right after the tree was made", changed, err)
	}
	if want := []string{"a/abs", "out"}; !slices.Equal(got.Outside, want) {
		t.Errorf("links that lead out of the tree: %q, want %q", got.Outside, want)
	}
}

func TestReuse(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n", "testdata/in", "1")
	hash := c.commit("one")
	c.git("tag", "-a", "-m", "v1", "v1")
	cache, r := t.TempDir(), open(t, c.dir)
	first := tree(t, r, cache, "v1")
	inode, err := os.Stat(first.Dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, rev := range []string{"v1", "main", "HEAD", "@", hash, hash[:7], ":/one", "HEAD^{/one}"} {
		again := tree(t, open(t, c.dir), cache, rev)
		info, err := os.Stat(again.Dir)
		if err != nil || again.Dir != first.Dir || !os.SameFile(inode, info) {
			t.Errorf("tree of %s is %s (%v), want %s as it was", rev, again.Dir, err, first.Dir)
		}
		if again.Commit != hash || again.Name != rev {
			t.Errorf("tree of %s is that of commit %s, named %s; want commit %s", rev, again.Commit, again.Name, hash)
		}
	}
}

// Whatever happens to a tree between two runs, the second one gets the commit.
func TestDamage(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n", "testdata/in", "1")
	if err := os.Symlink("a.go", c.path("link")); err != nil {
		t.Fatal(err)
	}
	c.commit("one")
	r, cache := open(t, c.dir), t.TempDir()
	whole := contents(t, tree(t, r, cache, "HEAD").Dir)
	for _, tt := range []struct {
		name    string
		damage  func(dir string) error
		changed []string
	}{
		{"same size", func(d string) error { return os.WriteFile(d+"/testdata/in", []byte("2"), 0o666) }, []string{"testdata/in"}},
		{"added", func(d string) error { return os.WriteFile(d+"/testdata/new", nil, 0o666) }, []string{"testdata/new"}},
		{"added directory", func(d string) error { return os.Mkdir(d+"/new", 0o777) }, []string{"new"}},
		{"removed", func(d string) error { return os.Remove(d + "/a.go") }, []string{"a.go"}},
		{"mode", func(d string) error { return os.Chmod(d+"/a.go", 0o777) }, []string{"a.go"}},
		{"link", func(d string) error {
			os.Remove(d + "/link")
			return os.Symlink("b.go", d+"/link")
		}, []string{"link"}},
		{"directory for file", func(d string) error {
			os.Remove(d + "/a.go")
			return os.Mkdir(d+"/a.go", 0o777)
		}, []string{"a.go"}},
		{"all", os.RemoveAll, nil},
		{"manifest cut", func(d string) error { return os.Truncate(filepath.Dir(d)+"/manifest", 10) }, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tree(t, r, cache, "HEAD")
			if err := tt.damage(got.Dir); err != nil {
				t.Fatal(err)
			}
			if tt.changed != nil {
				if changed, err := got.Changed(); err != nil || !slices.Equal(changed, tt.changed) {
					t.Errorf("Changed() = %q, %v; want %q", changed, err, tt.changed)
				}
			}
			same(t, "repaired tree", contents(t, tree(t, r, cache, "HEAD").Dir), whole)
		})
	}
}

package backup_test

import (
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
)

// TestPoison: a workload that knows how trees are kept changes none for the next run.
func TestPoison(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n", "testdata/in", "1", "dir/x", "x")
	for link, target := range map[string]string{"link": "a.go", "out": "/etc/passwd"} {
		if err := os.Symlink(target, c.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	c.commit("one")
	c.write("new.go", "package a\n")
	past := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	quiet := func(name, content string) error {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			return err
		}
		return os.Chtimes(name, past, past)
	}
	for _, rev := range []string{"HEAD", backup.Worktree} {
		r, cache := open(t, c.dir), t.TempDir()
		whole := contents(t, tree(t, r, cache, rev).Dir)
		for _, tt := range []struct {
			name   string
			poison func(dir string) error
		}{
			{"content of the same size and time", func(d string) error { return quiet(d+"/a.go", "package b\n") }},
			{"file and manifest", func(d string) error {
				if err := quiet(d+"/extra.go", "package a\nfunc init() {}\n"); err != nil {
					return err
				}
				return rewrite(d, func(m *manifest) {
					m.Files = append(m.Files, file{Path: "extra.go", Size: 25})
					slices.SortFunc(m.Files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
				})
			}},
			{"file removed and manifest", func(d string) error {
				if err := os.Remove(d + "/a.go"); err != nil {
					return err
				}
				return rewrite(d, func(m *manifest) {
					m.Files = slices.DeleteFunc(m.Files, func(f file) bool { return f.Path == "a.go" })
				})
			}},
			{"the link that leads out", func(d string) error {
				if err := os.Symlink("/etc/passwd", d+"/out"); err != nil {
					return err
				}
				return rewrite(d, func(m *manifest) {
					m.Files, m.Outside = append(m.Files, m.Outside...), nil
					slices.SortFunc(m.Files, func(a, b file) int { return strings.Compare(a.Path, b.Path) })
				})
			}},
			{"a link as one that leads out", func(d string) error {
				if err := os.Remove(d + "/link"); err != nil {
					return err
				}
				return rewrite(d, func(m *manifest) {
					i := slices.IndexFunc(m.Files, func(f file) bool { return f.Path == "link" })
					m.Outside = append([]file{m.Files[i]}, m.Outside...)
					m.Files = slices.Delete(m.Files, i, i+1)
				})
			}},
			{"directory as link", func(d string) error {
				if err := os.Rename(d+"/dir", d+"/testdata/dir"); err != nil {
					return err
				}
				return os.Symlink("testdata/dir", d+"/dir")
			}},
			{"time", func(d string) error { return os.Chtimes(d+"/a.go", time.Now(), time.Now()) }},
		} {
			t.Run(rev+" "+tt.name, func(t *testing.T) {
				dir := tree(t, r, cache, rev).Dir
				if err := tt.poison(dir); err != nil {
					t.Fatal(err)
				}
				again := tree(t, open(t, c.dir), cache, rev)
				same(t, "the next run's tree", contents(t, again.Dir), whole)
				info, err := os.Stat(filepath.Join(again.Dir, "a.go"))
				if err != nil || !info.ModTime().Equal(past) {
					t.Errorf("a.go is of %v, %v", info.ModTime(), err)
				}
			})
		}
	}
}

// manifest and file are what lies beside a tree.
type (
	manifest struct {
		Form              int
		Key               string
		Files             []file
		Missing, Pointers []string
		Outside           []file
	}
	file struct {
		Path string
		Kind int
		Size int64
		Link string
	}
)

// rewrite changes the manifest of the tree at dir.
func rewrite(dir string, change func(*manifest)) error {
	name := filepath.Join(filepath.Dir(dir), "manifest")
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	var m manifest
	if err := gob.NewDecoder(f).Decode(&m); err != nil {
		return err
	}
	change(&m)
	to, err := os.Create(name)
	if err != nil {
		return err
	}
	defer to.Close()
	return gob.NewEncoder(to).Encode(m)
}

// TestLinksStayInside: no link of a tree leads out of it, by whatever way.
func TestLinksStayInside(t *testing.T) {
	c := newCheckout(t)
	c.write("d/e/f", "f", "secret", "no")
	for link, target := range map[string]string{
		"inside": "d/e/f", "up": "d/../d/e", "self": ".", "loop": "loop", "gone": "nothing",
		"absolute": "/etc/hosts", "above": "../secret", "device": "/dev/zero",
		"around": "self/self/self/../../../x", // each self is the top
		"chain":  "above", "d/e/deep": "../../../out", "d/checkout": c.dir + "/secret",
	} {
		if err := os.Symlink(target, c.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	c.commit("one")
	for _, rev := range []string{"HEAD", backup.Worktree} {
		got := tree(t, open(t, c.dir), t.TempDir(), rev)
		want := []string{"above", "absolute", "around", "chain", "d/checkout", "d/e/deep", "device"}
		if !slices.Equal(got.Outside, want) {
			t.Errorf("%s: left out are %q, want %q", rev, got.Outside, want)
		}
		for name, s := range contents(t, got.Dir) {
			if slices.Contains(want, name) {
				t.Errorf("%s has %s, %s", rev, name, s)
			}
		}
	}
}

// TestManifestIsAFile: whatever else lies in its place, the tree is made again.
func TestManifestIsAFile(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	c.commit("one")
	cache := filepath.Join(t.TempDir(), "cache")
	for _, put := range []func(name string) error{
		func(name string) error { return syscall.Mkfifo(name, 0o600) },
		func(name string) error { return os.Symlink("/dev/zero", name) },
		func(name string) error { return os.WriteFile(name, []byte("noise"), 0o600) },
	} {
		name := filepath.Join(filepath.Dir(tree(t, open(t, c.dir), cache, "HEAD").Dir), "manifest")
		if err := errors.Join(os.Remove(name), put(name)); err != nil {
			t.Fatal(err)
		}
	}
	tree(t, open(t, c.dir), cache, "HEAD")
}

// TestOnlyTheUserReadsTrees, under whatever umask.
func TestOnlyTheUserReadsTrees(t *testing.T) {
	c := newCheckout(t)
	c.write("d/a.go", "package a\n", "run.sh", "#!/bin/sh\n")
	if err := os.Chmod(c.path("run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	c.commit("one")
	cache := filepath.Join(t.TempDir(), "cache")
	tree(t, open(t, c.dir), cache, "HEAD")
	tree(t, open(t, c.dir), cache, backup.Worktree)
	seen := 0
	err := filepath.WalkDir(cache, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && (d.IsDir() || filepath.Base(filepath.Dir(name)) == "tree") && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", name, info.Mode())
		}
		seen++
		return err
	})
	if err != nil || seen < 10 {
		t.Errorf("%d files, %v", seen, err)
	}
}

// TestWorktreeSetting: core.worktree may be a directory with a repository of its own.
func TestWorktreeSetting(t *testing.T) {
	outer := newCheckout(t)
	outer.write("go.mod", "module other\n")
	outer.commit("other")
	c := checkout{t, outer.path("inner")}
	if err := os.Mkdir(c.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	c.git("init", "-q")
	c.write("go.mod", "module mine\n")
	want := c.commit("mine")
	c.git("config", "core.worktree", outer.dir)
	r := open(t, c.dir)
	if got := resolve(t, r, "HEAD"); got.Commit != want {
		t.Errorf("HEAD is %s, want %s", got.Commit, want)
	}
	if data, err := os.ReadFile(filepath.Join(tree(t, r, t.TempDir(), "HEAD").Dir, "go.mod")); string(data) != "module mine\n" {
		t.Errorf("go.mod is %q, %v", data, err)
	}
}

// TestEncoding: commits are read in UTF-8, whatever the repository says.
func TestEncoding(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	c.commit("Größe")
	c.git("config", "i18n.logOutputEncoding", "UTF-16")
	out, err := open(t, c.dir).Git(t.Context(), "log", "-1", "--format=%s")
	if err != nil || string(out) != "Größe\n" {
		t.Errorf("the subject is %q, %v", out, err)
	}
}

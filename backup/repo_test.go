package backup_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/backup"
)

func TestOpen(t *testing.T) {
	c := newCheckout(t)
	c.write("sub/dir/a.go", "package a\n")
	hash := c.commit("one")
	base := filepath.Dir(c.dir)
	bare, linked, alias := filepath.Join(base, "bare"), filepath.Join(base, "linked"), filepath.Join(base, "alias")
	c.git("clone", "-q", "--bare", c.dir, bare)
	c.git("worktree", "add", "-q", linked, "-b", "other")
	if err := os.Symlink(c.path("sub"), alias); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"sub/dir/a.go": "- package a\n"}
	for _, tt := range []struct {
		dir, prefix string
		worktree    bool
	}{
		{c.dir, "", true},
		{c.path("sub/dir"), "sub/dir", true},
		{alias, "sub", true},
		{linked, "", true},
		{filepath.Join(linked, "sub"), "sub", true},
		{bare, "", false},
		{filepath.Join(bare, "objects"), "", false},
		{c.path(".git"), "", false},
	} {
		r := open(t, tt.dir)
		if r.Prefix() != tt.prefix {
			t.Errorf("%s: prefix %q, want %q", tt.dir, r.Prefix(), tt.prefix)
		}
		got := tree(t, r, t.TempDir(), "HEAD")
		same(t, tt.dir, contents(t, got.Dir), want)
		if got.Commit != hash {
			t.Errorf("%s: commit %s, want %s", tt.dir, got.Commit, hash)
		}
		_, err := r.Resolve(t.Context(), backup.Worktree)
		if (err == nil) != tt.worktree {
			t.Errorf("%s: resolving %s: %v", tt.dir, backup.Worktree, err)
		}
	}
	if a, b := resolve(t, open(t, c.dir), "HEAD"), resolve(t, open(t, linked), "other"); a.Key != b.Key {
		t.Errorf("a linked worktree has trees of its own: %s, %s", a.Key, b.Key)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{dir: "name one with -C", file: "not a directory", filepath.Join(dir, "none"): "no such file"} {
		_, err := backup.Open(t.Context(), name)
		oneLine(t, name, err, want)
	}
	t.Setenv("PATH", dir)
	_, err := backup.Open(t.Context(), dir)
	oneLine(t, "no git", err, "there is no git in PATH")
}

func oneLine(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s: error %v, want one line with %q", what, err, want)
	}
}

func TestRevisionErrors(t *testing.T) {
	c := newCheckout(t)
	_, err := open(t, c.dir).Resolve(t.Context(), "HEAD")
	oneLine(t, "before the first commit", err, "no commit yet")
	c.write("a.go", "package a\n")
	c.commit("one")
	c.git("tag", "both")
	c.git("branch", "equal")
	c.git("tag", "equal")
	c.write("a.go", "package a // 2\n")
	c.commit("two")
	c.git("branch", "both")
	c.git("update-ref", "refs/remotes/origin/far", "HEAD")
	r := open(t, c.dir)
	for rev, want := range map[string]string{
		"":                  "empty",
		"-v1":               "dash",
		"--all":             "dash",
		"a\nb":              "character",
		"nope":              "git fetch",
		"nope~2":            "git fetch",
		"far":               "did you mean origin/far?",
		"far~1":             "did you mean origin/far~1?",
		"HEAD~7":            "none of this name",
		"HEAD:a.go":         "blob",
		"HEAD^{tree}":       "tree",
		"^HEAD":             "one commit",
		"HEAD~1..HEAD":      "none of this name",
		"both":              "refs/tags/both, refs/heads/both",
		"both~0":            "refs/tags/both, refs/heads/both",
		"deadbeefdeadbeef0": "none of this name",
		"0123456789012345678901234567890123456789": "none of this name",
	} {
		_, err := r.Resolve(t.Context(), rev)
		oneLine(t, rev, err, want)
	}
	resolve(t, r, "equal") // is ambiguous to git, but not to us
	resolve(t, r, "refs/heads/both")
}

func TestAmbiguousHash(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	c.commit("root")
	// One parent and date: only the message makes the hashes differ, so these are always the same.
	seen := map[string]string{}
	for i := 0; ; i++ {
		hash := c.git("commit-tree", "-m", strings.Repeat("x", i), "HEAD^{tree}")
		other := seen[hash[:4]]
		if other == "" || other == hash {
			seen[hash[:4]] = hash
			continue
		}
		_, err := open(t, c.dir).Resolve(t.Context(), hash[:4])
		oneLine(t, hash[:4], err, "ambiguous")
		for _, h := range []string{hash, other} {
			if err != nil && !strings.Contains(err.Error(), h+" (2020-01-01 x") {
				t.Errorf("error %v doesn't list %s", err, h)
			}
		}
		return
	}
}

func TestShallowAndMergeBase(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	root := c.commit("root")
	c.git("checkout", "-q", "-b", "side")
	c.write("s.go", "package a\n")
	c.commit("side")
	c.git("checkout", "-q", "main")
	c.write("m.go", "package a\n")
	c.commit("main")
	r := open(t, c.dir)
	base, err := r.MergeBase(t.Context(), resolve(t, r, "side"), resolve(t, r, backup.Worktree))
	if err != nil || base.Commit != root || base.Key != resolve(t, r, root).Key {
		t.Errorf("merge base %+v, %v; want %s", base, err, root)
	}
	shallow := filepath.Join(filepath.Dir(c.dir), "shallow")
	c.git("clone", "-q", "--no-single-branch", "--depth=1", "file://"+c.dir, shallow)
	s := open(t, shallow)
	_, err = s.Resolve(t.Context(), "HEAD~1")
	oneLine(t, "HEAD~1 of a shallow clone", err, "--unshallow")
	_, err = s.MergeBase(t.Context(), resolve(t, s, "HEAD"), resolve(t, s, "origin/side"))
	oneLine(t, "merge base in a shallow clone", err, "--unshallow")
}

// Reading a partial clone must not fetch what it lacks.
func TestPartialClone(t *testing.T) {
	c := newCheckout(t)
	c.write("a.go", "package a\n")
	c.commit("one")
	c.git("config", "uploadpack.allowFilter", "true")
	partial := checkout{t, filepath.Join(filepath.Dir(c.dir), "partial")}
	c.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+c.dir, partial.dir)
	partial.git("config", "protocol.file.allow", "always")
	before := partial.state()
	r, cache := open(t, partial.dir), t.TempDir()
	_, err := r.Tree(t.Context(), cache, resolve(t, r, "HEAD"))
	if err == nil || !strings.Contains(err.Error(), "partial") {
		t.Errorf("Tree = %v, want an error about the partial clone", err)
	}
	same(t, "partial clone", partial.state(), before)
	onlyTrees(t, cache, 0)
}

func TestForeignRevision(t *testing.T) {
	a, b := newCheckout(t), newCheckout(t)
	a.commit("a")
	b.commit("b")
	rev := resolve(t, open(t, a.dir), "HEAD")
	_, err := open(t, b.dir).Tree(t.Context(), t.TempDir(), rev)
	oneLine(t, "revision of another repository", err, "not of this repository")
}

func TestSubmodules(t *testing.T) {
	inner, lib, c := newCheckout(t), newCheckout(t), newCheckout(t)
	inner.write("i.go", "package i\n")
	inner.commit("inner")
	lib.write("l.go", "package l\n", "export.go", "package l\n", ".gitattributes", "export.go export-ignore\n")
	lib.git("submodule", "add", "-q", "--name", "in side", inner.dir, "deep/inner")
	lib.commit("lib")
	c.write("a.go", "package a\n")
	c.git("submodule", "add", "-q", "--name", "named", lib.dir, "lib")
	c.commit("one")
	files := map[string]string{
		"a.go": "- package a\n", "lib/l.go": "- package l\n", "lib/export.go": "- package l\n", "lib/.gitattributes": "- export.go export-ignore\n",
		".gitmodules":     "- " + read(t, c.path(".gitmodules")) + "\n",
		"lib/.gitmodules": "- " + read(t, lib.path(".gitmodules")) + "\n",
		"lib/deep/inner":  "/",
	}
	r, cache := open(t, c.dir), t.TempDir()
	for _, rev := range []string{"HEAD", backup.Worktree} {
		got := tree(t, r, cache, rev)
		same(t, rev+" with a submodule missing", contents(t, got.Dir), files)
		if !slices.Equal(got.Missing, []string{"lib/deep/inner"}) {
			t.Errorf("%s: missing %q", rev, got.Missing)
		}
		if again := tree(t, r, cache, rev); !slices.Equal(again.Missing, got.Missing) {
			t.Errorf("%s: reused tree misses %q, want %q", rev, again.Missing, got.Missing)
		}
	}
	c.git("submodule", "update", "-q", "--init", "--recursive")
	delete(files, "lib/deep/inner")
	files["lib/deep/inner/i.go"] = "- package i\n"
	before := c.state()
	for _, rev := range []string{"HEAD", backup.Worktree} {
		got := tree(t, r, cache, rev)
		same(t, rev+" with all submodules", contents(t, got.Dir), files)
		if len(got.Missing) > 0 {
			t.Errorf("%s: missing %q", rev, got.Missing)
		}
	}
	same(t, "after reading submodules", c.state(), before)
	// The checkouts may be gone; git keeps the repositories.
	if err := os.RemoveAll(c.path("lib")); err != nil {
		t.Fatal(err)
	}
	same(t, "without checkouts", contents(t, tree(t, r, t.TempDir(), "HEAD").Dir), files)
}

func read(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(content), "\n")
}

func TestPointers(t *testing.T) {
	c := newCheckout(t)
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
	c.write("a.go", "package a\n", "data/big.bin", pointer, "not.txt", pointer+strings.Repeat("x", 1024))
	c.commit("one")
	r, cache := open(t, c.dir), t.TempDir()
	for range 2 {
		if got := tree(t, r, cache, "HEAD"); !slices.Equal(got.Pointers, []string{"data/big.bin"}) {
			t.Errorf("pointers %q", got.Pointers)
		}
	}
}

// No commit can make us write outside of its tree.
func TestHostileTree(t *testing.T) {
	c := newCheckout(t)
	c.write("f", "evil")
	blob := c.git("hash-object", "-w", "f")
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Mkdir(outside, 0o777); err != nil {
		t.Fatal(err)
	}
	c.write("target", outside)
	target := c.git("hash-object", "-w", "target")
	os.Truncate(c.path("target"), 0)
	entry := func(mode, name, hash string) string {
		raw := make([]byte, 0, 20)
		for i := 0; i < len(hash); i += 2 {
			raw = append(raw, unhex(hash[i])<<4|unhex(hash[i+1]))
		}
		return mode + " " + name + "\x00" + string(raw)
	}
	object := func(entries ...string) string {
		c.write("raw", strings.Join(entries, ""))
		return c.git("hash-object", "-w", "--literally", "-t", "tree", "raw")
	}
	sub := object(entry("100644", "evil", blob))
	for name, tree := range map[string]string{
		"link and directory": object(entry("120000", "a", target), entry("40000", "a", sub)),
		"parent":             object(entry("40000", "..", sub)),
		"git directory":      object(entry("40000", ".git", sub)),
		"git in capitals":    object(entry("40000", ".Git", sub)),
		"slash":              object(entry("100644", "../evil", blob)),
	} {
		commit := c.git("commit-tree", "-m", name, tree)
		r, cache := open(t, c.dir), t.TempDir()
		if got, err := r.Tree(t.Context(), cache, resolve(t, r, commit)); err == nil {
			t.Errorf("%s: tree %v", name, contents(t, got.Dir))
		}
		onlyTrees(t, cache, 0)
	}
	if list, _ := os.ReadDir(outside); len(list) > 0 {
		t.Errorf("written outside: %v", list)
	}
}

func unhex(c byte) byte { return byte(strings.IndexByte("0123456789abcdef", c)) }

//go:build unix

package cache

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// lay makes a cache of entries of 1000 bytes that were used so many hours ago.
func lay(t *testing.T, hours map[string]int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	for path, ago := range hours {
		home := filepath.Join(dir, path)
		name, used := filepath.Join(home, "tree", "file"), home
		switch {
		case strings.HasPrefix(path, "trees/"):
			used = filepath.Join(home, "manifest")
		case strings.HasPrefix(path, "rounds/"):
			name = home
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{name, used} {
			if info, err := os.Stat(name); err == nil && info.IsDir() {
				continue
			}
			size := 1000
			if name == used && name != home {
				size = 0
			}
			if err := os.WriteFile(name, make([]byte, size), 0o444); err != nil {
				t.Fatal(err)
			}
		}
		at := time.Now().Add(-time.Duration(ago) * time.Hour)
		if err := os.Chtimes(used, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func paths(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Bytes != 1000 {
			t.Errorf("%+v", e)
		}
		list = append(list, e.Path)
	}
	return list
}

var some = map[string]int{"trees/0a/c1": 50, "trees/0a/w2": 1, "trees/0b/c1": 30, "modules/0c": 40, "goroot/go1.26.1": 2, "rounds/0d": 60, "modules/tmp-1": 99, "trees/0a/tmp-1": 99}

func TestShrink(t *testing.T) {
	dir := lay(t, some)
	all := []string{"rounds/0d", "trees/0a/c1", "modules/0c", "trees/0b/c1", "goroot/go1.26.1", "trees/0a/w2"}
	if got := paths(t, dir); !slices.Equal(got, all) {
		t.Fatal(got)
	}
	// A module is read-only.
	if err := os.Chmod(filepath.Join(dir, "modules/0c/tree"), 0o555); err != nil {
		t.Fatal(err)
	}
	if gone, err := Shrink(dir, 3500); err != nil || len(gone) != 3 {
		t.Fatal(gone, err)
	}
	if got := paths(t, dir); !slices.Equal(got, all[3:]) {
		t.Error(got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, trash+"*")); len(left) > 0 {
		t.Error(left)
	}
	if gone, err := Shrink(filepath.Join(dir, "none"), 0); err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
}

// TestHold: a process begins within the bound, and takes nothing from another that runs.
func TestHold(t *testing.T) {
	dir := lay(t, some)
	if err := SetMax(dir, 4000); err != nil {
		t.Fatal(err)
	}
	if err := Hold(dir); err != nil {
		t.Fatal(err)
	}
	if got := paths(t, dir); len(got) != 4 {
		t.Error(got)
	}
	for name, mode := range map[string]os.FileMode{"": 0o700, lockName: 0o600, maxName: 0o600, sizesName: 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	// Here the other one is this process itself.
	if gone, err := Shrink(dir, 0); err != nil || len(gone) != 2 {
		t.Error(gone, err)
	}
	if got := paths(t, dir); !slices.Equal(got, []string{"goroot/go1.26.1", "trees/0a/w2"}) {
		t.Error(got)
	}
}

// TestClock: what was used while the clock was ahead is used now, and goes in its turn.
func TestClock(t *testing.T) {
	dir := lay(t, map[string]int{"trees/0a/c1": -9999, "modules/0c": 40, "rounds/0d": 60})
	for range 2 {
		list, err := List(dir)
		if err != nil || len(list) != 3 || list[2].Path != "trees/0a/c1" || time.Until(list[2].Used) > 0 {
			t.Fatal(list, err)
		}
	}
	now := time.Now()
	if err := os.Chtimes(filepath.Join(dir, "modules/0c"), now, now); err != nil {
		t.Fatal(err)
	}
	if gone, err := Shrink(dir, 1000); err != nil || len(gone) != 2 {
		t.Error(gone, err)
	}
	if got := paths(t, dir); !slices.Equal(got, []string{"modules/0c"}) {
		t.Error(got)
	}
}

// TestMax: what can't be read is the default.
func TestMax(t *testing.T) {
	dir := lay(t, nil)
	for text, want := range map[string]int64{"": DefaultMax, "12\n": 12, "-1": DefaultMax, "5GiB": DefaultMax, strings.Repeat("1", 99): DefaultMax} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, maxName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := Max(dir); got != want {
			t.Errorf("%q: %d", text, got)
		}
	}
}

// TestLinks: no link leads to what is listed or removed, whatever it is called.
func TestLinks(t *testing.T) {
	for _, link := range []string{"rounds", "modules", "trees", "trees/0a", "rounds/0e", "modules/0e", "trees/0a/c9", "bisect"} {
		outside := lay(t, map[string]int{"trees/0a/c1": 50, "rounds/0d": 60, "c2": 40, "0f": 40})
		for _, name := range []string{"manifest", "passwd", "0f.json"} {
			if err := os.WriteFile(filepath.Join(outside, name), []byte("theirs"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		before, err := filepath.Glob(filepath.Join(outside, "*"))
		if err != nil || len(before) < 6 {
			t.Fatal(before, err)
		}
		dir := filepath.Join(t.TempDir(), "cache")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
		if gone, err := Shrink(dir, 0); err != nil || len(gone) > 0 {
			t.Errorf("%s: %v, %v", link, gone, err)
		}
		if after, _ := filepath.Glob(filepath.Join(outside, "*")); !slices.Equal(after, before) {
			t.Errorf("%s: of %v there are %v", link, before, after)
		}
	}
}

// TestForeign: what is no entry stays.
func TestForeign(t *testing.T) {
	dir := lay(t, map[string]int{"rounds/notes.txt": 99, "modules/mine": 99, "goroot/..hidden": 99})
	if gone, err := Shrink(dir, 0); err != nil || len(gone) > 0 {
		t.Error(gone, err)
	}
}

// TestDir: a link is no directory of the cache.
func TestDir(t *testing.T) {
	top := filepath.Join(t.TempDir(), "cache")
	dir, err := Dir(top, "trees", "0a")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info, err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(top, "modules")); err != nil {
		t.Fatal(err)
	}
	if _, err := Dir(top, "modules"); err == nil {
		t.Error("a link is taken")
	}
	if _, err := Dir(top, "modules", "0a"); err == nil {
		t.Error("what lies behind a link is taken")
	}
}

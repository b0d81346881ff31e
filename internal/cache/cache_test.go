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

var some = map[string]int{"trees/r/c1": 50, "trees/r/w2": 1, "trees/s/c1": 30, "modules/m": 40, "goroot/go": 2, "rounds/x": 60, "modules/tmp-1": 99, "trees/r/tmp-1": 99}

func TestShrink(t *testing.T) {
	dir := lay(t, some)
	all := []string{"rounds/x", "trees/r/c1", "modules/m", "trees/s/c1", "goroot/go", "trees/r/w2"}
	if got := paths(t, dir); !slices.Equal(got, all) {
		t.Fatal(got)
	}
	// A module is read-only.
	if err := os.Chmod(filepath.Join(dir, "modules/m/tree"), 0o555); err != nil {
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
	if got := paths(t, dir); !slices.Equal(got, []string{"goroot/go", "trees/r/w2"}) {
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

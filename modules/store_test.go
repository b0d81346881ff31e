package modules_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/modules"
)

// cachedModule is example.com/Dep as the loader finds it.
func cachedModule(w world) *packages.Module {
	return &packages.Module{
		Path: "example.com/Dep", Version: "v1.1.0",
		Dir: filepath.Join(w.modCache, "example.com", "!dep@v1.1.0"),
	}
}

func (w world) copies(t *testing.T, dir string) *modules.Copies {
	t.Helper()
	return modules.New(modules.Config{
		Go: "go", Dir: dir, ModCache: w.modCache,
		Cache: filepath.Join(w.dir, "cache"), Out: filepath.Join(t.TempDir(), "out"),
	})
}

// TestNames goes from the module cache to the copy and back.
func TestNames(t *testing.T) {
	w := newWorld(t, "testdata/dependencies.txtar")
	dir := w.tree(t, "cached")
	c := w.copies(t, dir)
	m := cachedModule(w)
	name := filepath.Join(m.Dir, "internal", "four", "four.go")
	if _, err := c.Overlay(map[string][]byte{name: nil}); err == nil {
		t.Error("a file is overlaid in the module cache")
	}
	if c.Built(name) != name || c.ModFile() != "" {
		t.Error("something is copied before it is asked for")
	}
	if err := c.Add(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	built := c.Built(name)
	if built == name || c.Source(built) != name {
		t.Errorf("%s is built from %s, which is from %s", name, built, c.Source(built))
	}
	for _, name := range []string{name, built} {
		if got, want := c.Shown(name), "example.com/Dep@v1.1.0/internal/four/four.go"; got != want {
			t.Errorf("%s is shown as %s, want %s", name, got, want)
		}
	}
	// One whose name begins with the same letters is another.
	other := m.Dir + "5/x.go"
	own := filepath.Join(dir, "main_test.go")
	if c.Built(other) != other || c.Source(own) != own || c.Shown(own) != own {
		t.Error("files of nobody's copy have moved")
	}
	text, err := os.ReadFile(c.ModFile())
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"replace example.com/near => ./near", "example.com/Dep v1.1.0 => ",
		"exclude example.com/Dep v1.0.5", "retract v1.9.9 // never was", "toolchain go1.22.1",
	} {
		if !strings.Contains(string(text), strings.TrimPrefix(line, "replace ")) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
}

// TestCache has several hunts use one copy, and an old one go.
func TestCache(t *testing.T) {
	w := newWorld(t, "testdata/dependencies.txtar")
	dir := w.tree(t, "cached")
	m := cachedModule(w)
	old := filepath.Join(w.dir, "cache", "modules", "old")
	write(t, filepath.Join(old, "x@v1.0.0", "x.go"), nil)
	// Half a copy of one that was killed, and the clock was set back since.
	half := filepath.Join(w.dir, "cache", "modules", "tmp-1")
	write(t, filepath.Join(half, "x@v1.0.0", "x.go"), nil)
	for name, days := range map[string]time.Duration{old: -15, half: 15} {
		at := time.Now().Add(days * 24 * time.Hour)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	var hunts sync.WaitGroup
	for range 4 {
		c := w.copies(t, dir)
		hunts.Go(func() {
			if err := c.Add(t.Context(), m); err != nil {
				t.Error(err)
			}
		})
	}
	hunts.Wait()
	left, err := filepath.Glob(filepath.Join(w.dir, "cache", "modules", "*"))
	if err != nil || len(left) != 1 || left[0] == old {
		t.Errorf("left are %v, want one copy", left)
	}
	c := w.copies(t, dir)
	if err := c.Add(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	mark := c.Built(filepath.Join(m.Dir, "dep.go"))
	if err := os.WriteFile(mark, []byte("marked"), 0o666); err != nil {
		t.Fatal(err)
	}
	again := w.copies(t, dir)
	if err := again.Add(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(again.Built(filepath.Join(m.Dir, "dep.go"))); string(data) != "marked" {
		t.Errorf("the copy was made again: %v", err)
	}
}

// TestNothingToCopy has what can be overlaid where it is.
func TestNothingToCopy(t *testing.T) {
	c := modules.New(modules.Config{Go: "nosuch", ModCache: "/cache"})
	for _, m := range []*packages.Module{nil, {Main: true, Dir: "/tree"}, {Path: "example.com/x", Dir: "/cached/x@v1.0.0"}} {
		if err := c.Add(t.Context(), m); err != nil {
			t.Error(err)
		}
	}
	if err := c.Add(t.Context(), &packages.Module{Path: "example.com/x", Dir: "/cache/x@v1.0.0"}); err == nil {
		t.Error("a module is copied without a go command")
	}
}

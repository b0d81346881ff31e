package harness

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestOverlayable(t *testing.T) {
	for _, test := range []struct {
		cache, root string
		want        bool
	}{
		{"/u/go/pkg/mod", "/usr/local/go", true},
		{"/u/go/pkg/mod", "/u/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.0.linux-amd64", false},
		{"/u/go/pkg/mod", "/u/go/pkg/module", true},
		{"", "/usr/local/go", true},
	} {
		if got := (&Go{ModCache: test.cache, Root: test.root}).Overlayable(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// The copy is a toolchain of its own: it says so, and tools keep their modes.
func TestPrivateRoot(t *testing.T) {
	offline(t)
	root := tree(t, "-- VERSION --\ngo1.99\n-- src/x/x.go --\npackage x\n-- test/a.go --\npackage a\n")
	script := filepath.Join(root, "bin", "go")
	os.Mkdir(filepath.Dir(script), 0o700)
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho root $GOROOT\n"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("VERSION", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	g := &Go{Root: root, Cmd: script, Env: []string{"GOROOT=" + root, "A=1"}}
	cache := t.TempDir()

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.PrivateRoot(ctx, cache); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want context.Canceled", err)
	}
	for range 2 {
		private, err := g.PrivateRoot(t.Context(), cache)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"A=1", "GOROOT=" + private.Root}; !slices.Equal(private.Env, want) {
			t.Errorf("environment %q, want %q", private.Env, want)
		}
		cmd := exec.Command(private.Cmd)
		cmd.Env = private.Env
		out, err := cmd.CombinedOutput()
		if want := "root " + private.Root + "\n"; err != nil || string(out) != want || private.Root == root {
			t.Errorf("it says %s, %v; want %s", out, err, want)
		}
		for name, want := range map[string]string{"src/x/x.go": "package x\n", "link": "go1.99\n"} {
			if got, err := os.ReadFile(filepath.Join(private.Root, name)); string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
		if _, err := os.Stat(filepath.Join(private.Root, "test")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the tests were copied: %v", err)
		}
	}
	left, err := os.ReadDir(filepath.Join(cache, "goroot"))
	if err != nil || len(left) != 1 {
		t.Errorf("the cache holds %v, %v; want the one copy", left, err)
	}
}

func TestCopyFile(t *testing.T) {
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	if err := os.WriteFile(from, []byte("tool"), 0o500); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(from, to); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(to)
	if err != nil || info.Mode().Perm() != 0o500 {
		t.Errorf("%v, %v", info, err)
	}
}

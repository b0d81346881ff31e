package backup_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pinpoint-go/pinpoint/backup"
)

func TestFile(t *testing.T) {
	c := newCheckout(t)
	c.write("d/f", "content", "large", strings.Repeat("x", 101), "*", "star", ":(top)d", "magic")
	for link, target := range map[string]string{"link": "d/f", "zero": "/dev/zero"} {
		if err := os.Symlink(target, c.path(link)); err != nil {
			t.Fatal(err)
		}
	}
	c.commit("one")
	if err := syscall.Mkfifo(c.path("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := open(t, c.dir)
	for _, rev := range []string{"HEAD", backup.Worktree} {
		tree := tree(t, r, t.TempDir(), rev)
		for _, tt := range []struct{ path, want, err string }{
			{path: "d/f", want: "content"},
			{path: "*", want: "star"},
			{path: ":(top)d", want: "magic"},
			{path: "large", err: "it has more than 100 bytes"},
			{path: "link", err: "it is no regular file"},
			{path: "d", err: "it is no regular file"},
			{path: "../d/f", err: "must not be in a tree"},
			{path: "/etc/passwd", err: "must not be in a tree"},
			{path: ".git/config", err: "must not be in a tree"},
			{path: "none", err: "-"},
			{path: "fifo", err: "-"},
		} {
			got, err := r.File(t.Context(), tree, tt.path, 100)
			switch {
			case tt.err == "-" && !errors.Is(err, fs.ErrNotExist), tt.err == "" && (err != nil || string(got) != tt.want),
				tt.err != "" && (err == nil || tt.err != "-" && !strings.Contains(err.Error(), tt.err)):
				t.Errorf("%s of %s: %q, %v; want %q, %q", tt.path, rev, got, err, tt.want, tt.err)
			}
		}
		// A workload may have put something in its place.
		if rev == "HEAD" {
			if err := os.WriteFile(filepath.Join(tree.Dir, "d", "f"), []byte("other"), 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := r.File(t.Context(), tree, "d/f", 100); string(got) != "content" {
				t.Errorf("a file that was written to is %q, %v", got, err)
			}
		}
	}
}

func TestDirectory(t *testing.T) {
	c := newCheckout(t)
	c.write("a/b/c.go", "package b\n")
	c.commit("one")
	r := open(t, c.path("a"))
	tree := tree(t, r, t.TempDir(), "HEAD")
	for path, want := range map[string]string{".": "a", "b": "a/b", "..": "", "../a/b": "a/b", "../..": "-", "../../..": "-", "b/../../../x": "-"} {
		got, err := r.Directory(tree, path)
		if want == "-" {
			if err == nil || !strings.Contains(err.Error(), "leads out of the repository") {
				t.Errorf("%s is %s, %v", path, got, err)
			}
		} else if err != nil || got != filepath.Join(tree.Dir, want) {
			t.Errorf("%s is %s, %v; want %s", path, got, err, want)
		}
	}
}

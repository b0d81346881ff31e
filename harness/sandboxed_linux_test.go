package harness

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/internal/sandbox"
)

// TestSandboxed: a process is in a sandbox what it is without, and has its own files.
func TestSandboxed(t *testing.T) {
	if err := sandbox.Possible(); err != nil {
		t.Skip(err)
	}
	r, err := newRoom(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	tree := t.TempDir()
	b := Binary{Path: os.Args[0], Dir: tree, Tree: tree, Hidden: []string{filepath.Dir(tree)}}
	w := Workload{Set: []string{roleVar + "=describe"}, Writes: []string{filepath.Join(t.TempDir(), "written")}}
	if err := prepare(w); err != nil {
		t.Fatal(err)
	}
	plain := newChild(t.Context(), r, b, w, Order{})
	if plain.view != nil {
		t.Fatal("a view without a sandbox")
	}
	boxed := newChild(Sandboxed(t.Context()), r, b, w, Order{})
	boxed.view.Readable = append(boxed.view.Readable, os.Args[0])
	var said [2]string
	for i, c := range []child{plain, boxed} {
		// The place of a board, which packages of this program know, too.
		if c.board, err = os.CreateTemp(t.TempDir(), ""); err != nil {
			t.Fatal(err)
		}
		defer c.board.Close()
		c.board.WriteString("the board")
		c.board.Seek(0, io.SeekStart)
		end, err := c.run(t.Context())
		if err != nil || !end.state.Success() {
			t.Fatal(err, end.output)
		}
		if (end.entry > 0) != (i == 1) || end.wall <= 0 {
			t.Errorf("%v after %v", end.wall, end.entry)
		}
		said[i] = end.output
	}
	if said[0] != said[1] || !strings.Contains(said[1], "wd "+tree) || !strings.Contains(said[1], `board "the board"`) {
		t.Errorf("a process is\n%s\nand in a sandbox\n%s", said[0], said[1])
	}
	if _, err := os.Stat(w.Writes[0]); err != nil {
		t.Error(err)
	}

	boxed.path = filepath.Join(tree, "none")
	if _, err := boxed.run(t.Context()); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a program that is not there: %v", err)
	}
}

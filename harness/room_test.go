package harness

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A program that runs in a room is a file of its own, and gone with the room.
func TestProgramIsACopy(t *testing.T) {
	original := filepath.Join(t.TempDir(), "program")
	text := []byte("#!/bin/sh\n")
	if err := os.WriteFile(original, text, 0o700); err != nil {
		t.Fatal(err)
	}
	var lengths [2]int
	for i := range lengths {
		r, err := newRoom(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.close()
		path, err := r.program(original)
		if err != nil {
			t.Fatal(err)
		}
		lengths[i] = len(path)
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("the copy is %q, %v", got, err)
		}
		was, _ := os.Stat(original)
		is, err := os.Stat(path)
		if err != nil || os.SameFile(was, is) || is.Mode() != was.Mode() {
			t.Errorf("%v, %v is the same file or another mode", is, err)
		}
		if _, err := r.program(filepath.Join(r.own.Path, "none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("copying nothing: %v", err)
		}
		if err := r.close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the copy is left: %v", err)
		}
	}
	// The path lies above the stack and moves it.
	if lengths[0] != lengths[1] {
		t.Errorf("paths have lengths %v", lengths)
	}
}

package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// A room is what one process has for itself on disk.
type room struct {
	own   *TempDir // everything but the board
	tmp   string   // the child's TMPDIR
	input *os.File // the child's standard input; nil is none
	board string
}

// newRoom makes a room whose paths always have the same length (see environment).
func newRoom(input []byte) (*room, error) {
	own, err := makeTempDir()
	if err != nil {
		return nil, fmt.Errorf("making a directory for the process: %w", err)
	}
	r := &room{
		own:   own,
		tmp:   filepath.Join(own.Path, "tmp"),
		board: filepath.Join(boardDir(), filepath.Base(own.Path)+".board"),
	}
	if err := r.furnish(input); err != nil {
		r.close()
		return nil, fmt.Errorf("making a directory for the process: %w", err)
	}
	return r, nil
}

// furnish makes the temporary directory and the input. The input is a file,
// not a pipe that this process would have to feed while the other one is measured.
func (r *room) furnish(input []byte) error {
	if err := os.Mkdir(r.tmp, 0o700); err != nil {
		return err
	}
	if input == nil {
		return nil
	}
	name := filepath.Join(r.own.Path, "input")
	if err := os.WriteFile(name, input, 0o600); err != nil {
		return err
	}
	var err error
	r.input, err = os.Open(name)
	return err
}

// program copies the program into the room, to be run from there.
//
// The pages of a file lie in the same places of the memory, and so of the
// processor's caches, for all processes that run it, for as long as it is cached:
// one binary, copied twice and held against its copy in 16 to 24 pairs, was faster
// by 3.0 % [2.6, 3.4] on one occasion, by 1.3 % on another, and by nothing on
// three. With a copy for every process that is another accident for every pair.
func (r *room) program(path string) (string, error) {
	// A process that is forked meanwhile would hold the copy open for writing,
	// and what is written can't be run (go.dev/issue/22315).
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	copied := filepath.Join(r.own.Path, filepath.Base(path))
	if err := copyFile(path, copied); err != nil {
		os.Remove(copied)
		return "", fmt.Errorf("copying the program: %w", err)
	}
	return copied, nil
}

// prepare makes the files that a process is asked to write. A sandbox shows only what is
// there, and what is there can't be made something else in it.
func prepare(w Workload) error {
	for _, name := range w.Writes {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		f.Close()
	}
	return nil
}

func (r *room) boardPath() string { return r.board }

// close removes the room with what the child left in its temporary directory. The
// board removes itself.
func (r *room) close() error {
	if r.input != nil {
		r.input.Close()
	}
	return r.own.Remove()
}

// boardDir is where a mapped file costs no disk: written back to a disk, its
// pages are write-protected again and again, and the next probe pays the fault.
func boardDir() string {
	const shared = "/dev/shm"
	if f, err := os.CreateTemp(shared, "pinpoint-"); err == nil {
		f.Close()
		os.Remove(f.Name())
		return shared
	}
	return os.TempDir()
}

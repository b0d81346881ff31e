// Package output writes what others read later: files that are complete or not
// there, and JSON.
package output

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Save writes a file, complete or not at all: a reader never sees half of it, and an
// earlier one survives a failed write.
func Save(name string, write func(io.Writer) error) error { return save(name, 0o644, write) }

// Private is [Save] for the user's eyes only.
func Private(name string, write func(io.Writer) error) error { return save(name, 0o600, write) }

func save(name string, mode os.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".pinpoint-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("writing %s: %w", name, err)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(mode); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Check sees whether Save could write a file, and leaves nothing.
func Check(name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return fmt.Errorf("writing %s: it is a directory", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".pinpoint-*")
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, errors.Unwrap(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// JSON writes v indented, with a final newline.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

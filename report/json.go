package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// WriteJSON writes the report as indented JSON with a final newline. Lists that
// scripts index into are never null.
func (r *Report) WriteJSON(w io.Writer) error {
	out := r.complete()
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(&out)
}

// complete is the report with its schema's name and without null lists.
func (r *Report) complete() Report {
	out := *r
	out.Schema = Schema
	out.Culprits = make([]Culprit, len(r.Culprits))
	for i, c := range r.Culprits {
		c.Chain = orEmpty(c.Chain)
		c.Evidence = orEmpty(c.Evidence)
		c.Commits = orEmpty(c.Commits)
		out.Culprits[i] = c
	}
	out.Warnings = orEmpty(r.Warnings)
	return out
}

// SaveJSON writes the report to a file, complete or not at all: a reader never
// sees half a report, and an earlier one survives a failed write.
func (r *Report) SaveJSON(path string) error { return Save(path, r.WriteJSON) }

// Save writes a file by one of the Write methods here, complete or not at all.
func Save(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".pinpoint-*")
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("writing the report %s: %w", path, err)
		}
	}()
	if err := write(f); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// orEmpty gives a list that JSON writes as [] when there is nothing in it.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

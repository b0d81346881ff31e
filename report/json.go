package report

import (
	"io"

	"github.com/pinpoint-go/pinpoint/internal/output"
)

// WriteJSON writes the report as indented JSON with a final newline. Lists that
// scripts index into are never null.
func (r *Report) WriteJSON(w io.Writer) error {
	return output.JSON(w, r.complete())
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

// orEmpty gives a list that JSON writes as [] when there is nothing in it.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

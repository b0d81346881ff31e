package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// File is what a JSON file of pinpoint's holds: a hunt or a suite, the other is nil.
type File struct {
	Hunt  *Report
	Suite *Suite
}

// Read reads a file that [Report.WriteJSON] or [Suite.WriteJSON] wrote, of this
// version or of another: fields that are not known are of a newer one, and left out.
func Read(r io.Reader) (*File, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, fmt.Errorf("not a report in JSON: %w", err)
	}
	f := &File{}
	switch head.Schema {
	case Schema:
		f.Hunt = &Report{}
		err = json.Unmarshal(data, f.Hunt)
	case SuiteSchema:
		f.Suite = &Suite{}
		err = json.Unmarshal(data, f.Suite)
	default:
		err = fmt.Errorf("schema %q: what can be read is %s and %s", head.Schema, Schema, SuiteSchema)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// suite is a hunt as a suite of one benchmark, for formats that are made for many.
func (r *Report) suite() *Suite {
	b := Benchmark{
		Package: r.Workload.Package, Name: r.Workload.title(),
		Outcome: r.outcome(), Selected: "the workload of the hunt", Delta: r.Whole, Report: r,
	}
	if b.Outcome == IsUnknown {
		b.Reason = r.finding()
	}
	return &Suite{
		Good: r.Good, Bad: r.Bad, Base: r.Good.called(), Selection: "one workload",
		Rule:       SuiteRule{FailAbove: r.Search.MinEffect, Alpha: r.Search.Alpha},
		Benchmarks: []Benchmark{b}, Warnings: r.Warnings, Error: r.Error,
	}
}

func (r *Report) outcome() Outcome {
	switch r.Verdict {
	case Regression:
		return IsRegression
	case Improvement:
		return IsFaster
	case NoRegression:
		return IsUnharmed
	}
	return IsUnknown
}

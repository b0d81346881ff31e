package report

import (
	"encoding/json"
	"fmt"
	"io"
)

// File is what a JSON file of pinpoint's holds: one of them, the others are nil.
type File struct {
	Hunt  *Report
	Suite *Suite
	Joint *Joint
	Sheet *Sheet
}

// Read reads a file that WriteJSON of a Report, a Suite, a Joint or a Sheet wrote, of this
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
	case JointSchema:
		f.Joint = &Joint{}
		err = json.Unmarshal(data, f.Joint)
	case SheetSchema:
		f.Sheet = &Sheet{}
		err = json.Unmarshal(data, f.Sheet)
	default:
		err = fmt.Errorf("schema %q: what can be read is %s, %s, %s and %s", head.Schema, Schema, SuiteSchema, JointSchema, SheetSchema)
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

// suite is what the hunts found as a suite of their workloads.
func (j *Joint) suite() *Suite {
	s := &Suite{}
	for i, r := range j.Reports {
		one := r.suite()
		if i > 0 {
			one.Benchmarks = append(s.Benchmarks, one.Benchmarks...)
		}
		s = one
	}
	s.Selection, s.Warnings = "workloads that run what is suspected", j.Warnings
	return s
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

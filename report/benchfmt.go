package report

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt writes the samples of both sides in Go's benchmark format, one line a
// process. Benchstat compares the sides by -col side. Those of campaigns with probes
// are not among them: they are no times of the workload.
func (r *Report) WriteBenchfmt(w io.Writer) error { return r.writeBenchfmt(benchfmt.NewWriter(w)) }

// WriteBenchfmt writes the samples of all reports.
func (s *Suite) WriteBenchfmt(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	for _, b := range s.Benchmarks {
		if b.Report == nil {
			continue
		}
		if err := b.Report.writeBenchfmt(out); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) writeBenchfmt(out *benchfmt.Writer) error {
	for _, c := range r.Provenance.Campaigns {
		if len(c.Parts) > 0 || !strings.HasPrefix(c.What, "whole") || r.Whole == nil {
			continue
		}
		for _, side := range []struct {
			name    string
			samples []float64
			n       int64
		}{{"good", c.Good, r.Provenance.Iterations.Good}, {"bad", c.Bad, r.Provenance.Iterations.Bad}} {
			for _, x := range side.samples {
				res := r.benchLine(c.What, side.name, side.n)
				res.Values = []benchfmt.Value{{Value: x, Unit: r.Whole.Unit}}
				if err := out.Write(res); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// benchLine is a line of the format without values.
func (r *Report) benchLine(campaign, side string, n int64) *benchfmt.Result {
	name := strings.TrimPrefix(r.Workload.title(), "Benchmark")
	res := &benchfmt.Result{Name: benchfmt.Name(strings.Join(strings.Fields(name), "_")), Iters: int(max(1, n))}
	set := func(key, value string) {
		if value != "" {
			res.Config = append(res.Config, benchfmt.Config{Key: key, Value: []byte(value), File: true})
		}
	}
	for _, line := range r.Provenance.Host {
		key, value, _ := strings.Cut(line, ": ")
		set(key, value)
	}
	set("pkg", r.Workload.Package)
	set("good-commit", r.Good.Commit)
	set("bad-commit", r.Bad.Commit)
	set("seed", fmt.Sprint(r.Search.Seed))
	set("campaign", campaign)
	set("side", side)
	return res
}

package measure

import (
	"fmt"
	"io"

	"golang.org/x/perf/benchfmt"
)

// WriteBenchfmt writes the result in Go's benchmark format: one line a process,
// by revision, under configuration lines that say on what and of what. Lines of
// one name and unit are independent samples. Benchstat compares revisions by
// -col rev.
func (r *Result) WriteBenchfmt(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	for _, rev := range r.revisions() {
		for _, run := range r.Processes {
			s := r.Scenarios[run.Scenario]
			if s.Rev.Name != rev {
				continue
			}
			res := r.line(s, run.N)
			for _, v := range run.Values {
				if v.Of == "" {
					res.Values = append(res.Values, benchfmt.Value{Value: v.Value, Unit: unitOf(v, r)})
				}
			}
			if err := out.Write(res); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteBatches writes every batch that ran, the left out ones too, with the
// number of its process as a configuration line. Lines of one process are no
// independent samples.
func (r *Result) WriteBatches(w io.Writer) error {
	out := benchfmt.NewWriter(w)
	for _, p := range r.Batches {
		for _, b := range p.Batches {
			res := r.line(r.Scenarios[p.Scenario], b.N)
			res.Config = append(res.Config, fileConfig("process", fmt.Sprint(p.Process)))
			res.Values = []benchfmt.Value{{Value: perOp(b), Unit: "ns/op"}}
			if err := out.Write(res); err != nil {
				return err
			}
		}
	}
	return nil
}

// line is a line of the format without values.
func (r *Result) line(s Scenario, n int64) *benchfmt.Result {
	res := &benchfmt.Result{Name: benchfmt.Name(s.Name()[len("Benchmark"):]), Iters: int(n)}
	for _, c := range r.Config {
		res.Config = append(res.Config, fileConfig(c.Name, c.Value))
	}
	res.Config = append(res.Config, fileConfig("rev", s.Rev.Name))
	if s.Rev.Commit != "" {
		res.Config = append(res.Config, fileConfig("commit", s.Rev.Commit))
	}
	return res
}

func fileConfig(key, value string) benchfmt.Config {
	return benchfmt.Config{Key: key, Value: []byte(value), File: true}
}

// unitOf tells the times of several timings apart: all but the first have their
// measurer's name in the unit.
func unitOf(v Value, r *Result) string {
	for _, run := range r.Processes {
		for _, o := range run.Values {
			if o.Unit != v.Unit {
				continue
			}
			if o.Measurer == v.Measurer {
				return v.Unit
			}
			return v.Measurer + "-" + v.Unit
		}
	}
	return v.Unit
}

// revisions are the names of the revisions in their order.
func (r *Result) revisions() []string {
	var names []string
	seen := map[string]bool{}
	for _, s := range r.Scenarios {
		if !seen[s.Rev.Name] {
			seen[s.Rev.Name] = true
			names = append(names, s.Rev.Name)
		}
	}
	return names
}

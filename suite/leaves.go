package suite

import (
	"context"
	"errors"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
)

// workloadOf is a benchmark function with all its sub-benchmarks.
func (r *run) workloadOf(function string) harness.Workload {
	w := r.opts.Hunt.Workload
	w.Kind, w.Pattern = harness.Bench, "^"+function+"$"
	return w
}

// listLeaves lists the benchmarks of a function that are not compared.
func (r *run) listLeaves(p *pkg, f *function) {
	f.looked = true
	for _, name := range f.leaves.Bad {
		switch {
		case !r.opts.Bench.Matches(name):
			p.listOnly(name, f.position, report.IsUnselected, notNamed, r)
		case !slices.Contains(f.leaves.Good, name):
			p.listOnly(name, f.position, report.IsNew, "the base does not have it", r)
		case f.idle[name]:
			p.listOnly(name, f.position, report.IsUnchanged, idle, r)
		}
	}
	for _, name := range f.leaves.Good {
		if !slices.Contains(f.leaves.Bad, name) && r.opts.Bench.Matches(name) {
			p.listOnly(name, "", report.IsRemoved, "the head no longer has it", r)
		}
	}
}

// leaves are the names of the benchmark and sub-benchmarks that the pattern runs.
func leaves(ctx context.Context, b harness.Binary, w harness.Workload) ([]string, error) {
	p, err := harness.Run(ctx, b, w, harness.Order{N: 1, Batches: 1})
	var several *harness.ChoiceError
	switch {
	case errors.As(err, &several):
		return several.Names, nil
	case err != nil:
		return nil, err
	}
	return p.Benchmarks, nil
}

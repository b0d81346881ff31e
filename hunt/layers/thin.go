package layers

import (
	"context"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
)

const (
	// heavyProbes is the share of the inspected function's time from which its
	// probes are too much of it.
	heavyProbes = 0.1
	// tinyCall is how many times its probe's cost a call must take to be measured
	// well.
	tinyCall = 10
	// pilotPairs are enough to see what a probe costs. They compare nothing.
	pilotPairs = 2
)

// thin switches probes off that would be most of what they measure: of calls
// hardly longer than a probe, often inlined, that run the same code in both
// revisions. They count as own code then. A tiny call whose code differs stays a
// candidate, for an O(1) and an O(n) method may both be inlined.
func (pr *Prober) thin(ctx context.Context, f *Layer) error {
	if f.thinned {
		return nil
	}
	f.thinned = true
	if pr.Sampler.Quantity.Counts() {
		return nil // what counts by itself isn't changed by probes
	}
	all := finder.Region{To: len(f.Parts)}
	pairs, err := pr.Sampler.Pairs(ctx, "trying the probes in "+f.Name, pr.Sampler.Campaign(f.built.Good, f.built.Bad), pr.masks(f, all).on, 0, pilotPairs)
	if err != nil {
		return err
	}
	r := pr.read(f, pairs, pr.masks(f, all))
	inspected := r.inspected()
	if max(r.nominal(all)) < heavyProbes*min(compare.Mean(inspected.good), compare.Mean(inspected.bad)) {
		return nil
	}
	for id, p := range f.Parts {
		one := finder.Region{From: id, To: id + 1}
		s := r.region(one)
		cost := max(r.nominal(one))
		if cost == 0 || max(compare.Mean(s.good), compare.Mean(s.bad)) > tinyCall*cost || !pr.sameCall(p) {
			continue
		}
		f.off[id] = true
		pr.Refused = append(pr.Refused, report.Refused{
			Position: pr.Position(p.Call().Pos), Text: p.Text(),
			Reason: "hardly longer than a probe, and the same code in both revisions",
		})
	}
	return nil
}

// sameCall says whether a call runs the same code in both revisions.
func (pr *Prober) sameCall(p Part) bool {
	if p.Calls.Good == nil || p.Calls.Bad == nil {
		return false
	}
	return pr.SameBelow(pr.pairUp(reached(p.Calls.Good), reached(p.Calls.Bad)))
}

// reached is whom a call may run: its callees, with or without source, and what
// is handed to them.
func reached(c *callgraph.Call) []*callgraph.Function {
	return append(append([]*callgraph.Function(nil), c.Callees...), c.Literals...)
}

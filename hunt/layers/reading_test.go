package layers

import (
	"math"
	"testing"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// What probes add is taken off as it was in the same process, and not as a constant: on
// one processor 4,000 of them cost the demo's good 71.5 µs and its bad 16.9, where they
// run in the shadow of loads that miss the caches. Of 148.0 µs the first step then
// makes 148.1, and the last call 144.3; what a constant leaves of them is 93.5 and
// 89.7. In µs.
func TestSampleTakesOffWhatProbesAdd(t *testing.T) {
	f := &Layer{nested: true, Parts: make([]Part, 2)}
	m := masks{on: [][]int{{f.outermost()}, {f.outermost(), 0}, {f.outermost(), 1}}, of: []int{1, 2}}
	clock := instrument.Clock{PairCost: .01, OutsideCost: .005}
	under := func(whole, added, first, last float64) []harness.Sample {
		return []harness.Sample{
			{Whole: whole, Parts: make([]harness.PerOp, 3)},
			{Whole: whole + added, Parts: []harness.PerOp{{Calls: 4000, NS: first}, {}, {}}},
			{Whole: whole + added, Parts: []harness.PerOp{{}, {Calls: 4000, NS: last}, {}}},
		}
	}
	r := readings{frame: f, alternate: true,
		good: []sample{f.sample(under(28.9, 71.5, 100.3, 96.0), m, clock)},
		bad:  []sample{f.sample(under(176.9, 16.9, 193.8, 185.7), m, clock)},
	}
	difference := func(s series) float64 { return s.bad[0] - s.good[0] }
	for _, test := range []struct {
		name string
		of   series
		want float64
	}{
		{"the operation", r.operation(), 148.0},
		{"the operation, probed", r.probed(), 93.4},
		{"the first step", r.probe(0), 148.1},
		{"the last call", r.probe(1), 144.3},
	} {
		if got := difference(test.of); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%s: %.4g µs, want %v", test.name, got, test.want)
		}
	}
	for id := range f.Parts {
		if unsure := r.unsure(finder.Region{From: id, To: id + 1}); unsure != 0 {
			t.Errorf("part %d has a mask of its own, and is unsure by %v µs", id, unsure)
		}
	}
}

// A step of a chain takes what the probes below it add, and not its call's share of that:
// bbolt's chain, whose first step is one call and its last 100, said 145 % of the
// difference at every step. In µs.
func TestSampleOfStepsTakesOffWhatLiesWithin(t *testing.T) {
	f := &Layer{nested: true, Parts: []Part{{depth: 0}, {depth: 1}, {depth: 2}, {depth: 2}}}
	m := masks{on: [][]int{{f.outermost()}, {f.outermost(), 0, 1, 2, 3}}, of: []int{1, 1, 1, 1}}
	calls := []float64{1, 100, 100, 200}
	under := func(whole, added float64, ns ...float64) []harness.Sample {
		on := harness.Sample{Whole: whole + added}
		for i, n := range ns {
			on.Parts = append(on.Parts, harness.PerOp{Calls: calls[i], NS: n})
		}
		return []harness.Sample{{Whole: whole, Parts: make([]harness.PerOp, len(ns))}, on}
	}
	// Each call's probe adds the same; a step has all of it that lies below.
	s := f.sample(under(20, 4.01, 24.01, 20+4.00, 5+1, 10+2), m, instrument.Clock{PairCost: .01})
	for id, want := range []float64{20, 20, 5, 10} {
		if got := s.parts[id].NS; math.Abs(got-want) > 1e-9 {
			t.Errorf("part %d: %.4g µs, want %v", id, got, want)
		}
	}
}

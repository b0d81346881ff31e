package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Hunks of one function that were put back together are one culprit, with what is gone
// with both; those of two functions are two.
func TestOfOneFunction(t *testing.T) {
	hunk := func(of *callgraph.Function) prove.Element {
		return prove.Element{Suspects: []change.Suspect{{Bad: of}}, Hunk: &revert.Hunk{}}
	}
	f, g := &callgraph.Function{Name: "m.F"}, &callgraph.Function{Name: "m.G"}
	elements := []prove.Element{hunk(f), hunk(f), hunk(g)}
	alone := func(i int, share float64) finder.Finding {
		return finder.Finding{Blame: finder.Alone, Sets: [][]int{{i}}, Share: stats.Interval{Mean: share}}
	}
	list := []finder.Finding{alone(0, 0.6), alone(1, 0.3), alone(2, 0.1)}
	if got := ofOneFunction(elements, list, func(...[]int) *prove.Composition { return nil }); len(got) != 3 {
		t.Errorf("hunks that were never put back together: %v", got)
	}
	both := &prove.Composition{Trial: &compare.Trial{Share: stats.Interval{Mean: 0.9}}}
	got := ofOneFunction(elements, list, func(...[]int) *prove.Composition { return both })
	if len(got) != 2 || len(got[0].Set()) != 2 || got[0].Share.Mean != 0.9 || got[1].Share.Mean != 0.1 {
		t.Errorf("got %v", got)
	}
	oneOf := finder.Finding{Blame: finder.OneOf, Sets: [][]int{{0}, {1}}}
	if got := ofOneFunction(elements, []finder.Finding{oneOf}, nil)[0]; got.Blame != finder.Alone || len(got.Set()) != 2 {
		t.Errorf("one of two hunks of a function: %+v", got)
	}
	oneOf.Sets[1][0] = 2
	if got := ofOneFunction(elements, []finder.Finding{oneOf}, nil)[0]; got.Blame != finder.OneOf {
		t.Errorf("one of the hunks of two functions: %+v", got)
	}
}

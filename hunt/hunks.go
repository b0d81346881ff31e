package hunt

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
)

// ofOneFunction makes one culprit of hunks of the same function, where they were put back
// together, too, as put tells: a reader looks for functions.
func ofOneFunction(elements []prove.Element, list []finder.Finding, put func(sets ...[]int) *prove.Composition) (merged []finder.Finding) {
	for _, f := range list {
		if (f.Blame == finder.OneOf || f.Blame == finder.Spread) && hunksOfOne(elements, f.Set()) {
			f.Blame, f.Sets = finder.Alone, [][]int{f.Set()} // whichever it is, it is in that function
		}
		var comp *prove.Composition
		i := slices.IndexFunc(merged, func(g finder.Finding) bool {
			return g.Blame == finder.Alone && f.Blame == finder.Alone && hunksOfOne(elements, g.Set(), f.Set())
		})
		if i >= 0 {
			comp = put(merged[i].Set(), f.Set())
		}
		if comp == nil {
			merged = append(merged, f)
			continue
		}
		g := &merged[i]
		g.Sets, g.Share, g.Others = [][]int{slices.Concat(g.Set(), f.Set())}, comp.Trial.Share, f.Others
	}
	return merged
}

// hunksOfOne says whether sets are hunks of one function only.
func hunksOfOne(elements []prove.Element, sets ...[]int) bool {
	var of *callgraph.Function
	for _, i := range slices.Concat(sets...) {
		e := elements[i]
		if e.Hunk == nil || of != nil && e.Suspects[0].Bad != of {
			return false
		}
		of = e.Suspects[0].Bad
	}
	return true
}

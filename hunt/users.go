package hunt

import (
	"context"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
)

// using are the functions of bad that are reached and refer to data, with their like in
// good.
func (h *hunt) using(data []change.Suspect) (list []change.Functions) {
	reached := h.ReachedWhileTimed()
	if len(reached) == 0 {
		reached = h.Reached()
	}
	for _, fn := range h.Bad.Prog.Reach(change.Outermost(h.Bad.Timed)) {
		if !fn.HasBody() || !reached[fn] {
			continue
		}
		refers := h.Bad.Prog.Data(fn)
		if !slices.ContainsFunc(data, func(s change.Suspect) bool { _, ok := refers[s.Name]; return ok }) {
			continue
		}
		if good, ok := h.change().InGood(fn); ok {
			list = append(list, change.Functions{Good: good, Bad: fn})
		}
	}
	return list
}

// gainedMost is the pair of functions that profiles see gain most, without what lies
// beneath in others of the list; the only one in any case.
func (h *hunt) gainedMost(ctx context.Context, list []change.Functions) (f change.Functions, ok bool) {
	if len(list) < 2 {
		if len(list) == 1 {
			f, ok = list[0], true
		}
		return f, ok
	}
	if _, err := h.recorder.Both(ctx); err != nil {
		return f, false
	}
	gained := h.gainsOf(list)
	best, all := slices.Index(gained, slices.Max(gained)), 0.0
	for _, g := range gained {
		all += max(0, g)
	}
	return list[best], gained[best] > 0 && gained[best] >= mostOf*all
}

// unwrapped is the function inside of a wrapper that only one side has, or the wrapper
// where that is to blame: what is in it is the code that was there, or gained less of the
// difference, by profiles if there are any.
func (h *hunt) unwrapped(p change.Functions) change.Functions {
	inner := h.change().Unwrap(p)
	if inner == p || change.Wraps(inner) {
		return p
	}
	if _, known := h.recorder.Known(); known && inner.Good == p.Good {
		if g := h.gainsOf([]change.Functions{inner, {Bad: p.Bad}}); g[1] > g[0] {
			return p
		}
	}
	return inner
}

// gainsOf is that of some functions.
func (h *hunt) gainsOf(list []change.Functions) []float64 {
	return h.gained(len(list), change.Pair[func(int, *callgraph.Function) bool]{
		Good: func(i int, fn *callgraph.Function) bool { return list[i].Good == fn },
		Bad:  func(i int, fn *callgraph.Function) bool { return list[i].Bad == fn },
	})
}

// flowsThrough is the deepest function that both have and that most of the difference is
// beneath, by the profiles: what is spread over many is the doing of none of them.
func (h *hunt) flowsThrough() (f change.Functions, ok bool) {
	stacks, known := h.recorder.Known()
	if !known {
		return f, false
	}
	ratio := h.whole.Comparison.Ratio.Mean
	good, all := profile.Inclusive(stacks.Good)
	bad, allBad := profile.Inclusive(stacks.Bad)
	least := math.Inf(1)
	for fn, weight := range bad {
		twin, both := h.change().InGood(fn)
		if !both || !fn.HasBody() || all == 0 {
			continue
		}
		share := profile.GainShare(ratio, good[twin]/all, weight/allBad)
		if share >= mostOf && (share < least || share == least && fn.Name > f.Bad.Name) {
			least, f, ok = share, change.Functions{Good: twin, Bad: fn}, true
		}
	}
	return f, ok
}

// gained are the shares of the difference that the profiles of both sides, as far as they
// were recorded, see in each of n.
func (h *hunt) gained(n int, whose change.Pair[func(i int, fn *callgraph.Function) bool]) []float64 {
	stacks, _ := h.recorder.Known()
	return profile.Gained(h.whole.Comparison.Ratio.Mean, n, stacks, whose)
}

// mostOf is the share of what several gained that one must have to be named for them.
const mostOf = 0.6

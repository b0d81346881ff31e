package hunt

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/stats"
)

// telling is how well profiles must know a share of the difference, as a standard
// error, to be asked for a favourite.
const telling = 0.25

// tryFavourite tries the suspect that the profiles of both sides make likely before
// any of them is probed. It is named only if it alone brings all of the difference
// back; if not, nothing is lost but one build.
func (h *hunt) tryFavourite(ctx context.Context, list []part, parallel bool) error {
	seen := weight(h.stacks, nil)
	inDependencies := !slices.ContainsFunc(list, func(p part) bool { return p.badFunc.Pkg.Module == nil || p.badFunc.Pkg.Module.Main })
	if !h.sampler.Quantity.IsTime() || inDependencies || !(uncertainty(seen, seen, h.whole.Comparison.Ratio.Mean) < telling) {
		return nil
	}
	good, err := h.profile(ctx, h.good)
	if err != nil {
		return err
	}
	s := h.favourite(list, good, h.stacks)
	if s == nil {
		return nil
	}
	p, err := h.putBackFunction(ctx, s.badFunc, 1, last(compare.Searching))
	if err != nil || p == nil || !p.SpeaksFor(1) || p.bringsAlong(s, list) || p.Recovered.High < 1-minShare {
		return err
	}
	return h.accuse(ctx, p, s.part, parallel)
}

// bringsAlong reports whether good's code for a suspect came with that of another,
// which it could be owed to.
func (p *proof) bringsAlong(s *suspect, list []part) bool {
	return slices.ContainsFunc(list, func(other part) bool {
		return outermost(other.badFunc) != outermost(s.badFunc) && slices.Contains(p.plan.Functions, outermost(other.goodFunc).Name)
	})
}

// favourite is the suspect in which, and beneath which, most of the difference is
// by two profiles; nil if they single none out.
func (h *hunt) favourite(list []part, good, bad []stack) *suspect {
	ratio, goodAll, badAll := h.whole.Comparison.Ratio.Mean, weight(good, nil), weight(bad, nil)
	if !(uncertainty(goodAll, badAll, ratio) < telling) {
		return nil
	}
	var likely []suspect
	for _, p := range list {
		share := ratio*float64(weight(bad, p.badFunc))/float64(badAll) - float64(weight(good, p.goodFunc))/float64(goodAll)
		if share /= ratio - 1; share < minShare {
			continue
		}
		s := suspect{part: p, share: min(1, share)}
		s.delta.Verdict, s.delta.Diff.Mean = stats.Slower, share*h.whole.Comparison.Diff.Mean
		likely = append(likely, s)
	}
	slices.SortStableFunc(likely, func(a, b suspect) int { return cmp.Compare(b.delta.Diff.Mean, a.delta.Diff.Mean) })
	chosen := h.choose(likely, h.whole.Comparison, bad)
	if len(chosen) != 1 {
		return nil
	}
	return &chosen[0]
}

// uncertainty is the standard error, at most, of a share of the difference that is taken
// from profiles with so many samples: bad's share counts ratio times as much as
// good's, and it is a share of what is above 1. Infinite or NaN if nothing can be told.
func uncertainty(good, bad int64, ratio float64) float64 {
	of := func(samples int64) float64 { return 0.5 / math.Sqrt(float64(samples)) }
	return math.Hypot(ratio*of(bad), of(good)) / max(ratio-1, 0)
}

// weight is how often a function was on the stack, nil standing for any.
func weight(stacks []stack, fn *callgraph.Function) int64 {
	sum := int64(0)
	for _, st := range stacks {
		if fn == nil || slices.ContainsFunc(st.sites, func(s site) bool { return s.fn == fn }) {
			sum += st.weight
		}
	}
	return sum
}

package stats

import (
	"math"
	"slices"
)

// claim is an interval with the bounds of MinEffect on its own scale, and what
// it says.
type claim struct {
	interval  Interval
	low, high float64
	verdict   Verdict
}

func claimOf(i Interval, low, high float64) claim {
	return claim{i, low, high, judge(i, low, high)}
}

func (c claim) objects(v Verdict) bool { return excludes(c.interval, c.low, c.high, v) }

// ranks is what the signed ranks of the pairs say, by their log ratios or, where
// these don't exist, by their differences.
type ranks struct {
	sorted   walsh   // log ratios, or differences divided by 2^exponent
	from, to float64 // MinEffect on their scale
	exponent int
	ratios   bool

	claim       // set by ask, like what follows
	diff, ratio Interval
}

// ranksOf sorts the pairs. There are no ranks where sides are not paired.
func (r Rule) ranksOf(c Comparison, p pairs) (k ranks, ok bool) {
	switch {
	case len(p.good) != len(p.bad):
		return k, false
	case p.logs != nil:
		low, high := r.ratioBounds(c.Good.Mean)
		k = ranks{sorted: p.logs, from: math.Log(max(low, 0)), to: math.Log(high), ratios: true}
	default:
		diffs, e := differences(p.good, p.bad)
		k = ranks{sorted: diffs, from: math.Ldexp(-r.MinEffect, -e), to: math.Ldexp(r.MinEffect, -e), exponent: e}
	}
	slices.Sort(k.sorted)
	return k, true
}

// differences returns bad-good divided by 2^e, so that no sum of them can
// overflow.
func differences(good, bad []float64) (diffs []float64, e int) {
	e = exponent(good, bad)
	diffs = make([]float64, len(good))
	for i := range good {
		diffs[i] = math.Ldexp(bad[i], -e) - math.Ldexp(good[i], -e)
	}
	return diffs, e
}

// ask works out the intervals and the claim.
func (k *ranks) ask(r Rule, c Comparison) {
	on := k.sorted.interval(r.Alpha)
	if !k.ratios {
		k.diff, k.ratio = ldexp(on, k.exponent), noRatio()
		k.claim = claimOf(k.diff, -r.MinEffect, r.MinEffect)
		return
	}
	// The differences that make a ratio of one keep their digits this way.
	k.diff = Interval{math.Expm1(on.Mean) * c.Good.Mean, math.Expm1(on.Low) * c.Good.Mean, math.Expm1(on.High) * c.Good.Mean}
	k.ratio = exp(on)
	low, high := r.ratioBounds(c.Good.Mean)
	k.claim = claimOf(k.ratio, low, high)
}

// report puts the ranks' intervals in the comparison where they decided, or say
// more. Both tests' intervals hold at once with 1-Alpha, so that taking the
// narrower costs nothing.
func (k *ranks) report(c *Comparison) {
	c.Ratio = k.ratio
	if c.By == TestRank || c.By == TestAuto && k.diff.High-k.diff.Low < c.Diff.High-c.Diff.Low {
		c.Diff = k.diff
	}
}

package stats

import (
	"fmt"
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

// decideWithRanks sets the verdict by ranks alone or, under TestAuto, by ranks
// and means.
func (r Rule) decideWithRanks(c *Comparison, p pairs) {
	k, paired := r.ranksOf(*c, p)
	if r.Test == TestRank {
		if paired {
			k.ask(r, *c)
			c.Verdict, c.By = k.verdict, TestRank
			k.report(c)
		}
		if c.Verdict == Unknown {
			c.Need = k.need(r.Alpha)
		}
		return
	}
	// Where there are too few pairs, ranks claim nothing and object to nothing.
	ranks := claimOf(Interval{0, math.Inf(-1), math.Inf(1)}, 0, 0)
	enough := paired && signedRankTail(len(k.sorted), r.Alpha/2) > 0
	if enough {
		k.ask(r, *c)
		ranks = k.claim
	}
	contradicted := r.agree(c, claimOf(c.Diff, -r.MinEffect, r.MinEffect), ranks)
	if enough {
		k.report(c)
	}
	if c.Verdict == Unknown && !contradicted {
		c.Need = earliest(r.welchNeed(*c, p), k.need(r.Alpha))
	}
}

// agree sets the verdict that means and ranks come to, and reports whether they
// contradict each other, which more pairs need not settle.
func (r Rule) agree(c *Comparison, means, ranks claim) (contradicted bool) {
	switch {
	case means.verdict == ranks.verdict:
		c.Verdict, c.By = means.verdict, TestAuto
	case ranks.verdict == Unknown && !ranks.objects(means.verdict):
		c.Verdict, c.By = means.verdict, TestWelch
	case means.verdict == Unknown && !means.objects(ranks.verdict):
		c.Verdict, c.By = ranks.verdict, TestRank
	default:
		c.Warnings = append(c.Warnings, fmt.Sprintf(
			"means say %v, pairs say %v: a few wild values carry the means, or few processes the difference",
			means.verdict, judge(ranks.interval, ranks.low, ranks.high)))
		c.By = TestAuto
		return true
	}
	return false
}

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

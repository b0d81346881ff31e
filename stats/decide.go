package stats

import (
	"fmt"
	"math"
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
	k, ranks := r.rank(*c, p)
	means := claimOf(c.Diff, -r.MinEffect, r.MinEffect)
	if r.Test == TestRank {
		if ranks {
			c.Verdict, c.By = k.claim.verdict, TestRank
			k.report(c)
		}
		if ranks && c.Verdict == Unknown {
			c.Need = k.need(r.Alpha)
		}
		return
	}
	if !ranks {
		k.claim = claimOf(Interval{0, math.Inf(-1), math.Inf(1)}, 0, 0) // claims nothing, objects to nothing
	}
	contradicted := r.agree(c, means, k.claim)
	if ranks {
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
	claim
	sorted      walsh   // log ratios or scaled differences
	low, high   float64 // MinEffect on their scale
	diff, ratio Interval
}

// rank asks the ranks. There are none where sides are not paired.
func (r Rule) rank(c Comparison, p pairs) (k ranks, ok bool) {
	if len(p.good) != len(p.bad) {
		return k, false
	}
	if p.logs == nil {
		diffs, e := differences(p.good, p.bad)
		on := sortedInterval(diffs, r.Alpha)
		k.sorted, k.low, k.high = diffs, math.Ldexp(-r.MinEffect, -e), math.Ldexp(r.MinEffect, -e)
		k.diff, k.ratio = ldexp(on, e), noRatio()
		k.claim = claimOf(k.diff, -r.MinEffect, r.MinEffect)
		return k, true
	}
	on := sortedInterval(p.logs, r.Alpha)
	low, high := r.ratioBounds(c.Good.Mean)
	k.sorted, k.low, k.high = p.logs, math.Log(max(low, 0)), math.Log(high)
	k.ratio = exp(on)
	// The differences that make a ratio of one keep their digits this way.
	k.diff = Interval{math.Expm1(on.Mean) * c.Good.Mean, math.Expm1(on.Low) * c.Good.Mean, math.Expm1(on.High) * c.Good.Mean}
	k.claim = claimOf(k.ratio, low, high)
	return k, true
}

// report puts the ranks' intervals in the comparison where they decided, or say
// more. Both tests' intervals hold at once with 1-Alpha, so that taking the
// narrower costs nothing.
func (k ranks) report(c *Comparison) {
	if bounded := !math.IsInf(k.interval.High, 1); bounded || c.By == TestRank {
		c.Ratio = k.ratio
	}
	if c.By == TestRank || c.By == TestAuto && k.diff.High-k.diff.Low < c.Diff.High-c.Diff.Low {
		c.Diff = k.diff
	}
}

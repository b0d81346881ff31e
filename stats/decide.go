package stats

import (
	"errors"
	"fmt"
	"math"
)

// Compare holds bad against good. Values of the same index are a pair.
func (r Rule) Compare(good, bad []float64) Comparison {
	c := Comparison{Good: Summarize(good), Bad: Summarize(bad), Confidence: 1 - r.Alpha}
	logs, ratioErr := logRatios(good, bad)
	if r.Test == TestPairs && ratioErr != nil {
		r.Test = TestAuto
	}
	if r.Test == TestAuto || r.Test == TestPairs {
		r.Alpha /= 2
	}
	var diffErr error
	c.Diff, diffErr = welch(good, bad, r.Alpha)
	if c.Ratio = noRatio(); ratioErr == nil && !(r.asksRanks() && signedRankTail(len(logs), r.Alpha/2) > 0) {
		c.Ratio, ratioErr = paired(logs, r.Alpha)
	}
	c.Warnings = warnings(c, diffErr, ratioErr)
	if diffErr != nil || !(r.Alpha > 0 && r.Alpha < 1) {
		return c
	}
	p := pairs{good: good, bad: bad, logs: logs}
	if r.Test == TestPairs {
		r.decideByPairs(&c, p)
	} else if r.asksRanks() {
		r.decideWithRanks(&c, p)
	} else if settled := r.decide(&c, ratioErr == nil); !settled {
		c.Need = r.need(c, p)
	}
	return c
}

// decide sets the verdict and reports whether the deciding interval is narrow
// enough: where pairs object to it, more of them need not help.
func (r Rule) decide(c *Comparison, paired bool) (settled bool) {
	c.Verdict = judge(c.Diff, -r.MinEffect, r.MinEffect)
	if !paired {
		return c.Verdict != Unknown
	}
	low, high := r.ratioBounds(c.Good.Mean)
	byRatio := judge(c.Ratio, low, high)
	if r.Test == TestPaired {
		c.Verdict, c.By = byRatio, TestPaired
		return c.Verdict != Unknown
	}
	if excludes(c.Ratio, low, high, c.Verdict) {
		c.Warnings = append(c.Warnings, fmt.Sprintf(
			"means say %v, pairs say %v: look for a few wild values, or try the paired test", c.Verdict, byRatio))
		c.Verdict = Unknown
		return true
	}
	return c.Verdict != Unknown
}

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
	ranks := noClaim
	enough := paired && signedRankTail(len(k.sorted), r.Alpha/2) > 0
	if enough {
		k.ask(r, *c)
		ranks = k.claim
	}
	contradicted := c.agree(claimOf(c.Diff, -r.MinEffect, r.MinEffect), ranks, TestWelch, TestAuto)
	if enough {
		k.report(c)
	}
	if c.Verdict == Unknown && !contradicted {
		c.Need = earliest(r.welchNeed(*c, p), k.need(r.Alpha))
	}
}

// decideByPairs sets the verdict by the paired interval and the ranks.
func (r Rule) decideByPairs(c *Comparison, p pairs) {
	low, high := r.ratioBounds(c.Good.Mean)
	mean, ranks := claimOf(c.Ratio, low, high), noClaim
	variance := momentsOf(p.logs, 0).variance
	k, _ := r.ranksOf(*c, p)
	if signedRankTail(len(k.sorted), r.Alpha/2) > 0 {
		k.ask(r, *c)
		ranks = k.claim
		if ranks.verdict != Slower && mean.interval.High >= high {
			ranks.verdict = Unknown // few processes may be slower by much
		}
	}
	contradicted := c.agree(mean, ranks, TestPaired, TestPairs)
	if c.By == TestRank || c.By != TestPaired && k.ratio.Low > 0 && k.ratio.High/k.ratio.Low < c.Ratio.High/c.Ratio.Low {
		c.Ratio = k.ratio
	}
	c.Diff = Interval{(c.Ratio.Mean - 1) * c.Good.Mean, (c.Ratio.Low - 1) * c.Good.Mean, (c.Ratio.High - 1) * c.Good.Mean}
	if c.Verdict == Unknown && !contradicted {
		margin := min(math.Abs(math.Log(mean.interval.Mean/high)), math.Abs(math.Log(mean.interval.Mean/low)))
		c.Need = earliest(pairsFor(margin, variance, 1, r.Alpha, len(p.logs)), k.need(r.Alpha))
	}
}

// noClaim is what too few pairs say: they claim nothing and object to nothing.
var noClaim = claimOf(Interval{0, math.Inf(-1), math.Inf(1)}, 0, 0)

// agree sets the verdict that means, by their own test, and ranks come to, and reports
// whether they contradict each other, which more pairs need not settle. What is by both
// or neither is by the test that asks them.
func (c *Comparison) agree(means, ranks claim, own, asks Test) (contradicted bool) {
	switch {
	case means.verdict == ranks.verdict:
		c.Verdict, c.By = means.verdict, asks
	case ranks.verdict == Unknown && !ranks.objects(means.verdict):
		c.Verdict, c.By = means.verdict, own
	case means.verdict == Unknown && !means.objects(ranks.verdict):
		c.Verdict, c.By = ranks.verdict, TestRank
	default:
		c.Warnings = append(c.Warnings, fmt.Sprintf(
			"means say %v, pairs say %v: a few wild values carry the means, or few processes the difference",
			means.verdict, judge(ranks.interval, ranks.low, ranks.high)))
		c.By = asks
		return true
	}
	return false
}

func warnings(c Comparison, diffErr, ratioErr error) []string {
	var w []string
	if diffErr != nil {
		w = append(w, diffErr.Error())
	} else if c.Good.SD == 0 && c.Bad.SD == 0 && (c.Good.Mean != 0 || c.Bad.Mean != 0) {
		w = append(w, "values of each side are all equal: exact for counts, a clock too coarse for times")
	}
	if errors.Is(ratioErr, ErrUnpaired) {
		w = append(w, ratioErr.Error())
	}
	return w
}

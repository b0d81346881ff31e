package stats

import (
	"errors"
	"fmt"
)

// Test says what decides.
type Test int

const (
	// TestWelch decides by the difference of means. The paired interval
	// objects, and makes the verdict Unknown, when it excludes what Welch
	// claims; that happens when a few wild values carry the means.
	TestWelch Test = iota
	// TestPaired decides by the paired interval of ratios. Values that have no
	// ratio (a call that good doesn't have) are still decided by Welch.
	TestPaired
	// TestRank decides by Wilcoxon's signed ranks of the logarithms of the pairs'
	// ratios, or of their differences where a value has no ratio, such as the time
	// of a call that one side doesn't make; where speed drifts, ratios are the
	// steadier.
	//
	// It asks one thing only: that a log ratio falls as often above its center as
	// the same distance below it. Where good and bad run back to back in balanced
	// order that is so when they are equally fast, whatever the machine does to
	// both; no value, however wild, weighs more than its rank. Two prices are paid.
	// What happens in few processes only moves the mean and not the center. And n
	// pairs can't be surer than 1 in 2^n: it takes 8 for 99 %, 15 for 1 in 10000,
	// and 18 for 99.999 %.
	TestRank
	// TestAuto lets Welch and the ranks decide, each with half of Alpha: means
	// settle a large difference with a few pairs, ranks a small one that slow
	// processes and drift would hide from means for ever. Whichever is first
	// decides, and the other may object: where it claims something else, or its
	// interval excludes the claim, the verdict is Unknown. This is what hunts
	// should use.
	TestAuto
)

// Rule turns samples into a verdict. Null hypotheses: Slower and Faster reject
// that the difference is at most MinEffect; Same rejects that it is at least
// MinEffect. Each is wrong with probability at most Alpha.
//
// For ratios, MinEffect is divided by the mean of the good values: a MinEffect
// that is a share of that mean is the same share of a ratio.
type Rule struct {
	Alpha     float64 // error probability of one verdict, in (0, 1)
	MinEffect float64 // smallest difference that counts, in the unit of the values
	Test      Test
}

// Comparison is one good sample held against one bad one.
type Comparison struct {
	Good, Bad Summary
	// Diff is mean(bad)-mean(good) with Welch's interval, in the unit of the
	// values. Where ranks are asked, it is what their ratio makes of mean(good)
	// if they decided, or if nothing or both did and their interval is narrower.
	Diff Interval
	// Ratio is the geometric mean of bad/good over pairs or, where ranks are
	// asked and there are pairs enough for them, the center of these ratios with
	// its interval. NaN where a value is not above zero.
	Ratio      Interval
	Confidence float64 // of each interval, 1-Alpha; under TestAuto, that both hold
	Verdict    Verdict
	By         Test     // what decided: TestWelch, TestPaired, TestRank, or TestAuto for both or neither
	Warnings   []string // what keeps the numbers from meaning what they seem to
	// Need estimates how many pairs in all would settle an Unknown, with four
	// chances in five, if the true difference and spread are those seen. 0
	// means that it can't be told, or that pairs and means disagree.
	Need int
}

// Compare holds bad against good. Values of the same index are a pair.
func (r Rule) Compare(good, bad []float64) Comparison {
	c := Comparison{Good: Summarize(good), Bad: Summarize(bad), Confidence: 1 - r.Alpha}
	if r.Test == TestAuto {
		r.Alpha /= 2
	}
	var diffErr error
	c.Diff, diffErr = welch(good, bad, r.Alpha)
	logs, ratioErr := logRatios(good, bad)
	if c.Ratio = noRatio(); ratioErr == nil && !(r.asksRanks() && signedRankTail(len(logs), r.Alpha/2) > 0) {
		c.Ratio, ratioErr = paired(logs, r.Alpha)
	}
	c.Warnings = warnings(c, diffErr, ratioErr)
	if diffErr != nil || !(r.Alpha > 0 && r.Alpha < 1) {
		return c
	}
	p := pairs{good: good, bad: bad, logs: logs}
	if r.asksRanks() {
		r.decideWithRanks(&c, p)
	} else if settled := r.decide(&c, ratioErr == nil); !settled {
		c.Need = r.need(c, p)
	}
	return c
}

func (r Rule) asksRanks() bool { return r.Test == TestRank || r.Test == TestAuto }

// pairs are the values of both sides and, if each has one, the logarithms of
// their ratios.
type pairs struct{ good, bad, logs []float64 }

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

// ratioBounds are MinEffect on the scale of ratios.
func (r Rule) ratioBounds(good float64) (low, high float64) {
	effect := r.MinEffect / good
	return 1 - effect, 1 + effect
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

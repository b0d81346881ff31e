package stats

import (
	"errors"
	"fmt"
	"math"
)

// Verdict is what a comparison says about the bad side.
type Verdict int

const (
	Unknown Verdict = iota // the interval allows more than one of the others
	Same                   // any difference is smaller than the minimum effect
	Slower                 // bad is larger by more than the minimum effect
	Faster                 // bad is smaller by more than the minimum effect
)

func (v Verdict) String() string {
	switch v {
	case Same:
		return "same"
	case Slower:
		return "slower"
	case Faster:
		return "faster"
	default:
		return "unknown"
	}
}

// Test says which interval decides.
type Test int

const (
	// TestWelch decides by the difference of means. The paired interval
	// objects, and makes the verdict Unknown, when it excludes what Welch
	// claims; that happens when a few wild values carry the means.
	TestWelch Test = iota
	// TestPaired decides by the paired interval of ratios. Values that have no
	// ratio (a call that good doesn't have) are still decided by Welch.
	TestPaired
)

// Rule turns samples into a verdict. Null hypotheses: Slower and Faster reject
// that the difference is at most MinEffect; Same rejects that it is at least
// MinEffect. Each is wrong with probability at most Alpha.
type Rule struct {
	Alpha     float64 // error probability of one verdict, in (0, 1)
	MinEffect float64 // smallest difference that counts, in the unit of the values
	Test      Test
	// NormalFrom is the number of values on each side from which the normal
	// quantile replaces Student's in the Welch interval; 0 means never. The
	// thesis has 30.
	NormalFrom int
}

// Comparison is one good sample held against one bad one.
type Comparison struct {
	Good, Bad  Summary
	Diff       Interval // mean(bad)-mean(good), in the unit of the values
	Ratio      Interval // geometric mean of bad/good over pairs; NaN where a value is not above zero
	Confidence float64  // of both intervals, 1-Alpha
	Verdict    Verdict
	Warnings   []string // what keeps the numbers from meaning what they seem to
	// Need estimates how many pairs in all would settle an Unknown, with four
	// chances in five, if the true difference and spread are those seen. 0
	// means that it can't be told, or that pairs and means disagree.
	Need int
}

// Compare holds bad against good. Values of the same index are a pair.
func (r Rule) Compare(good, bad []float64) Comparison {
	c := Comparison{Good: Summarize(good), Bad: Summarize(bad), Confidence: 1 - r.Alpha}
	var diffErr, ratioErr error
	c.Diff, diffErr = welch(good, bad, r.Alpha, r.quantile(len(good), len(bad)))
	c.Ratio, ratioErr = pairedRatio(good, bad, r.Alpha)
	c.Warnings = warnings(c, diffErr, ratioErr)
	if diffErr != nil || !(r.Alpha > 0 && r.Alpha < 1) {
		return c
	}
	if settled := r.decide(&c, ratioErr == nil); !settled {
		c.Need = r.need(c, good, bad, ratioErr == nil)
	}
	return c
}

func (r Rule) quantile(good, bad int) func(nu, tail float64) float64 {
	if r.NormalFrom > 0 && min(good, bad) >= r.NormalFrom {
		return func(_, tail float64) float64 { return normalUpper(tail) }
	}
	return studentUpper
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
		c.Verdict = byRatio
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

// judge places an interval among the three ranges that low and high make.
func judge(i Interval, low, high float64) Verdict {
	switch {
	case i.Low > high:
		return Slower
	case i.High < low:
		return Faster
	case low < i.Low && i.High < high:
		return Same
	default:
		return Unknown
	}
}

// excludes reports whether no value of the interval agrees with v. An interval
// that is merely too wide to agree doesn't object.
func excludes(i Interval, low, high float64, v Verdict) bool {
	switch v {
	case Slower:
		return i.High <= high
	case Faster:
		return i.Low >= low
	case Same:
		return i.Low >= high || i.High <= low
	default:
		return false
	}
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

// need estimates the pairs that would settle c. Half-width plus the quantile
// of a one in five chance must fit between the estimate and the nearest bound.
func (r Rule) need(c Comparison, good, bad []float64, paired bool) int {
	if len(good) < 2 || len(bad) < 2 {
		return 0
	}
	if r.Test == TestPaired && paired {
		logs, _ := logRatios(good, bad)
		m := momentsOf(logs, 0)
		low, high := r.ratioBounds(c.Good.Mean)
		margin := math.Min(math.Abs(m.mean()-math.Log(high)), math.Abs(m.mean()-math.Log(low)))
		return pairsFor(margin, m.variance, 1, r.Alpha, m.n)
	}
	margin := math.Abs(math.Abs(c.Diff.Mean) - r.MinEffect)
	scale := math.Max(math.Max(c.Good.SD, c.Bad.SD), margin)
	if scale == 0 || math.IsInf(scale, 1) {
		return 0
	}
	g, b := c.Good.SD/scale, c.Bad.SD/scale
	return pairsFor(margin/scale, g*g+b*b, 2, r.Alpha, min(len(good), len(bad)))
}

// maxNeed is where an estimate stops being advice.
const maxNeed = 1 << 20

// pairsFor returns the least number of pairs above have for which an estimate
// with this variance per pair, made from sides samples, stays within margin.
func pairsFor(margin, variance float64, sides int, alpha float64, have int) int {
	fits := func(n int) bool {
		nu := float64(sides * (n - 1))
		q := studentUpper(nu, alpha/2) + studentUpper(nu, 0.2)
		return q*math.Sqrt(variance/float64(n)) < margin
	}
	high := have + 1
	for !fits(high) {
		if high *= 2; high > maxNeed {
			return 0
		}
	}
	low := have
	for high-low > 1 {
		if mid := (low + high) / 2; fits(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

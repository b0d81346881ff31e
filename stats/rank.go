package stats

import (
	"math"
	"slices"
)

// RankRatio returns the Hodges-Lehmann estimate of bad/good over pairs of the
// same index, with the interval that Wilcoxon's signed-rank test of the log
// ratios gives, at a confidence in (0, 1).
//
// It asks one thing only: that a log ratio falls as often above its center as
// the same distance below it. Where good and bad run back to back in balanced
// order that is so when they are equally fast, whatever the machine does to
// both; no value, however wild, weighs more than its rank. Two prices are paid.
// What happens in few processes only moves the mean and not the center. And n
// pairs can't be surer than 1 in 2^n: with fewer than a confidence takes, 8
// for 99 % and 18 for 99.999 %, the interval is (0, +Inf).
func RankRatio(good, bad []float64, confidence float64) (Interval, error) {
	alpha, err := alphaOf(confidence)
	if err != nil {
		return noRatio(), err
	}
	logs, err := logRatios(good, bad)
	if err != nil {
		return noRatio(), err
	}
	if len(logs) < 2 {
		return tooFewRatios(logs), ErrTooFew
	}
	return exp(sortedInterval(logs, alpha)), nil
}

// RankDifference is [RankRatio] for the differences bad-good, in the unit of
// the values: for values that have no ratio, such as the time of a call that
// one side doesn't make. Where speed drifts, ratios are the steadier.
func RankDifference(good, bad []float64, confidence float64) (Interval, error) {
	unknown := Interval{math.NaN(), math.Inf(-1), math.Inf(1)}
	alpha, err := alphaOf(confidence)
	if err != nil {
		return unknown, err
	}
	if len(good) != len(bad) {
		return unknown, unpaired(good, bad)
	}
	if !finite(good) || !finite(bad) {
		return unknown, ErrNotFinite
	}
	diffs, e := differences(good, bad)
	if len(diffs) < 2 {
		if len(diffs) == 1 {
			unknown.Mean = math.Ldexp(diffs[0], e)
		}
		return unknown, ErrTooFew
	}
	return ldexp(sortedInterval(diffs, alpha), e), nil
}

// sortedInterval is the signed-rank interval of xs, which it sorts.
func sortedInterval(xs []float64, alpha float64) Interval {
	slices.Sort(xs)
	return walsh(xs).interval(alpha)
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

func exp(i Interval) Interval {
	return Interval{math.Exp(i.Mean), math.Exp(i.Low), math.Exp(i.High)}
}

func ldexp(i Interval, e int) Interval {
	return Interval{math.Ldexp(i.Mean, e), math.Ldexp(i.Low, e), math.Ldexp(i.High, e)}
}

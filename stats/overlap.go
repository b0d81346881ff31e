package stats

import "math"

// Overlap holds the intervals of both means against each other, as figures with
// error bars are read (thesis, 2.3.4): Slower or Faster when they don't overlap
// at this confidence in (0, 1), else Unknown.
//
// It is right for looking at a figure. Intervals may overlap although the means
// differ at the same confidence: two intervals of 95 % that just touch are a
// difference at 99.4 % where the sides vary alike. So it misses more than
// [Welch], and is fooled by the same things.
func Overlap(good, bad []float64, confidence float64) (g, b Interval, v Verdict, err error) {
	unknown := Interval{math.NaN(), math.Inf(-1), math.Inf(1)}
	alpha, err := alphaOf(confidence)
	if err != nil {
		return unknown, unknown, Unknown, err
	}
	g, err = meanInterval(good, alpha, 0)
	if err != nil {
		return g, unknown, Unknown, err
	}
	if b, err = meanInterval(bad, alpha, 0); err != nil {
		return g, b, Unknown, err
	}
	if v = judge(b, g.Low, g.High); v == Same {
		v = Unknown // one inside the other is no proof of anything
	}
	return g, b, v, nil
}

package stats

import (
	"math"
	"testing"
)

func TestSummaryIntervalAgainstR(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		series     []float64
		confidence float64
		want       Interval
	}{
		// R 4.2.2: t.test(good)$conf.int; t.test(bad)$conf.int
		{steadyGood, .95, Interval{100.533333333333, 99.355968188503, 101.710698478164}},
		{steadyBad, .95, Interval{103.983333333333, 102.804565913632, 105.162100753034}},
		{[]float64{3, 3}, .99, Interval{3, 3, 3}},
		{[]float64{7}, .95, Interval{7, -inf, inf}},
	} {
		got := Summarize(test.series).Interval(test.confidence)
		if got != test.want && !sameInterval(got, test.want, 1e-13) {
			t.Errorf("%v at %v: %+v, want %+v", test.series, test.confidence, got, test.want)
		}
	}
}

package compare

import (
	"math"

	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Delta is a comparison for the report.
func (s *Sampler) Delta(c stats.Comparison) *report.Delta {
	d := &report.Delta{
		Good: c.Good.Mean, Bad: c.Bad.Mean,
		Diff:       Interval(c.Diff),
		Confidence: c.Confidence,
		Unit:       s.Quantity.Unit,
		Pairs:      c.Good.N,
		Exact:      s.Quantity.Counts() && c.Good.N >= ExactPairs && c.Good.SD == 0 && c.Bad.SD == 0 && c.Verdict != stats.Unknown,
	}
	if r := c.Ratio; !math.IsNaN(r.Mean) && !math.IsInf(r.High, 0) && !math.IsNaN(r.High) {
		d.Ratio = &report.Interval{Mean: r.Mean, Low: r.Low, High: r.High}
	}
	return d
}

// Scaled is a difference with both of its sides, so many times as large: what was measured at
// another time, at the scale of what it is told beside. The ratio stays.
func Scaled(d report.Delta, times float64) *report.Delta {
	d.Good, d.Bad = d.Good*times, d.Bad*times
	d.Diff = report.Interval{Mean: d.Diff.Mean * times, Low: d.Diff.Low * times, High: d.Diff.High * times}
	return &d
}

// Interval is one for the report.
func Interval(i stats.Interval) report.Interval {
	return report.Interval{Mean: i.Mean, Low: finite(i.Low), High: finite(i.High)}
}

// finite keeps an unbounded interval representable in JSON.
func finite(x float64) float64 {
	return max(-math.MaxFloat64, min(math.MaxFloat64, x))
}

// Number keeps what can't be told, such as a share of no difference, out of the
// JSON, which has no word for it.
func Number(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

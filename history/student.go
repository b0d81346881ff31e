package history

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pinpoint-go/pinpoint/stats"
)

// studentQuantile is that of Student's distribution with df degrees of freedom.
func studentQuantile(p, df float64) float64 {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(p)
}

// Interval is the mean of summarized values with Student's interval, unbounded for
// a single value.
func Interval(s stats.Summary, confidence float64) stats.Interval {
	if s.N < 2 {
		return stats.Interval{Mean: s.Mean, Low: math.Inf(-1), High: math.Inf(1)}
	}
	half := studentQuantile(1-(1-confidence)/2, float64(s.N-1)) * s.SD / math.Sqrt(float64(s.N))
	return stats.Interval{Mean: s.Mean, Low: s.Mean - half, High: s.Mean + half}
}

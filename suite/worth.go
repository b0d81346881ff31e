package suite

import (
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Where there is no time for all looks that may be needed, a benchmark's next look is worth
// what it is expected to decide: the chance that the pairs up to one of the looks to come,
// for which there is time, decide it, per second that they take, at the best of these looks.
// A wrong guess costs time. It makes no verdict wrong, as each look is judged by itself.

// scarce reports whether what is left may not be enough for the benchmarks' looks in so many
// places.
func scarce(todo []*bench, left time.Duration, places int) bool {
	var needed time.Duration
	for _, b := range todo {
		needed += b.cost(looks[len(looks)-1])
	}
	return needed > left*time.Duration(places)
}

// worth is what a benchmark's next look is worth in decisions per second, 0 where nothing is
// known of it. Below and above are the error levels at which a look clears or accuses.
func (b *bench) worth(left time.Duration, limit, below, above float64) (most float64) {
	n := len(b.samples.good)
	mean, bound := math.Log(b.said.ratio.Mean), math.Log(1+limit)
	half := math.Log(b.said.ratio.High) - mean
	nu := float64(max(1, b.said.layouts-1))
	se := half / quantile(nu, below/tests)
	if n == 0 || !known(b.said.ratio) || !(se > 0) {
		return 0
	}
	for _, more := range looks {
		cost := b.cost(more)
		if more <= n || cost > left {
			continue
		}
		nu := float64(max(1, ordersFor(more)-1))
		then := se * math.Sqrt(float64(n)/float64(more))
		// The mean of more pairs lies about that of these, by what the others may say.
		scatter := se * math.Sqrt(1-float64(n)/float64(more))
		clears := normal((bound - quantile(nu, below/tests)*then - mean) / scatter)
		accuses := normal((mean - bound - quantile(nu, above/tests)*then) / scatter)
		most = max(most, (clears+accuses)/max(cost.Seconds(), 1e-3))
	}
	return most
}

// quantile is Student's, which is exceeded with a chance of tail.
func quantile(nu, tail float64) float64 { return stats.Student(0, 1, nu, 1-2*tail).High }

// normal is the chance that a standard normal variable is below x.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

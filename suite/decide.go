package suite

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// looks are the numbers of pairs after which a benchmark may be decided.
var looks = stats.Looks(6, 192)

// samples are what pairs of processes contributed, by index of the pair, in ns
// per operation: of the steady batches and of all of them.
type samples struct {
	good, bad         []float64
	goodMean, badMean []float64
	goodFirst         []bool
	looks             []int // numbers of pairs at which they were looked at
}

// first is the part of the samples that a look saw.
func (s samples) first(n int) samples {
	return samples{good: s.good[:n], bad: s.bad[:n], goodMean: s.goodMean[:n], badMean: s.badMean[:n]}
}

// tests are the tests that share a benchmark's error.
const tests = 3

// reading is what the tests say of a benchmark at one error level.
type reading struct {
	above bool // slower by more than the limit
	clear bool // not slower by more than the limit
	// interval of the ratio: of the test that decided or, if none did, of the
	// narrower of those of the steady batches
	ratio      stats.Comparison
	confidence float64
}

// read holds the samples against a limit, with at most level as the chance that
// it says above, or clear, and is wrong.
func read(s samples, limit, level float64) reading {
	// An interval of confidence 1-2x has an error of x on the side that is asked.
	ask := func(test stats.Test, good, bad []float64) stats.Comparison {
		return stats.Rule{Alpha: 2 * level / tests, Test: test, MinEffect: limit * stats.Summarize(good).Mean}.Compare(good, bad)
	}
	steady := []stats.Comparison{ask(stats.TestPaired, s.good, s.bad), ask(stats.TestRank, s.good, s.bad)}
	r := reading{ratio: steady[0], confidence: 1 - 2*level}
	for _, c := range steady {
		if known(c) && (!known(r.ratio) || width(c) < width(r.ratio)) {
			r.ratio = c
		}
	}
	for _, c := range append(steady, ask(stats.TestPaired, s.goodMean, s.badMean)) {
		if known(c) && c.Ratio.Low > 1+limit {
			r.above, r.ratio = true, c
			return r
		}
	}
	r.clear = known(r.ratio) && r.ratio.Ratio.High < 1+limit
	return r
}

func known(c stats.Comparison) bool {
	return !math.IsNaN(c.Ratio.Mean) && !math.IsInf(c.Ratio.High, 1)
}

func width(c stats.Comparison) float64 { return math.Log(c.Ratio.High / c.Ratio.Low) }

// The error levels between which p-values are looked for.
const (
	leastP = 1e-15
	mostP  = 0.5
)

// pvalue is the smallest error level at which the samples of one look are above
// the limit, multiplied by the number of looks. Whenever sampling stops, the
// smallest over the looks so far is a p-value of the benchmark: no regression
// makes one below x more often than with chance x.
func pvalue(s samples, limit float64) float64 {
	above := func(level float64) bool { return read(s, limit, level).above }
	if !above(mostP) {
		return 1
	}
	low, high := math.Log(leastP), math.Log(mostP)
	for range 40 {
		if middle := (low + high) / 2; above(math.Exp(middle)) {
			high = middle
		} else {
			low = middle
		}
	}
	return min(1, math.Exp(high)*float64(len(looks)))
}

// discoveries is how many of the p-values Benjamini and Hochberg's procedure
// rejects at a false discovery rate of q: those that are at most q times the
// result divided by their number.
func discoveries(ps []float64, q float64) int {
	sorted := slices.Sorted(slices.Values(ps))
	for r := len(sorted); r > 0; r-- {
		if sorted[r-1] <= threshold(r, len(ps), q) {
			return r
		}
	}
	return 0
}

// threshold is the error level of each of r discoveries among m benchmarks.
func threshold(r, m int, q float64) float64 { return q * float64(r) / float64(m) }

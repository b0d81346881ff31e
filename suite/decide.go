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
	layouts           []int    // orders of functions, counted from 1; 0 is the one that the linker has by itself
	machines          []string // kinds of machines that pairs ran on, see harness.Round
	looks             []int    // numbers of pairs at which they were looked at
}

// first is the part of the samples that a look saw.
func (s samples) first(n int) samples {
	return samples{good: s.good[:n], bad: s.bad[:n], goodMean: s.goodMean[:n], badMean: s.badMean[:n], layouts: s.layouts[:n], machines: s.machines[:min(n, len(s.machines))]}
}

// tests are the tests that share a benchmark's error.
const tests = 2

// reading is what the tests say of a benchmark at one error level.
type reading struct {
	above      bool           // slower by more than the limit
	clear      bool           // not slower by more than the limit
	ratio      stats.Interval // of the test that decided or, if none did, of the steady batches
	layouts    int
	good, bad  float64 // means
	confidence float64
}

// read holds the samples against a limit, with at most level as the chance that
// it says above, or clear, and is wrong. What it says is of a link order that was not
// seen yet. Of several kinds of machines, it is above where one of them is by itself.
func read(s samples, limit, level float64) reading {
	classes := s.classes()
	if classes == nil {
		return readAlike(s, limit, level)
	}
	level /= float64(1 + len(classes))
	all := readAlike(s, limit, level)
	for _, class := range classes {
		if r := readAlike(s.on(class), limit, level); r.above && !all.above {
			return r
		}
	}
	return all
}

// readAlike is the same of samples as if they were of one kind of machines.
func readAlike(s samples, limit, level float64) reading {
	// An interval of confidence 1-2x has an error of x on the side that is asked.
	ask := func(good, bad []float64) reading {
		r := reading{ratio: stats.Interval{Mean: math.NaN(), High: math.Inf(1)}, good: mean(good), bad: mean(bad), confidence: 1 - 2*level}
		groups, err := stats.ByLayout(good, bad, s.layouts)
		if err != nil {
			return r
		}
		if over, err := stats.CompareOver(groups, 2*level/tests, limit, stats.UsualLayouts); err == nil {
			r.ratio, r.layouts = over.Ratio, over.Layouts
		}
		return r
	}
	steady, all := ask(s.good, s.bad), ask(s.goodMean, s.badMean)
	for _, r := range []reading{steady, all} {
		if known(r.ratio) && r.ratio.Low > 1+limit {
			r.above = true
			return r
		}
	}
	steady.clear = known(steady.ratio) && steady.ratio.High < 1+limit
	return steady
}

func known(ratio stats.Interval) bool {
	return !math.IsNaN(ratio.Mean) && !math.IsInf(ratio.High, 1)
}

func mean(values []float64) float64 { return stats.Summarize(values).Mean }

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

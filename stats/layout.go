package stats

import (
	"errors"
	"fmt"
	"math"
)

// Levels is what pairs say that were measured under several link layouts: a
// binary's functions lie somewhere, and where they lie makes it faster or slower
// by some percent without a change to any of them. Pairs of one layout, however
// many, repeat that accident; only another layout is another sample of it.
type Levels struct {
	// Ratio is the mean of bad/good over layouts, geometric, with an interval
	// for a layout not seen yet: Student's over the means of the layouts, or that
	// over pairs if it is wider. With one layout it is (0, +Inf).
	Ratio Interval
	// These is the interval for just these layouts, over pairs within them.
	These   Interval
	Groups  int
	Between float64 // standard deviation of a layout's true log ratio, as estimated; 0 if pairs explain all of it
	Within  float64 // standard deviation of a pair's log ratio in its layout
	Means   float64 // standard deviation of the layouts' mean log ratios, of which both have a part
}

// ErrGroup says that pairs and their layouts don't match up.
var ErrGroup = errors.New("every pair needs a group")

// Grouped returns the ratio of pairs of the same index whose layouts, or whatever
// else is shared by several pairs, are numbered by group (Kalibera and Jones,
// "Rigorous benchmarking in reasonable time", ISMM 2013). Each group counts the
// same, whatever the number of its pairs; with very unequal numbers the interval
// is a little too narrow.
//
// Two groups give an interval 22 times as wide as five do at 99 %: replicate
// there.
func Grouped(good, bad []float64, group []int, confidence float64) (Levels, error) {
	unknown := Levels{Ratio: noRatio(), These: noRatio()}
	alpha, err := alphaOf(confidence)
	if err != nil {
		return unknown, err
	}
	logs, err := logRatios(good, bad)
	if err != nil {
		return unknown, err
	}
	if len(group) != len(logs) {
		return unknown, fmt.Errorf("%w: %d pairs and %d groups", ErrGroup, len(logs), len(group))
	}
	byGroup := make(map[int][]float64)
	var order []int // of groups, so that sums do not depend on the map's
	for i, g := range group {
		if byGroup[g] == nil {
			order = append(order, g)
		}
		byGroup[g] = append(byGroup[g], logs[i])
	}
	if len(logs)-len(order) < 1 {
		return unknown, ErrTooFew
	}
	return levelsOf(order, byGroup, len(logs), alpha), nil
}

func levelsOf(order []int, byGroup map[int][]float64, pairs int, alpha float64) Levels {
	var means []float64
	var squares, shares float64 // shares of the error of a mean over groups: the sum of 1/n
	for _, g := range order {
		m := momentsOf(byGroup[g], 0)
		means = append(means, m.mean())
		squares += m.variance * float64(max(0, m.n-1))
		shares += 1 / float64(m.n)
	}
	groups := float64(len(means))
	free := float64(pairs - len(means))
	within := squares / free
	over := momentsOf(means, 0)
	l := Levels{Groups: len(means), Within: math.Sqrt(within)}
	halfThese := math.Sqrt(within*shares) / groups * studentUpper(free, alpha/2)
	half := math.Inf(1)
	if over.n > 1 {
		l.Means = math.Sqrt(over.variance)
		l.Between = math.Sqrt(max(0, over.variance-within*shares/groups))
		half = max(halfThese, math.Sqrt(over.variance/groups)*studentUpper(groups-1, alpha/2))
	}
	center := over.mean()
	l.Ratio = exp(Interval{center, center - half, center + half})
	l.These = exp(Interval{center, center - halfThese, center + halfThese})
	return l
}

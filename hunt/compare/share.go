package compare

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// share is the part of the whole difference that is gone in triples, over the link
// layouts that number them, at an error level.
func (w *Whole) share(good, back, bad []float64, layouts []int, alpha float64) stats.Interval {
	if w.Sampler.Quantity.Counts() {
		return w.countedShare(good, back, bad, alpha)
	}
	share, err := stats.ShareOver(good, back, bad, layouts, alpha, w.Layouts)
	if err != nil {
		return unknownShare
	}
	return share
}

// countedShare is the same of counts, which have no layout and no speed, and may be
// nothing at all in good. Those of which all processes agree are exact.
func (w *Whole) countedShare(good, back, bad []float64, alpha float64) stats.Interval {
	whole := Mean(bad) - Mean(good)
	if whole == 0 || len(bad) == 0 {
		return unknownShare
	}
	mean := (Mean(bad) - Mean(back)) / whole
	if alike(good) && alike(back) && alike(bad) {
		return stats.Interval{Mean: mean, Low: mean, High: mean}
	}
	gone, err := stats.Welch(back, bad, 1-alpha)
	if err != nil {
		return unknownShare
	}
	return stats.Interval{Mean: mean, Low: gone.Low / whole, High: gone.High / whole}
}

func alike(xs []float64) bool { return slices.Min(xs) == slices.Max(xs) }

var unknownShare = stats.Interval{Mean: math.NaN(), Low: math.Inf(-1), High: math.Inf(1)}

// In so many link orders a trial is measured at most; less where it only shows the way.
const (
	mostOrders       = 32
	navigationOrders = 4
)

// wantsOrders says that a trial's share is open for what link layouts make of it, and not
// for want of rounds: those of each layout agree better than the layouts do.
func (w *Whole) wantsOrders(t *Trial, most int, limit, alpha float64) bool {
	if w.Sampler.Quantity.Counts() || t.Orders >= most || t.decided(limit) {
		return false
	}
	good, back, bad := w.Triples(t)
	// As if layouts made nothing: then the rounds that there are would decide it.
	certain := stats.Prior{SD: 1e-9, Freedom: 1e9}
	if len(t.rounds) < firstRounds {
		return false
	}
	alone, err := stats.ShareOver(good, back, bad, nil, alpha, certain)
	return err == nil && (alone.Low > limit || alone.High < limit)
}

// firstRounds are those of the first look.
const firstRounds = 6

package compare

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// share is the part of the whole difference that is gone in readings, over the link
// layouts that number them, at an error level.
func (w *Whole) share(r Readings, layouts []int, alpha float64) stats.Interval {
	if w.Sampler.Quantity.Counts() {
		return countedShare(r, alpha)
	}
	share, err := stats.ShareOver(r.Good, r.Back, r.Base, r.Bad, layouts, alpha, w.Layouts)
	if err != nil {
		return unknownShare
	}
	return share
}

// countedShare is the same of counts, which have no layout and no speed, and may be
// nothing at all in good. Those of which all processes agree are exact.
func countedShare(r Readings, alpha float64) stats.Interval {
	whole := Mean(r.Bad) - Mean(r.Good)
	if whole == 0 || len(r.Bad) == 0 {
		return unknownShare
	}
	mean := (Mean(r.under()) - Mean(r.Back)) / whole
	if alike(r.Good) && alike(r.Back) && alike(r.under()) && alike(r.Bad) {
		return stats.Interval{Mean: mean, Low: mean, High: mean}
	}
	gone, err := stats.Welch(r.Back, r.under(), 1-alpha)
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
	r := w.Readings(t)
	// As if layouts made nothing: then the rounds that there are would decide it.
	certain := stats.Prior{SD: 1e-9, Freedom: 1e9}
	if len(t.rounds) < stats.FirstPairs {
		return false // a few rounds cost less than a link
	}
	alone, err := stats.ShareOver(r.Good, r.Back, r.Base, r.Bad, nil, alpha, certain)
	return err == nil && (alone.Low > limit || alone.High < limit)
}

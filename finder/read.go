package finder

import (
	"cmp"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// read judges the parts of one reading and returns the guilty ones that are
// worth following, largest share first. Own code is a part like the others.
func (h *hunt) read(l *level, on Region, parts []Region, reading Reading) []Part {
	believe := h.Verdict == stats.Slower && notAcquitted(reading.Whole)
	if reading.Whole.Verdict == stats.Slower {
		l.diff = reading.Whole.Diff.Mean
	}
	var all, guilty []Part
	for i, c := range reading.Parts {
		all = append(all, h.part(l, parts[i], false, c))
	}
	if reading.Own != nil && len(l.Calls) > 0 {
		all = append(all, h.part(l, l.all(), true, *reading.Own))
	}
	h.trace(Event{Kind: Measured, Layer: l.Layer, On: on, Parts: parts, Reading: reading, Shares: sharesOf(all)})
	for _, p := range all {
		switch {
		case p.Delta.Verdict == stats.Unknown && l.shareOf(p.Delta.Diff.High) >= h.minShare():
			h.Undecided = append(h.Undecided, p)
		case p.Delta.Verdict != stats.Slower:
		case !believe:
			l.conflict = true
			h.Conflicts = append(h.Conflicts, p)
			h.trace(Event{Kind: Conflict, Part: p})
		case p.Share < h.minShare():
			h.Minor = append(h.Minor, p)
		default:
			guilty = append(guilty, p)
		}
	}
	largestFirst(guilty)
	return guilty
}

// notAcquitted tells a whole that may be guilty from one that was found not to
// be. Unknown is enough after the first comparison: the whole was guilty then,
// and a part is easier to decide than all the noise around it.
func notAcquitted(whole stats.Comparison) bool {
	return whole.Verdict == stats.Slower || whole.Verdict == stats.Unknown
}

func (h *hunt) part(l *level, r Region, own bool, c stats.Comparison) Part {
	return Part{Layer: l.Layer, Region: r, Own: own, Delta: c, Share: l.shareOf(c.Diff.Mean)}
}

// shareOf turns a difference inside the layer into a share of the whole one.
func (l *level) shareOf(diff float64) float64 {
	if !(l.diff > 0) {
		return math.NaN()
	}
	return l.share * diff / l.diff
}

func largestFirst(ps []Part) {
	slices.SortStableFunc(ps, func(a, b Part) int { return cmp.Compare(b.Share, a.Share) })
}

func sharesOf(ps []Part) []float64 {
	var shares []float64
	for _, p := range ps {
		shares = append(shares, p.Share)
	}
	return shares
}

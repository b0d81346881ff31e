package measure

import (
	"cmp"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Outliers leaves out the slowest batches of a process where that makes the rest
// much steadier, and takes others in their place, as ScalaMeter's
// OutlierElimination does. Fast ones are never left out: what disturbs a batch
// only makes it slower.
type Outliers struct {
	Suspect float64 // share of the batches that may be left out; 0: 0.25
	Factor  float64 // by how much the CoV must fall; 0: 2
	Retries int     // how often others are taken in their place; 0: 8
}

func (o Outliers) defaults() Outliers {
	return Outliers{cmp.Or(o.Suspect, 0.25), cmp.Or(o.Factor, 2), cmp.Or(o.Retries, 8)}
}

// spare is how many batches run beyond the wanted ones.
func (o Outliers) spare(wanted int) int { return (wanted + 1) / 2 }

// eliminate replaces outliers from the reserve until there are none, or nothing
// is left to take. Of all series that it sees it keeps the one with the least
// variation.
func (o Outliers) eliminate(s *series) {
	o = o.defaults()
	best, left := slices.Clone(s.kept), 0
	current := slices.Clone(s.kept)
	for range o.Retries {
		n := o.suffix(current)
		if n == 0 || len(s.reserve) == 0 {
			break
		}
		slices.SortStableFunc(current, byTime)
		take := min(n, len(s.reserve))
		current = append(current[:len(current)-n], s.reserve[:take]...)
		s.reserve = s.reserve[take:]
		left += n
		if CoV(current) < CoV(best) {
			best = slices.Clone(current)
		}
	}
	s.kept = best
	if left > 0 {
		s.note("outliers were left out")
	}
}

// suffix is how many of the slowest batches to leave out: the fewest whose
// absence divides the CoV by the factor.
func (o Outliers) suffix(batches []harness.Batch) int {
	sorted := slices.SortedStableFunc(slices.Values(batches), byTime)
	all := CoV(sorted)
	for n := 1; n <= int(o.Suspect*float64(len(sorted))) && len(sorted)-n >= 2; n++ {
		if CoV(sorted[:len(sorted)-n])*o.Factor < all {
			return n
		}
	}
	return 0
}

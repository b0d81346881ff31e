package measure

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// Timing says how running time is measured: how the batches of a process are
// chosen and what one value is made of them. The zero value keeps all batches
// but the warm-up and takes their mean.
//
// Steps follow each other in the order of the fields.
type Timing struct {
	// Warm finds where the steady state begins.
	Warm Warmer
	// IgnoreGC leaves out batches that any part of a garbage collection fell into.
	// Twice as many batches run as are wanted; where more had a collection than
	// are wanted it stops ignoring them, as ScalaMeter does, and the rest counts
	// whatever it had.
	IgnoreGC bool
	// Frequency bounds the iterations of a batch, before each of which garbage is then
	// collected, not only before the first. The benchmark function is called anew for
	// every batch, so its set-up is made again after so many operations. 0 is no bound.
	Frequency int64
	// Outliers leaves out the slowest batches; nil leaves in all.
	Outliers *Outliers
	// Aggregate makes one value of the batches; the zero value is their mean.
	Aggregate Aggregator
}

// gauges are what the build needs.
func (t Timing) gauges() []instrument.Gauge {
	var g []instrument.Gauge
	if t.IgnoreGC {
		g = append(g, instrument.GaugeCollections)
	}
	if t.Frequency > 0 {
		g = append(g, instrument.CollectBefore)
	}
	return g
}

// order is what a process is asked for, where n iterations and batches are
// wanted.
func (t Timing) order(n int64, batches int) harness.Order {
	o := harness.Order{N: n, Batches: t.Warm.batches(batches)}
	if t.Frequency > 0 {
		o.N = min(n, t.Frequency)
	}
	if t.IgnoreGC {
		o.Batches += batches + 1
		o.On = [][]int{{instrument.CollectionsEnded, instrument.CollectionsTouched}}
	}
	if t.Outliers != nil {
		o.Batches += t.Outliers.spare(batches)
	}
	return o
}

// choose takes the batches of a process through the steps up to aggregation.
func (t Timing) choose(batches []harness.Batch, wanted int) series {
	s := t.Warm.settle(batches, wanted)
	if t.IgnoreGC {
		s.ignoreGC(wanted)
	}
	if len(s.kept) > wanted {
		s.kept, s.reserve = s.kept[:wanted:wanted], s.kept[wanted:]
	}
	if t.Outliers != nil {
		t.Outliers.eliminate(&s)
	}
	return s
}

// value is what a process contributes, in nanoseconds per operation.
func (t Timing) value(s series) float64 { return t.Aggregate.of(s.kept) }

// ignoreGC drops batches that a collection touched, in order, until as many were
// dropped as are wanted.
func (s *series) ignoreGC(wanted int) {
	dropped := 0
	s.kept = slices.DeleteFunc(s.kept, func(b harness.Batch) bool {
		if dropped >= wanted || !collected(b) {
			return false
		}
		dropped++
		return true
	})
	if dropped >= wanted && slices.ContainsFunc(s.kept, collected) {
		s.note("more batches had a collection than are wanted: they are no longer ignored")
	}
}

func collected(b harness.Batch) bool {
	return len(b.Parts) > instrument.CollectionsTouched && b.Parts[instrument.CollectionsTouched].Calls > 0
}

package harness

import (
	"slices"
	"sort"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// Sample is what one process contributes, per operation.
type Sample struct {
	Whole      float64 // ns per operation, as measured: the probes' own cost is in it
	Parts      []PerOp // by probe ID
	Subtracted float64 // ns per operation taken off the parts, for what the probes cost
	Overhead   float64 // ns per operation that the probes added to Whole, by the clock's costs; not taken off
	Batches    int     // that went into it
}

// PerOp is one probe's part of a [Sample].
type PerOp struct {
	Calls float64 // per operation
	NS    float64 // per operation, corrected, never below 0
}

// Nest says that all activations of the probes Inner lie within those of the
// probe Outer, so that Outer measured what they cost.
type Nest struct {
	Outer int
	Inner []int
}

// fastShare is the share of the batches, one in so many, that a sample is made of.
const fastShare = 8

// Sample sums the fastest eighth of the batches, by ns per operation of the
// whole.
//
// Of three batches and more the first tenth is left out: it warms up. Of what
// stays, the fastest eighth, rounded up, is taken for the whole and for the parts
// alike, so the parts are of the same operations as the whole and add up to it
// with what lies outside them. A disturbance only ever makes a batch slower. On
// a busy machine most batches have one, however short they are, and half of the
// processes have a mean that is off by more than a fifth; of the short ones some
// fall between the disturbances, which is why the fast few are the steady ones.
//
// What it can't see:
//
//   - a cost that occurs in fewer than one batch of eight: above all most of
//     the collector's, whose cycles are longer than a batch. An operation that
//     allocates more is seen slower for its allocations, not for the collections
//     that they bring on; of two allocating sides it tends to overstate the
//     ratio. Also a table that doubles, a flush now and then, one of a few
//     hundred inputs.
//   - what the operations behind the iterations of a batch (b.N) would do.
//     [Calibrate] makes batches long where it can tell that they differ.
//   - a machine that is slow for as long as the process runs. That is what
//     pairs are for.
//
// Use [Process.Mean] for what is claimed of those.
//
// From each part is taken off what its own probe measures of itself, and, where
// nests say so, what the probes within it cost; it never gets negative.
func (p Process) Sample(nests ...Nest) Sample {
	kept := p.warm()
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].perOp() < kept[j].perOp() })
	return p.sum(kept[:(len(kept)+fastShare-1)/fastShare], nests)
}

// Mean sums all batches but the warm-up: nothing is hidden, and every
// disturbance is in it. Otherwise it is as [Process.Sample].
func (p Process) Mean(nests ...Nest) Sample { return p.sum(p.warm(), nests) }

// By is the process with another quantity in the place of time: what a sample of
// it says of the whole is in that quantity's unit, and the batches with least of
// it count as the fastest.
func (p Process) By(quantity func(Batch) float64) Process {
	p.Batches = slices.Clone(p.Batches)
	for i, b := range p.Batches {
		p.Batches[i].NS = quantity(b)
	}
	return p
}

// warm is a copy of the batches without the warm-up.
func (p Process) warm() []Batch {
	cold := 0
	if n := len(p.Batches); n >= minBatches {
		cold = (n + 9) / 10
	}
	return append([]Batch(nil), p.Batches[cold:]...)
}

func (b Batch) perOp() float64 { return b.NS / float64(b.N) }

// sum is the sample of these batches; of none it is zero.
func (p Process) sum(batches []Batch, nests []Nest) Sample {
	s := Sample{Batches: len(batches)}
	var n float64
	for _, b := range batches {
		n += float64(b.N)
		s.Whole += b.NS
		for id, part := range b.Parts {
			if id == len(s.Parts) {
				s.Parts = append(s.Parts, PerOp{})
			}
			s.Parts[id].Calls += float64(part.Calls)
			s.Parts[id].NS += part.NS
		}
	}
	if n == 0 {
		return s
	}
	s.Whole /= n
	for id := range s.Parts {
		s.Parts[id].Calls /= n
		s.Parts[id].NS /= n
	}
	s.correct(p.Clock, nests)
	return s
}

// correct takes the cost of the probes off the parts.
func (s *Sample) correct(clock instrument.Clock, nests []Nest) {
	both := clock.PairCost + clock.OutsideCost
	cost := make([]float64, len(s.Parts))
	for id, part := range s.Parts {
		cost[id] = part.Calls * clock.PairCost
		s.Overhead += part.Calls * both
	}
	for _, nest := range nests {
		for _, id := range nest.Inner {
			cost[nest.Outer] += s.Parts[id].Calls * both
		}
	}
	for id := range s.Parts {
		ns := max(s.Parts[id].NS, 0)
		off := min(cost[id], ns)
		s.Parts[id].NS = ns - off
		s.Subtracted += off
	}
}

package harness

import (
	"slices"
	"sort"
)

// Sample is what one process contributes, per operation. What the probes cost is in it.
type Sample struct {
	Whole   float64 // ns per operation
	Parts   []PerOp // by probe ID
	Batches int     // that went into it
}

// PerOp is one probe's part of a [Sample].
type PerOp struct {
	Calls float64 // per operation
	NS    float64 // per operation
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
func (p Process) Sample() Sample {
	kept := p.warm()
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].perOp() < kept[j].perOp() })
	return sum(kept[:(len(kept)+fastShare-1)/fastShare])
}

// Mean sums all batches but the warm-up: nothing is hidden, and every
// disturbance is in it. Otherwise it is as [Process.Sample].
func (p Process) Mean() Sample { return sum(p.warm()) }

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

// Under is the process as far as one of the masks was in force, see [Order.On].
func (p Process) Under(mask int) Process {
	p.Batches = slices.DeleteFunc(slices.Clone(p.Batches), func(b Batch) bool { return b.Mask != mask })
	return p
}

// sum is the sample of these batches; of none it is zero.
func sum(batches []Batch) Sample {
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
	return s
}

// minBatches is how many a process has at least, but where one says enough.
const minBatches = 3

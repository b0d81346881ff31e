package compare

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// Entrant is a program that takes part in comparisons: a binary as the linker makes it
// by itself, and the same linked in other orders of its functions.
type Entrant struct {
	Binary harness.Binary
	link   func(ctx context.Context, order uint64) (harness.Binary, error)
	linked map[uint64]harness.Binary
}

// NewEntrant is one with what links it in an order.
func NewEntrant(bin harness.Binary, link func(ctx context.Context, order uint64) (harness.Binary, error)) *Entrant {
	return &Entrant{Binary: bin, link: link, linked: make(map[uint64]harness.Binary)}
}

// In is the entrant in an order, linked once.
func (e *Entrant) In(ctx context.Context, order uint64) (harness.Binary, error) {
	if bin, ok := e.linked[order]; ok {
		return bin, nil
	}
	bin, err := e.link(ctx, order)
	if err == nil {
		e.linked[order] = bin
	}
	return bin, err
}

// Orders are the orders of functions that programs are linked in, drawn when they are
// first asked for. Both sides of a pair have the same seeds, but what they order
// differs by what was changed, so layouts of the two have nothing in common.
type Orders struct {
	Rand  *rand.Rand
	seeds []uint64
}

// Seed is that of an order, counted from 0.
func (o *Orders) Seed(i int) uint64 {
	for len(o.seeds) <= i {
		o.seeds = append(o.seeds, 1+o.Rand.Uint64N(math.MaxInt32))
	}
	return o.seeds[i]
}

// Linked are programs in orders from one on, up to another: of each order the binaries in
// the order of the programs, linked at the same time.
func (o *Orders) Linked(ctx context.Context, from, to int, programs ...*Entrant) ([][]harness.Binary, error) {
	var list [][]harness.Binary
	for i := from; i < to; i++ {
		seed, bins := o.Seed(i), make([]harness.Binary, len(programs))
		for k := 0; k < len(programs); k += 2 { // there are two processors at least for it
			at := func(k int) func() error {
				return func() (err error) {
					if k < len(programs) {
						bins[k], err = programs[k].In(ctx, seed)
					}
					return err
				}
			}
			if err := change.Together(at(k), at(k+1)); err != nil {
				return list, err
			}
		}
		list = append(list, bins)
	}
	return list, nil
}

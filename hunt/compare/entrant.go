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

// Twins are two entrants in orders from one on, up to another, linked at the same time.
func (o *Orders) Twins(ctx context.Context, good, bad *Entrant, from, to int) ([][]harness.Binary, error) {
	var list [][]harness.Binary
	for i := from; i < to; i++ {
		t := make([]harness.Binary, 2)
		seed := o.Seed(i)
		err := change.Together(
			func() (err error) { t[0], err = good.In(ctx, seed); return err },
			func() (err error) { t[1], err = bad.In(ctx, seed); return err },
		)
		if err != nil {
			return list, err
		}
		list = append(list, t)
	}
	return list, nil
}

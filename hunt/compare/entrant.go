package compare

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Entrant is a program that takes part in comparisons: a binary as the linker makes it
// by itself, and the same linked in other orders of its functions.
type Entrant struct {
	Binary harness.Binary
	link   func(ctx context.Context, order uint64) (harness.Binary, error)

	mu     sync.Mutex // guards linked
	linked map[uint64]harness.Binary
}

// NewEntrant is one with what links it in an order.
func NewEntrant(bin harness.Binary, link func(ctx context.Context, order uint64) (harness.Binary, error)) *Entrant {
	return &Entrant{Binary: bin, link: link, linked: make(map[uint64]harness.Binary)}
}

// In is the entrant in an order, linked once.
func (e *Entrant) In(ctx context.Context, order uint64) (harness.Binary, error) {
	e.mu.Lock()
	bin, ok := e.linked[order]
	e.mu.Unlock()
	if ok {
		return bin, nil
	}
	bin, err := e.link(ctx, order)
	if err == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
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

// linkers is how many programs are linked at the same time: there are two processors at
// least for it.
const linkers = 2

// Linked are programs in orders from one on, up to another: of each order the binaries in
// the order of the programs. Of those that have to be linked some are at the same time.
// Beside an error those orders are given that are complete before it.
func (o *Orders) Linked(ctx context.Context, from, to int, programs ...*Entrant) (list [][]harness.Binary, err error) {
	var links errgroup.Group
	links.SetLimit(linkers)
	errs := make([]error, max(0, to-from))
	var mu sync.Mutex // guards errs
	for i := from; i < to; i++ {
		seed, bins := o.Seed(i), make([]harness.Binary, len(programs))
		list = append(list, bins)
		for k, p := range programs {
			links.Go(func() error {
				bin, err := p.In(ctx, seed)
				mu.Lock()
				defer mu.Unlock()
				bins[k], errs[i-from] = bin, cmp.Or(errs[i-from], err)
				return nil
			})
		}
	}
	links.Wait()
	for i, err := range errs {
		if err != nil {
			return list[:i], err
		}
	}
	return list, nil
}

package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Campaign runs pairs of processes, one of good and one of bad, in turns where
// that can be: what changes on the machine is then the same for both.
type Campaign struct {
	Good, Bad   Binary
	Workload    Workload
	GoodN, BadN int64      // iterations of a batch
	Batches     int        // of a process
	Rand        *rand.Rand // shuffles the order; the caller records its seed

	// Duet runs the processes of a pair at the same time, each on a processor of
	// its own, exchanged from pair to pair. It needs two processors.
	//
	// Where processors are alike, what both meet is the same to the instant. On a
	// virtual machine each has neighbours of its own: one binary against itself
	// varied by 0.37 (decoding JSON), in turns by 0.037, one after the other by 0.26.
	Duet bool

	// Layouts are Good and Bad linked in other orders. If there are any, pairs go
	// round them: where functions lie makes a binary faster or slower by some
	// percent without a change to any, and pairs of one layout repeat that accident.
	Layouts []Twins

	// Aside are the pairs that were disturbed, ran again, and were replaced by
	// the less disturbed of the two. They are samples too: an answer that
	// changes when they are counted in is none.
	Aside []Pair

	ahead int  // pairs run good first, less those run bad first
	ran   int  // pairs that were asked for and are done
	runs  int  // pairs that ran
	once  bool // no pair runs again
}

// Twins are both sides of one layout.
type Twins struct{ Good, Bad Binary }

// Pair is two processes that ran in turns or back to back.
type Pair struct {
	Good, Bad Process
	GoodFirst bool
	InTurns   bool // batches of the two alternated
	Layout    int  // of Campaign.Layouts, counted from 1; 0: Good and Bad themselves
	Disturbed Disturbance
}

// Pairs runs n pairs, with the probes on switched on, see [instrument.BoardSpec]: of
// several lists each is in force for one batch, in turn. Good goes first in as many
// pairs as bad does, up to one, in each call and over all of them; which ones is
// shuffled. A pair that was disturbed may run again, see Aside. After each pair
// progress, if not nil, is told how many are done.
//
// On an error, whichever process it was of, the pair is dropped whole; the
// pairs before it are returned beside the error.
func (c *Campaign) Pairs(ctx context.Context, n int, on [][]int, progress func(done int)) ([]Pair, error) {
	pairs := make([]Pair, 0, n)
	for _, goodFirst := range c.order(n) {
		pair, err := c.calmPair(ctx, goodFirst, on)
		if err != nil {
			return pairs, fmt.Errorf("measuring pair %d of %d: %w", len(pairs)+1, n, err)
		}
		c.count(goodFirst)
		pairs = append(pairs, pair)
		if progress != nil {
			progress(len(pairs))
		}
	}
	return pairs, nil
}

// order says for each of n pairs whether good goes first. Of an odd number the
// last one evens out what earlier calls left, and is drawn when they left nothing.
func (c *Campaign) order(n int) []bool {
	first := n / 2
	if n%2 != 0 && (c.ahead < 0 || c.ahead == 0 && c.Rand.IntN(2) == 0) {
		first++
	}
	order := make([]bool, n)
	for i := range first {
		order[i] = true
	}
	c.Rand.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

func (c *Campaign) count(goodFirst bool) {
	if goodFirst {
		c.ahead++
	} else {
		c.ahead--
	}
}

// batches is how many a process runs, of all masks together: the more masks there are,
// the fewer of each, but three at least.
func (c *Campaign) batches(on [][]int) int {
	masks := len(on)
	if masks < 2 {
		return c.Batches
	}
	return max(c.Batches*(masks+1)/2, masks*minBatches)
}

// inTurns reports whether the processes of a pair take turns. Without batches
// there is nothing to take turns with.
func (c *Campaign) inTurns() bool {
	return !c.Duet && c.Workload.Kind == Bench && c.Batches >= minBatches
}

// pair runs one pair, and nothing beside it or between its processes.
func (c *Campaign) pair(ctx context.Context, goodFirst bool, on [][]int) (Pair, error) {
	twins, layout := c.twins()
	pair := Pair{GoodFirst: goodFirst, InTurns: c.inTurns(), Layout: layout}
	goodPin, badPin := c.nextPins()
	good := func(ctx context.Context, s *seat) (err error) {
		pair.Good, err = runQuiet(ctx, twins.Good, c.Workload, Order{N: c.GoodN, Batches: c.batches(on), On: on, seat: s, pin: goodPin})
		return err
	}
	bad := func(ctx context.Context, s *seat) (err error) {
		pair.Bad, err = runQuiet(ctx, twins.Bad, c.Workload, Order{N: c.BadN, Batches: c.batches(on), On: on, seat: s, pin: badPin})
		return err
	}
	first, second := good, bad
	if !goodFirst {
		first, second = bad, good
	}
	err := host.whileQuiet(ctx, func() error {
		before := hostBusyness()
		defer func() {
			pair.Disturbed = before.until(hostBusyness(), pair.Good.Usage, pair.Bad.Usage)
			pair.Disturbed.Parallel = pair.Good.Parallel.Func != "" || pair.Bad.Parallel.Func != ""
		}()
		switch {
		case c.Duet:
			return together(ctx, first, second)
		case c.inTurns():
			return inTurns(ctx, first, second)
		}
		if err := first(ctx, nil); err != nil {
			return err
		}
		return second(ctx, nil)
	})
	if err != nil {
		return Pair{}, err
	}
	return pair, nil
}

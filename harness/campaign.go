package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
)

// Campaign runs pairs of processes: one of good and one of bad back to back,
// so that what drifts slowly is the same for both.
type Campaign struct {
	Good, Bad   Binary
	Workload    Workload
	GoodN, BadN int64      // iterations of a batch
	Batches     int        // of a process
	Rand        *rand.Rand // shuffles the order; the caller records its seed
	Apart       bool       // run the processes of a pair one after the other; tests and programs always do

	// Duet runs the processes of a pair at the same time, each on a processor of
	// its own, exchanged from pair to pair. What both meet is then the same to the
	// instant, but they are neighbours to each other. It needs two processors.
	Duet bool

	// Layouts are Good and Bad linked in other orders. If there are any, pairs go
	// round them: where functions lie makes a binary faster or slower by some
	// percent without a change to any, and pairs of one layout repeat that accident.
	Layouts []Twins

	// Aside are the pairs that were disturbed, ran again, and were replaced by
	// the less disturbed of the two. They are samples too: an answer that
	// changes when they are counted in is none.
	Aside []Pair

	ahead int // pairs run good first, less those run bad first
	ran   int // pairs that were asked for and are done
	runs  int // pairs that ran
}

// rerunShare is how many of the pairs may run again: one in so many.
const rerunShare = 3

// Twins are both sides of one layout.
type Twins struct{ Good, Bad Binary }

// Pair is two processes that ran back to back.
type Pair struct {
	Good, Bad Process
	GoodFirst bool
	InTurns   bool // batches of the two alternated
	Layout    int  // of Campaign.Layouts, counted from 1; 0: Good and Bad themselves
	Disturbed Disturbance
}

// Pairs runs n pairs with the probes on switched on. Good goes first in as
// many pairs as bad does, up to one, in each call and over all of them; which
// ones is shuffled. A pair that was disturbed may run again, see Aside. After each pair progress, if not nil, is told how many are done.
//
// On an error, whichever process it was of, the pair is dropped whole; the
// pairs before it are returned beside the error.
func (c *Campaign) Pairs(ctx context.Context, n int, on []int, progress func(done int)) ([]Pair, error) {
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

// calmPair runs a pair, and once more if it was disturbed, as long as that keeps
// to a third of the pairs so far. Which of the two counts is decided by how much
// they were disturbed, never by what they measured.
func (c *Campaign) calmPair(ctx context.Context, goodFirst bool, on []int) (Pair, error) {
	defer func() { c.ran++ }()
	pair, err := c.pair(ctx, goodFirst, on)
	if err != nil || !c.mayRerun(pair.Disturbed) {
		return pair, err
	}
	again, err := c.pair(ctx, goodFirst, on)
	if err != nil {
		return Pair{}, err
	}
	kept, aside := calmer(pair, again)
	c.Aside = append(c.Aside, aside)
	return kept, nil
}

func (c *Campaign) mayRerun(d Disturbance) bool {
	return d.Rate() >= disturbed && rerunShare*(len(c.Aside)+1) <= c.ran
}

// calmer orders two pairs by how much they were disturbed.
func calmer(a, b Pair) (calm, other Pair) {
	if b.Disturbed.Rate() < a.Disturbed.Rate() {
		return b, a
	}
	return a, b
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

// twins are the binaries of the next pair. One that runs again keeps its own.
func (c *Campaign) twins() (Twins, int) {
	if len(c.Layouts) == 0 {
		return Twins{c.Good, c.Bad}, 0
	}
	i := c.ran % len(c.Layouts)
	return c.Layouts[i], i + 1
}

// nextPins are the processors of the next pair, counted from 1; 0 is all. In a duet
// each process has one and the next time the other. With GOMAXPROCS=1, both processes
// run on the same one, and pairs go round them all, since each has neighbours
// of its own.
//
// One binary against itself, decoding JSON in turns: the log ratio varied by 0.082
// on two processors, 0.085 with GOMAXPROCS=1 alone and 0.025 with both on one
// (24 pairs each); the mean's by 0.041, 0.069 and 0.046. Sorting, which doesn't
// allocate, gained nothing. So it is not the default: a wait for other goroutines
// may vanish there, and with it the regression.
func (c *Campaign) nextPins() (good, bad int) {
	c.runs++
	switch {
	case c.Duet:
		return 1 + c.runs%2, 2 - c.runs%2
	case c.Workload.CPUs == 1:
		return c.runs, c.runs
	}
	return 0, 0
}

// inTurns reports whether the processes of a pair take turns. Without batches
// there is nothing to take turns with.
func (c *Campaign) inTurns() bool {
	return !c.Apart && !c.Duet && c.Workload.Kind == Bench && c.Batches >= minBatches
}

// pair runs one pair, and nothing beside it or between its processes.
func (c *Campaign) pair(ctx context.Context, goodFirst bool, on []int) (Pair, error) {
	twins, layout := c.twins()
	pair := Pair{GoodFirst: goodFirst, InTurns: c.inTurns(), Layout: layout}
	goodPin, badPin := c.nextPins()
	good := func(ctx context.Context, s *seat) (err error) {
		pair.Good, err = runQuiet(ctx, twins.Good, c.Workload, Order{N: c.GoodN, Batches: c.Batches, On: on, seat: s, pin: goodPin})
		return err
	}
	bad := func(ctx context.Context, s *seat) (err error) {
		pair.Bad, err = runQuiet(ctx, twins.Bad, c.Workload, Order{N: c.BadN, Batches: c.Batches, On: on, seat: s, pin: badPin})
		return err
	}
	first, second := good, bad
	if !goodFirst {
		first, second = bad, good
	}
	err := host.whileQuiet(ctx, func() error {
		before := hostBusyness()
		defer func() { pair.Disturbed = before.until(hostBusyness(), pair.Good.Usage, pair.Bad.Usage) }()
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

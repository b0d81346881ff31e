package harness

import (
	"context"
	"fmt"
)

// Rounds runs n rounds, with the probes on switched on, see [instrument.BoardSpec]: of
// several lists each is in force for one batch, in turn. Each side begins as many
// rounds as any other, up to one, in each call and over all of them, and the others
// follow in a circle, forward and backward by turns, so that each side takes each place
// equally often; which rounds are which is shuffled. A round that was disturbed may run
// again, see Aside. After each round progress, if not nil, is told how many are done.
//
// On an error, whichever process it was of, the round is dropped whole; the
// rounds before it are returned beside the error.
func (c *Campaign) Rounds(ctx context.Context, n int, on [][]int, progress func(done int)) ([]Round, error) {
	if e, ok := ctx.Value(elsewhereKey{}).(elsewhere); ok {
		return c.elsewhere(ctx, e, c.tasks(ctx, n, on), progress)
	}
	rounds := make([]Round, 0, n)
	for _, first := range c.beginners(n) {
		round, err := c.calmRound(ctx, c.circle(first), on)
		if err != nil {
			return rounds, fmt.Errorf("measuring %s %d of %d: %w", c.noun(), len(rounds)+1, n, err)
		}
		c.count(first)
		rounds = append(rounds, round)
		if progress != nil {
			progress(len(rounds))
		}
	}
	return rounds, nil
}

// Pairs is [Campaign.Rounds] of two sides.
func (c *Campaign) Pairs(ctx context.Context, n int, on [][]int, progress func(done int)) ([]Pair, error) {
	rounds, err := c.Rounds(ctx, n, on, progress)
	return PairsOf(rounds, 0, 1), err
}

func (c *Campaign) noun() string {
	if len(c.Binaries) == 2 {
		return "pair"
	}
	return "round"
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

// inTurns reports whether the processes of a round take turns. Without batches
// there is nothing to take turns with.
func (c *Campaign) inTurns() bool {
	return !c.duet() && c.Workload.Kind == Bench && c.Batches >= minBatches
}

// round runs one round, and nothing beside it or between its processes.
func (c *Campaign) round(ctx context.Context, order []int, on [][]int) (Round, error) {
	binaries, layout := c.linked()
	round := Round{Runs: make([]Process, len(binaries)), Order: order, InTurns: c.inTurns(), Layout: layout}
	pins := c.nextPins()
	var launches []launch
	for _, side := range order {
		o := Order{N: c.N[side], Batches: c.batches(on), On: on, pin: pins[side]}
		launches = append(launches, launcher(&round.Runs[side], binaries[side], c.Workload, o))
	}
	err := host.whileQuiet(ctx, func() error {
		before := hostBusyness()
		defer func() { round.Disturbed = before.until(hostBusyness(), round.Runs...) }()
		switch {
		case c.duet():
			return together(ctx, launches, nil)
		case round.InTurns:
			return inTurns(ctx, launches)
		}
		for _, launch := range launches {
			if err := launch(ctx, nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Round{}, err
	}
	return round, nil
}

// launcher is what runs one process of a round.
func launcher(p *Process, b Binary, w Workload, o Order) launch {
	return func(ctx context.Context, s *seat) (err error) {
		o.seat = s
		*p, err = runQuiet(ctx, b, w, o)
		return err
	}
}

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
	if e, ok := ctx.Value(elsewhereKey{}).(Elsewhere); ok {
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

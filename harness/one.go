package harness

import "context"

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

package harness

import "context"

// rerunShare is how many of the rounds may run again: one in so many.
const rerunShare = 3

// calmRound runs a round, and once more if it was disturbed, as long as that keeps
// to a third of the rounds so far. Which of the two counts is decided by how much
// they were disturbed, never by what they measured.
//
// A round that the journal of the context has, see [Journaled], is not run.
func (c *Campaign) calmRound(ctx context.Context, order []int, on [][]int) (Round, error) {
	defer func() { c.ran++ }()
	binaries, layout := c.linked()
	e, kept, err := journaled(ctx, func(j *Journal) (string, error) {
		return j.keyOf(ctx, "round", binaries, c.Workload, c.N, c.batches(on), c.duet(), order, on)
	}, func() (entry, error) { return c.calm(ctx, order, on) })
	if err != nil {
		return Round{}, err
	}
	if e.Round == nil || len(e.Round.Runs) != len(binaries) {
		return Round{}, errDamaged
	}
	if e.Aside != nil {
		c.Aside = append(c.Aside, *e.Aside)
	}
	if kept {
		e.Round.Replayed, e.Round.Layout = e.Took, layout
	}
	return *e.Round, nil
}

func (c *Campaign) calm(ctx context.Context, order []int, on [][]int) (entry, error) {
	round, err := c.round(ctx, order, on)
	if err != nil || !c.mayRerun(round.Disturbed) {
		return entry{Round: &round}, err
	}
	again, err := c.round(ctx, order, on)
	if err != nil {
		return entry{}, err
	}
	calm, aside := calmer(round, again)
	return entry{Round: &calm, Aside: &aside}, nil
}

func (c *Campaign) mayRerun(d Disturbance) bool {
	return !c.once && d.Rate() >= disturbed && rerunShare*(len(c.Aside)+1) <= c.ran
}

// calmer orders two rounds by how much they were disturbed.
func calmer(a, b Round) (calm, other Round) {
	if b.Disturbed.Rate() < a.Disturbed.Rate() {
		return b, a
	}
	return a, b
}

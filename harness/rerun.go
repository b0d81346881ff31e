package harness

import "context"

// rerunShare is how many of the rounds may run again: one in so many.
const rerunShare = 3

// calmRound runs a round, and once more if it was disturbed, as long as that keeps
// to a third of the rounds so far. Which of the two counts is decided by how much
// they were disturbed, never by what they measured.
func (c *Campaign) calmRound(ctx context.Context, order []int, on [][]int) (Round, error) {
	defer func() { c.ran++ }()
	round, err := c.round(ctx, order, on)
	if err != nil || !c.mayRerun(round.Disturbed) {
		return round, err
	}
	again, err := c.round(ctx, order, on)
	if err != nil {
		return Round{}, err
	}
	kept, aside := calmer(round, again)
	c.Aside = append(c.Aside, aside)
	return kept, nil
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

package harness

import "context"

// rerunShare is how many of the pairs may run again: one in so many.
const rerunShare = 3

// calmPair runs a pair, and once more if it was disturbed, as long as that keeps
// to a third of the pairs so far. Which of the two counts is decided by how much
// they were disturbed, never by what they measured.
func (c *Campaign) calmPair(ctx context.Context, goodFirst bool, on [][]int) (Pair, error) {
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
	return !c.once && d.Rate() >= disturbed && rerunShare*(len(c.Aside)+1) <= c.ran
}

// calmer orders two pairs by how much they were disturbed.
func calmer(a, b Pair) (calm, other Pair) {
	if b.Disturbed.Rate() < a.Disturbed.Rate() {
		return b, a
	}
	return a, b
}

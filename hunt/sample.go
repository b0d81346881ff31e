package hunt

import (
	"context"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
)

// sample runs pairs until a look is satisfied, the last planned look is over or
// the budget is spent, and gives all pairs. At each look it calls enough with
// all pairs so far.
func (h *hunt) sample(ctx context.Context, what string, c *harness.Campaign, on [][]int, looks []int, enough func(pairs []harness.Pair) bool) ([]harness.Pair, error) {
	return h.sampleOn(ctx, what, c, nil, on, looks, enough)
}

// sampleOn goes on with what is planned where there are pairs already.
func (h *hunt) sampleOn(ctx context.Context, what string, c *harness.Campaign, pairs []harness.Pair, on [][]int, looks []int, enough func(pairs []harness.Pair) bool) ([]harness.Pair, error) {
	if h.left() <= 0 {
		return pairs, errBudget
	}
	for look, n := range looks {
		if n <= len(pairs) {
			continue
		}
		if len(pairs) > 0 {
			fits := h.fitting(len(pairs), n)
			if fits < n {
				h.warn("the budget of %v ended the samples early (%s)", h.opts.Budget, what)
			}
			if n = fits; n == len(pairs) {
				break
			}
		}
		more, err := h.pairs(ctx, what, c, on, len(pairs), n)
		pairs = append(pairs, more...)
		if err != nil {
			return pairs, err
		}
		if enough(pairs) || n < looks[look] {
			break
		}
	}
	return pairs, nil
}

// pairs runs more pairs of a campaign that has some, until there are n, and counts what
// they cost. It gives those that it ran.
func (h *hunt) pairs(ctx context.Context, what string, c *harness.Campaign, on [][]int, have, n int) ([]harness.Pair, error) {
	begin, aside := time.Now(), len(c.Aside)
	more, err := c.Pairs(ctx, n-have, on, func(done int) { h.opts.Progress(what, have+done, n) })
	again := len(c.Aside) - aside
	h.report.Search.Processes += 2 * (len(more) + again)
	h.report.Search.Disturbed += again
	if len(more) > 0 {
		h.cost.pair = time.Since(begin) / time.Duration(len(more))
	}
	return more, err
}

// The last look takes part of the time that is left, and at least so many more pairs,
// as a share of those there are: with fewer, it would say the same again.
const (
	lastShare = 0.9
	worthMore = 0.25
)

// fitting is how many pairs there may be at a look that was planned for n: fewer,
// where the budget has no time for all of them, and none more, where it has time for
// hardly any. How fast pairs run says nothing about which side is slower, so a
// look may come early.
func (h *hunt) fitting(have, n int) int {
	if h.cost.pair*time.Duration(n-have) <= h.left() {
		return n
	}
	more := h.affordable()
	if float64(more) < worthMore*float64(have) {
		return have
	}
	return have + more
}

// affordable is how many more pairs the last look may take.
func (h *hunt) affordable() int {
	return int(lastShare * float64(h.left()) / float64(max(h.cost.pair, 1)))
}

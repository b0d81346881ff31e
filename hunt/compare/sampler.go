package compare

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Sampler runs pairs of one workload.
type Sampler struct {
	Workload harness.Workload
	Plan     harness.Plan
	Quantity Quantity
	Asked    Asked
	ByMean   bool // all batches count, and not only the steady ones
	Duet     bool // see harness.Campaign
	Budget   *Budget
	Ledger   *stats.Ledger
	Log      *Log
	Rand     *rand.Rand

	// Run runs pairs of a campaign; nil: real processes.
	Run func(ctx context.Context, c *harness.Campaign, n int, on [][]int, progress func(done int)) ([]harness.Pair, error)
}

// Asked is what the user wants decided.
type Asked struct {
	Alpha     float64 // bound on the chance of a wrong accusation
	MinEffect float64 // share of the good whole below which a difference does not count
	Test      stats.Test
}

// The numbers of pairs after which samples are looked at. They are planned
// beforehand, so that the error can be spread over them. What accuses, the whole
// and the confirmations, may take more than a step of the search, which others
// follow; what only shows where a proved difference lies decides nothing.
var (
	Deciding  = stats.Looks(6, 384)
	Searching = stats.Looks(6, 96)
	Showing   = stats.Looks(6, 12)
)

// Campaign is one of two binaries, by the plan of the whole.
func (s *Sampler) Campaign(good, bad harness.Binary) *harness.Campaign {
	return &harness.Campaign{
		Binaries: []harness.Binary{good, bad}, N: s.Plan.N(),
		Workload: s.Workload,
		Batches:  s.Plan.Batches,
		Duet:     s.Duet,
		Rand:     s.Rand,
	}
}

// Until runs pairs until a look is satisfied, the last planned look is over or
// the budget is spent, and gives all pairs. It goes on with what is planned where there
// are pairs already. At each look it calls enough with all pairs so far.
func (s *Sampler) Until(ctx context.Context, what string, c *harness.Campaign, pairs []harness.Pair, on [][]int, looks []int, enough func(pairs []harness.Pair) bool) ([]harness.Pair, error) {
	if s.Budget.Left() <= 0 {
		return pairs, ErrBudget
	}
	for look, n := range looks {
		if n <= len(pairs) {
			continue
		}
		if len(pairs) > 0 {
			fits := s.Budget.fitting(len(pairs), n)
			if fits < n {
				s.Log.Warn("the budget of %v ended the samples early (%s)", s.Budget.Limit, what)
			}
			if n = fits; n == len(pairs) {
				break
			}
		}
		more, err := s.Pairs(ctx, what, c, on, len(pairs), n)
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

// Pairs runs more pairs of a campaign that has some, until there are n, and counts what
// they cost. It gives those that it ran.
func (s *Sampler) Pairs(ctx context.Context, what string, c *harness.Campaign, on [][]int, have, n int) ([]harness.Pair, error) {
	begin, aside := time.Now(), len(c.Aside)
	run := s.Run
	if run == nil {
		run = realPairs
	}
	more, err := run(ctx, c, n-have, on, func(done int) { s.Log.Progress(what, have+done, n) })
	again := len(c.Aside) - aside
	s.Log.Ran(2*(len(more)+again), again)
	if len(more) > 0 {
		s.Budget.Pair = time.Since(begin) / time.Duration(len(more))
	}
	return more, err
}

func realPairs(ctx context.Context, c *harness.Campaign, n int, on [][]int, progress func(done int)) ([]harness.Pair, error) {
	return c.Pairs(ctx, n, on, progress)
}

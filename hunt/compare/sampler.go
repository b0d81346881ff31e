package compare

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
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
	Machine  Machine
	On       string // kind of machines of a fleet, see harness.Machines; "": the first

	// Idle says that the workload runs nothing of what differs, so that whatever pairs show
	// is chance or where the linker puts things. It is asked before more is spent on a
	// difference that the first look does not show. nil: that is not known.
	Idle func(ctx context.Context) bool
}

// ErrIdle ends the comparison of a workload that runs nothing of what differs.
var ErrIdle = errors.New("the workload runs nothing of what differs")

func (s *Sampler) idle(ctx context.Context) bool { return s.Idle != nil && s.Idle(ctx) }

// Machine is where processes run. What is nil is done by this one.
type Machine struct {
	Calibrate func(ctx context.Context, good, bad harness.Binary, w harness.Workload) (harness.Plan, error)
	Run       func(ctx context.Context, c *harness.Campaign, n int, on [][]int, progress func(done int)) ([]harness.Round, error)
}

func (m Machine) calibrate(ctx context.Context, good, bad harness.Binary, w harness.Workload) (harness.Plan, error) {
	if m.Calibrate != nil {
		return m.Calibrate(ctx, good, bad, w)
	}
	return harness.Calibrate(ctx, good, bad, w)
}

func (m Machine) run(ctx context.Context, c *harness.Campaign, n int, on [][]int, progress func(done int)) ([]harness.Round, error) {
	if m.Run != nil {
		return m.Run(ctx, c, n, on, progress)
	}
	return c.Rounds(ctx, n, on, progress)
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
//
// The first look is for differences of half as much again and more where pairs agree: it
// costs the later ones, each of which has an eighth of the error instead of a seventh,
// next to nothing.
var (
	Deciding  = slices.Insert(stats.Looks(stats.FirstPairs, 384), 0, 5)
	Searching = stats.Looks(5, 80)
	Showing   = stats.Looks(5, 10)
)

// Campaign is one of two binaries, by the plan of the whole.
func (s *Sampler) Campaign(good, bad harness.Binary) *harness.Campaign {
	var machines []string
	if s.On != "" {
		machines = []string{s.On}
	}
	return &harness.Campaign{
		Binaries: []harness.Binary{good, bad}, N: s.Plan.N(), Machines: machines,
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
	err := s.until(len(pairs), what, looks, func(have, n int) error {
		more, err := s.Pairs(ctx, what, c, on, have, n)
		pairs = append(pairs, more...)
		return err
	}, func() bool { return enough(pairs) })
	return pairs, err
}

// UntilRounds is the same of rounds of any number of sides.
func (s *Sampler) UntilRounds(ctx context.Context, what string, c *harness.Campaign, rounds []harness.Round, looks []int, enough func(rounds []harness.Round) bool) ([]harness.Round, error) {
	err := s.until(len(rounds), what, looks, func(have, n int) error {
		more, err := s.rounds(ctx, what, c, nil, have, n)
		rounds = append(rounds, more...)
		return err
	}, func() bool { return enough(rounds) })
	return rounds, err
}

// until takes samples as planned, of which there are some: more is to take those from so
// many to so many.
func (s *Sampler) until(have int, what string, looks []int, more func(have, n int) error, enough func() bool) error {
	if s.Budget.Left() <= 0 {
		return ErrBudget
	}
	for look, n := range looks {
		if n <= have {
			continue
		}
		if have > 0 {
			fits := s.Budget.fitting(have, n)
			if fits < n {
				s.Log.Warn("the budget of %v ended the samples early (%s)", s.Budget.Limit, what)
			}
			if n = fits; n == have {
				break
			}
		}
		if err := more(have, n); err != nil {
			return err
		}
		have = n
		if enough() || n < looks[look] {
			break
		}
	}
	return nil
}

// Pairs runs more pairs of a campaign that has some, until there are n, and counts what
// they cost. It gives those that it ran.
func (s *Sampler) Pairs(ctx context.Context, what string, c *harness.Campaign, on [][]int, have, n int) ([]harness.Pair, error) {
	rounds, err := s.rounds(ctx, what, c, on, have, n)
	return harness.PairsOf(rounds, 0, 1), err
}

// rounds is the same of rounds. What a pair costs is told from what they take.
func (s *Sampler) rounds(ctx context.Context, what string, c *harness.Campaign, on [][]int, have, n int) ([]harness.Round, error) {
	s.Log.Trace.Enter(what)
	begin, aside := time.Now(), len(c.Aside)
	more, err := s.Machine.run(harness.Purpose(ctx, what), c, n-have, on, func(done int) {
		s.Log.Left(time.Duration(n-have-done) * s.Budget.Pair * time.Duration(len(c.Binaries)) / 2)
		s.Log.Progress(what, have+done, n)
	})
	again, sides := len(c.Aside)-aside, len(c.Binaries)
	s.Log.Ran(sides*(len(more)+again), again)
	for _, r := range more {
		for _, p := range r.Runs {
			if err == nil {
				err = s.Quantity.Check(p)
			}
		}
	}
	if len(more) > 0 {
		s.Budget.Pair = 2 * (time.Since(begin) + harness.Replayed(more)) / time.Duration(sides*len(more))
	}
	return more, err
}

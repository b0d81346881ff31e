package harness

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Elsewhere runs a task on another machine. It may be called for many at the same time.
type Elsewhere func(ctx context.Context, t Task) (Done, error)

type elsewhereKey struct{}

type elsewhere struct {
	run     Elsewhere
	machine Facts
	places  func() int
}

// OnFleet has all rounds of campaigns that run with the context run elsewhere, on machines
// of which the facts hold, and of which places counts those that there are. What else is
// run or built stays here.
func OnFleet(ctx context.Context, run Elsewhere, machine Facts, places func() int) context.Context {
	return context.WithValue(ctx, elsewhereKey{}, elsewhere{run, machine, places})
}

// Places is how many rounds can run at the same time with the context.
func Places(ctx context.Context) int {
	if e, ok := ctx.Value(elsewhereKey{}).(elsewhere); ok {
		return max(1, e.places())
	}
	return 1
}

// ErrElsewhere is of rounds that failed for the fleet, and not for what they ran.
var ErrElsewhere = errors.New("the fleet failed")

func ofWorkload(err error) bool {
	var failed *WorkloadError
	var missing *MissingError
	var choice *ChoiceError
	return errors.As(err, &failed) || errors.As(err, &missing) || errors.As(err, &choice)
}

type rankKey struct{}

// Ranked says how much there is left to do, in seconds, of what the rounds that run with
// the context are part of. On a fleet that has more to do than workers, the longest goes
// first.
func Ranked(ctx context.Context, seconds float64) context.Context {
	return context.WithValue(ctx, rankKey{}, seconds)
}

func rankOf(ctx context.Context) float64 {
	rank, _ := ctx.Value(rankKey{}).(float64)
	return rank
}

// Measuring are the facts of what rounds that run with the context are measured on.
func Measuring(ctx context.Context) Facts {
	if e, ok := ctx.Value(elsewhereKey{}).(elsewhere); ok {
		return e.machine
	}
	return Host()
}

// elsewhere is Campaign.Rounds on other machines, all at once: what each round is, is
// decided before the first ends. When one fails, the others are given up.
func (c *Campaign) elsewhere(ctx context.Context, on elsewhere, tasks []Task, progress func(done int)) ([]Round, error) {
	all := make([]entry, len(tasks))
	group, running := errgroup.WithContext(ctx)
	var telling sync.Mutex
	ended := 0
	for i, t := range tasks {
		group.Go(func() error {
			e, kept, err := journaled(running, func(j *Journal) (string, error) {
				what := fmt.Sprintf("round on %+v", on.machine)
				return j.keyOf(running, what, t.Binaries, t.Workload, t.N, t.Batches, t.Duet, t.Order, t.On)
			}, func() (e entry, err error) {
				d, err := on.run(running, t)
				if e.Round = &d.Round; len(d.Aside) > 0 {
					e.Aside = &d.Aside[0]
				}
				if err != nil && running.Err() == nil && !ofWorkload(err) {
					err = fmt.Errorf("%w: %w", ErrElsewhere, err)
				}
				return e, err
			})
			if err != nil {
				return err
			}
			if e.Round == nil || len(e.Round.Runs) != len(t.Binaries) {
				return errDamaged
			}
			if kept {
				e.Round.Replayed, e.Round.Layout = e.Took, t.Layout
			}
			telling.Lock()
			defer telling.Unlock()
			all[i] = e
			if ended++; progress != nil {
				progress(ended)
			}
			return nil
		})
	}
	err := group.Wait()
	rounds := make([]Round, 0, len(all))
	for _, e := range all {
		if e.Round == nil {
			continue
		}
		rounds = append(rounds, *e.Round)
		if e.Aside != nil {
			c.Aside = append(c.Aside, *e.Aside)
		}
	}
	if err != nil {
		err = fmt.Errorf("measuring %s %d of %d: %w", c.noun(), len(rounds)+1, len(tasks), err)
	}
	return rounds, err
}

// tasks are the next n rounds of the campaign. They count as having run.
func (c *Campaign) tasks(ctx context.Context, n int, on [][]int) []Task {
	tasks := make([]Task, n)
	for i, first := range c.beginners(n) {
		binaries, layout := c.linked()
		tasks[i] = Task{
			Binaries: binaries, N: c.N, Workload: c.Workload, Batches: c.Batches, Duet: c.Duet,
			Order: c.circle(first), On: on, Layout: layout, Number: c.ran,
			Again: !c.once && c.ran%rerunShare == rerunShare-1, Sandboxed: sandboxed(ctx), Rank: rankOf(ctx),
		}
		c.count(first)
		c.ran++
	}
	return tasks
}

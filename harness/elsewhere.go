package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
)

// A Task is one round as any machine can run it: all that is decided about it before it
// runs. Its processes stay together, so that machines may differ.
type Task struct {
	Binaries []Binary
	N        []int64
	Workload Workload
	Batches  int
	Duet     bool
	Order    []int   // the sides, in the order in which they go
	On       [][]int // see Campaign.Rounds
	Layout   int     // as in Round
	Number   int     // of the campaign's rounds before it: processors take turns by it
	Again    bool    // it may run once more where it was disturbed

	Sandboxed bool    // see Sandboxed
	Rank      float64 // how much there is left to do of what it is part of, in seconds, see Ranked
}

// Done is what became of a task: the round that counts, and the one that was more
// disturbed, if it ran again.
type Done struct {
	Round Round
	Aside []Round
}

// Run runs the task here, and nothing beside it. Errors are those of [Campaign.Rounds].
func (t Task) Run(ctx context.Context) (Done, error) {
	c := Campaign{
		Binaries: t.Binaries, N: t.N, Workload: t.Workload, Batches: t.Batches, Duet: t.Duet,
		once: !t.Again, runs: t.Number, ran: rerunShare,
	}
	if t.Sandboxed {
		ctx = Sandboxed(ctx)
	}
	round, err := c.calmRound(ctx, t.Order, t.On)
	round.Layout = t.Layout
	for i := range c.Aside {
		c.Aside[i].Layout = t.Layout
	}
	return Done{round, c.Aside}, err
}

// ErrForeign is of results that are not of the task.
var ErrForeign = errors.New("results that are not of what was asked")

// Check holds what another machine says against what it was asked for, and against what
// can be.
func (t Task) Check(d Done) error {
	for _, r := range append([]Round{d.Round}, d.Aside...) {
		if len(r.Runs) != len(t.Binaries) || !slices.Equal(r.Order, t.Order) || r.Layout != t.Layout || len(d.Aside) > 1 {
			return fmt.Errorf("%w: %d processes in the order %v, not %v", ErrForeign, len(r.Runs), r.Order, t.Order)
		}
		for side, p := range r.Runs {
			if err := t.checkProcess(side, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t Task) checkProcess(side int, p Process) error {
	if len(p.Batches) > (&Campaign{Batches: t.Batches}).batches(t.On)+spareRecords || len(p.Benchmarks) > 1 {
		return fmt.Errorf("%w: %d batches of %d benchmarks", ErrForeign, len(p.Batches), len(p.Benchmarks))
	}
	for _, b := range p.Batches {
		if t.Workload.Kind == Bench && b.N != t.N[side] || len(b.Parts) > t.Binaries[side].Probes || b.Mask >= max(1, len(t.On)) {
			return fmt.Errorf("%w: a batch of %d iterations with %d parts", ErrForeign, b.N, len(b.Parts))
		}
	}
	return p.fault()
}

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

// Carried is the workload with the values that names of this process's environment have,
// for machines that don't know them.
func (w Workload) Carried(look func(string) (string, bool)) Workload {
	var set []string
	for _, name := range w.Env {
		if value, ok := look(name); ok {
			set = append(set, name+"="+value)
		}
	}
	w.Set, w.Env = append(set, w.Set...), nil
	return w
}

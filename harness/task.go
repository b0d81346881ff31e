package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

	Machine  string // kind of the machine to run on; "": the first, see Elsewhere
	Anywhere bool   // another kind may run it where none of that is left

	Calibrate bool // no round is run: what one would run is found out

	Sandboxed bool    // see Sandboxed
	Rank      float64 // how much there is left to do of what it is part of, in seconds, see Ranked
}

// Done is what became of a task: the round that counts, and the one that was more
// disturbed, if it ran again.
type Done struct {
	Round Round
	Aside []Round
	Plan  Plan // of a task that calibrates; it has no round
}

// On says on which kind of machines the task was done.
func (d *Done) On(class string) {
	d.Round.Machine = class
	for i := range d.Aside {
		d.Aside[i].Machine = class
	}
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
	if t.Calibrate {
		plan, err := calibrateBoth(ctx, t.Binaries[0], t.Binaries[1], t.Workload)
		return Done{Plan: plan}, err
	}
	round, err := c.calmRound(ctx, t.Order, t.On)
	round.Layout = t.Layout
	for i := range c.Aside {
		c.Aside[i].Layout = t.Layout
	}
	return Done{Round: round, Aside: c.Aside}, err
}

// ErrForeign is of results that are not of the task.
var ErrForeign = errors.New("results that are not of what was asked")

// Check holds what another machine says against what it was asked for, and against what
// can be.
func (t Task) Check(d Done) error {
	if t.Calibrate {
		return d.Plan.check()
	}
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

// mostSaid bounds a plan as text, in bytes.
const mostSaid = 16 << 10

func (p Plan) check() error {
	if min(p.GoodN, p.BadN) < 1 || max(p.GoodN, p.BadN) > maxN || p.Batches < 1 || p.Batches > maxBatches || len(fmt.Sprintf("%+v", p)) > mostSaid {
		return fmt.Errorf("%w: %d and %d iterations, %d batches", ErrForeign, p.GoodN, p.BadN, p.Batches)
	}
	return nil
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

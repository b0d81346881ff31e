package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// Elsewhere is a fleet of other machines.
type Elsewhere struct {
	// Run runs a task there. It may be called for many at the same time.
	Run func(ctx context.Context, t Task) (Done, error)
	// Machines are the kinds that there are, one at least. Rounds that ask for none run on
	// those of the first, which stays the same.
	Machines func() []Machines
}

// Machines are those of one kind: a pair runs alike on each of them, as far as can be told.
type Machines struct {
	Class string // names the kind
	Facts Facts
	Count int
}

// Describe says in a phrase what they are.
func (m Machines) Describe() string {
	f := m.Facts
	text := fmt.Sprintf("%s, %d cores, %s/%s", f.CPU, f.Cores, f.OS, f.Arch)
	for _, more := range []string{f.Kernel, f.Governor, f.Virtual} {
		if more != "" {
			text += ", " + more
		}
	}
	return text
}

type elsewhereKey struct{}

// OnFleet has all rounds of campaigns that run with the context run elsewhere. What else is
// run or built stays here.
func OnFleet(ctx context.Context, e Elsewhere) context.Context {
	return context.WithValue(ctx, elsewhereKey{}, e)
}

// Kinds are the machines that rounds run on with the context; nil: on this one.
func Kinds(ctx context.Context) []Machines {
	if e, ok := ctx.Value(elsewhereKey{}).(Elsewhere); ok {
		return e.Machines()
	}
	return nil
}

// Places is how many rounds can run at the same time with the context.
func Places(ctx context.Context) (n int) {
	for _, m := range Kinds(ctx) {
		n += m.Count
	}
	return max(1, n)
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
	if kinds := Kinds(ctx); kinds != nil {
		return kinds[0].Facts
	}
	return Host()
}

// elsewhere is Campaign.Rounds on other machines, all at once: what each round is, is
// decided before the first ends. When one fails, the others are given up.
func (c *Campaign) elsewhere(ctx context.Context, on Elsewhere, tasks []Task, progress func(done int)) ([]Round, error) {
	all := make([]entry, len(tasks))
	group, running := errgroup.WithContext(ctx)
	var telling sync.Mutex
	ended := 0
	for i, t := range tasks {
		group.Go(func() error {
			e, kept, err := journaled(running, func(j *Journal) (string, error) {
				what := "round on " + cmp.Or(t.Machine, on.Machines()[0].Class)
				return j.keyOf(running, what, t.Binaries, t.Workload, t.N, t.Batches, t.Duet, t.Order, t.On)
			}, func() (e entry, err error) {
				d, err := on.Run(running, t)
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
	deal := c.dealer()
	for i, first := range c.beginners(n) {
		binaries, layout := c.linked()
		tasks[i] = Task{
			Binaries: binaries, N: c.N, Workload: c.Workload, Batches: c.Batches, Duet: c.Duet,
			Order: c.circle(first), On: on, Machine: deal(first), Anywhere: len(c.Machines) > 1, Layout: layout, Number: c.ran,
			Again: !c.once && c.ran%rerunShare == rerunShare-1, Sandboxed: sandboxed(ctx), Rank: rankOf(ctx),
		}
		c.count(first)
		c.ran++
	}
	return tasks
}

// dealer gives each round a kind of machine, by the side that begins it: what each side
// begins goes round the kinds, in an order that is drawn.
func (c *Campaign) dealer() func(first int) string {
	if len(c.Machines) < 2 {
		return func(int) string { return strings.Join(c.Machines, "") }
	}
	order := c.Rand.Perm(len(c.Machines))
	next := make([]int, len(c.Binaries))
	return func(first int) string {
		next[first]++
		return c.Machines[order[(next[first]-1)%len(order)]]
	}
}

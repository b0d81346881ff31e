package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/fleet/schedule"
	"github.com/pinpoint-go/pinpoint/harness"
)

// ErrNoWorkers is of a fleet that has nobody to run anything.
var ErrNoWorkers = errors.New("no worker")

// kind is the machines of one class, and the rounds that are theirs.
type kind struct {
	machines harness.Machines
	queue    schedule.Queue
	lonely   time.Time // since when there is none; zero: there is one, or nothing to do
}

// Machines are the kinds that there are.
func (f *Fleet) Machines() []harness.Machines {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []harness.Machines
	for i, k := range f.kinds {
		if i == 0 || k.machines.Count > 0 {
			list = append(list, k.machines)
		}
	}
	return list
}

// kindOf is the one of a class, or the first where there is none.
func (f *Fleet) kindOf(class string) *kind {
	for _, k := range f.kinds {
		if k.machines.Class == class {
			return k
		}
	}
	return f.kinds[0]
}

// choose waits for the first worker, and has the class of which there are most at the head.
func (f *Fleet) choose(ctx context.Context, say func(what string)) error {
	for until := time.Now().Add(forFirst); ; {
		if err := f.look(ctx); err != nil {
			return err
		}
		if len(f.kinds) > 0 {
			slices.SortStableFunc(f.kinds, func(a, b *kind) int { return cmp.Compare(b.machines.Count, a.machines.Count) })
			return nil
		}
		if time.Now().After(until) {
			err := fmt.Errorf("joining the fleet: %w for %s/%s is there. Start one: pinpoint worker --join URL", ErrNoWorkers, runtime.GOOS, runtime.GOARCH)
			for _, why := range f.unfit {
				err = fmt.Errorf("%w (not used: %s)", err, why)
			}
			return err
		}
		if say != nil {
			say("waiting for a worker")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(look / 10):
		}
	}
}

// look sees who is there, of those that can run what is built here.
func (f *Fleet) look(ctx context.Context) error {
	all, err := f.bus.Workers(ctx)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, k := range f.kinds {
		k.machines.Count = 0
	}
	workers, here := 0, 0
	for _, data := range all {
		var w job.Worker
		if job.Unpack(data, &w) != nil || !w.Runs() {
			continue
		}
		f.seen[w.ID] = true
		if here++; w.Unfit != "" {
			f.unfit[w.ID] = w.Unfit // it stays said, also when it is used again
			continue
		}
		workers++
		at := slices.IndexFunc(f.kinds, func(k *kind) bool { return k.machines.Class == w.Class() })
		if at < 0 {
			at = len(f.kinds)
			f.kinds = append(f.kinds, &kind{machines: harness.Machines{Class: w.Class(), Facts: w.Facts}})
		}
		f.kinds[at].machines.Count++
	}
	f.counts.There, f.counts.Gone = workers, len(f.seen)-here
	f.counts.Workers = max(f.counts.Workers, workers)
	return nil
}

// count looks how many workers there are. When a class has had none for too long, its rounds
// go to the first, as far as they may, and the others fail; without the first, all do.
func (f *Fleet) count(ctx context.Context) {
	asking, cancel := context.WithTimeout(ctx, look)
	defer cancel()
	err := f.look(asking)
	f.mu.Lock()
	var broken, why error
	var failing []string
	for i, k := range f.kinds {
		switch {
		case err == nil && k.machines.Count > 0 || k.queue.Empty():
			k.lonely = time.Time{}
		case k.lonely.IsZero():
			k.lonely = time.Now()
		case time.Since(k.lonely) > forOthers || i > 0 && time.Since(k.lonely) > forKind:
			gone := fmt.Errorf("%w of the class %s (%s) is left", ErrNoWorkers, k.machines.Class, k.machines.Describe())
			if i == 0 {
				broken = cmp.Or(err, gone)
			} else {
				failing = append(failing, f.move(k, f.kinds[0])...)
				why = gone
			}
		}
	}
	f.mu.Unlock()
	for _, id := range failing {
		f.fail(id, why)
	}
	if broken != nil {
		f.breakDown(fmt.Errorf("the fleet did nothing for %v: %w", forOthers, broken))
	}
}

// move gives rounds that may run anywhere to another kind of machines. Those that may not
// stay.
func (f *Fleet) move(from, to *kind) (stay []string) {
	for id, w := range f.waits {
		switch {
		case w.kind != from:
		case !w.job.Task.Anywhere:
			stay = append(stay, id)
		default:
			from.queue.Drop(id)
			w.kind = to
			to.queue.Add(w.job.Task.Rank, group(w.job.Task), id)
			f.counts.Moved++
		}
	}
	return stay
}

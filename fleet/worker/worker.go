// Package worker takes jobs from a fleet and runs them, one at a time, with the machine to
// itself. It promises that no result is lost once the lease of its job has ended, that a
// pair which was interrupted leaves nothing but its lease, that nothing runs that has
// another digest than the job says, and that a machine on which a program differs from
// itself takes no jobs, and says so.
package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/harness"
)

// Worker is one that takes jobs.
type Worker struct {
	Bus     *bus.Bus
	Cache   *depot.Cache
	Version string                                                    // of pinpoint
	Log     func(format string, args ...any)                          // nil: silent
	Idle    time.Duration                                             // without a job, after which it ends; 0 never
	Perform func(context.Context, harness.Task) (harness.Done, error) // nil: on this machine

	Twins bool // it is to hold itself against itself before it is used

	self   job.Worker
	fits   bool // it was, and nothing was found
	doubts int  // of a hunt, that were looked into
}

// Run takes jobs until the context ends, or there is none for as long as Idle says. What is
// under way when the context ends is given back.
func (w *Worker) Run(ctx context.Context) error {
	if w.Log == nil {
		w.Log = func(string, ...any) {}
	}
	if w.Perform == nil {
		w.Perform = func(ctx context.Context, t harness.Task) (harness.Done, error) { return t.Run(ctx) }
	}
	w.self = job.ThisMachine(rand.Text()[:12], w.Version)
	queue, err := w.Bus.Queue(ctx, w.self.Class())
	if err != nil {
		return err
	}
	about, err := job.Pack(w.self)
	if err != nil {
		return err
	}
	if err := w.Bus.Alive(ctx, "worker."+w.self.ID, about); err != nil {
		return err
	}
	w.Log("worker %s of class %s: %s", w.self.ID, w.self.Class(), w.self.Describe())
	last := time.Now()
	for ctx.Err() == nil {
		d, err := queue.Next(ctx)
		switch {
		case err == nil:
			w.handle(ctx, d)
			if w.self.Unfit != "" {
				pause(ctx, rest)
				w.tell(ctx, "")
			}
			last = time.Now()
			continue
		case ctx.Err() != nil:
			return nil
		case !errors.Is(err, bus.ErrNone):
			w.Log("%v", err)
			pause(ctx, time.Second)
			// The server may be another one by now, and know nothing.
			if w.Bus.Reopen(ctx) == nil {
				w.Bus.Queue(ctx, w.self.Class()) // the one that there is goes by its name
			}
		}
		if w.Idle > 0 && time.Since(last) > w.Idle {
			return nil
		}
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// later is after how long another worker may try what this one could not do.
const later = time.Second

// handle does a job, and ends its lease in one way or another.
func (w *Worker) handle(ctx context.Context, d *bus.Delivery) {
	began := time.Now()
	var j job.Job
	if err := job.Unpack(d.Data, &j); err != nil || j.ID != d.ID {
		w.answer(ctx, d, job.Result{ID: d.ID, Failure: &job.Failure{Text: fmt.Sprintf("a worker can't read its job %q: %v", j.ID, err)}})
		return
	}
	if d.Answered(ctx) {
		d.Drop(ctx)
		return
	}
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	go d.Keep(working, cancel)
	done, err := w.run(working, d.Hunt(), j)
	r := job.Result{
		ID: j.ID, Worker: w.self.ID, Class: w.self.Class(),
		Seconds: time.Since(began).Seconds(), Times: d.Times(), Done: done,
	}
	if errors.Is(err, errUnfit) && ctx.Err() == nil {
		w.tell(ctx, w.self.Host+", "+err.Error())
		// That it was here says nothing of the job.
		if passed := d.PassOn(working); passed == nil {
			return
		}
	}
	if err != nil {
		switch r.Failure = job.FailureOf(err); {
		case ctx.Err() != nil: // this worker ends
			d.Return(0)
			return
		case working.Err() != nil: // the hunt has
			d.Refuse("its hunt is gone")
			return
		case r.Failure == nil && d.Last():
			r.Failure = &job.Failure{Text: fmt.Sprintf("%d times no worker could run round %s, the last one on %s: %v", bus.Deliveries, j.ID, w.self.Host, err)}
		case r.Failure == nil:
			w.Log("job %s: %v", j.ID, err)
			d.Return(later)
			return
		}
		r.Done = harness.Done{}
	}
	w.answer(ctx, d, r)
}

// answer stores a result. The server may be away for a moment, so it is tried for as long as
// a lease may be waited for.
func (w *Worker) answer(ctx context.Context, d *bus.Delivery, r job.Result) {
	data, err := job.Pack(r)
	if err != nil { // such as a number that is none
		w.Log("job %s: %v", r.ID, err)
		r.Done, r.Failure = harness.Done{}, &job.Failure{Text: "a worker can't tell its result: " + err.Error()}
		if data, err = job.Pack(r); err != nil {
			return
		}
	}
	for try := range 5 {
		storing, cancel := context.WithTimeout(ctx, 10*time.Second)
		first, err := d.Done(storing, data)
		cancel()
		if err == nil {
			if w.Log("job %s: %.2f s", r.ID, r.Seconds); !first {
				w.Log("job %s: another was first", r.ID)
			}
			return
		}
		w.Log("job %s: %v", r.ID, err)
		if ctx.Err() != nil {
			return
		}
		pause(ctx, time.Duration(try)*time.Second)
	}
	d.Return(later)
}

// run gets what the job needs, and runs it.
func (w *Worker) run(ctx context.Context, hunt string, j job.Job) (harness.Done, error) {
	isTree := func(digest string) bool {
		return slices.ContainsFunc(j.Programs, func(p job.Program) bool { return p.Tree == digest })
	}
	open := func(ctx context.Context, digest string) (io.ReadCloser, error) {
		return w.Bus.OpenFile(ctx, hunt, digest)
	}
	if err := w.Cache.Have(ctx, j.Digests(), isTree, open); err != nil {
		return harness.Done{}, err
	}
	task, err := j.On(job.Paths{File: w.Cache.File, Tree: w.Cache.Tree})
	if err != nil {
		return harness.Done{}, err
	}
	if err := w.fit(ctx, j, task); err != nil {
		return harness.Done{}, err
	}
	return w.Perform(ctx, task)
}

// Package fleet spreads the rounds of a hunt over machines. It promises the answers that
// the hunt has by itself: a round, which is a pair or a triple of processes, lives on one
// machine, alone, so that machines may differ; it counts once, whoever else ran it; and
// what is decided is decided here. Workers only run rounds.
//
// Nothing of the hunt knows of it but harness, which hands rounds over (see
// [harness.OnFleet]). A round becomes a job (package job) with its files by digest (depot),
// waits in the hunt until a queue (schedule) says that it is the fleet's turn, and travels
// by NATS JetStream (bus, server) to a worker (worker).
//
// The hunt's memory is the truth: what the server forgets is published again, and a result
// that is not of a job that is waited for counts nowhere. What a hunt has on the server goes
// with it.
package fleet

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/fleet/schedule"
	"github.com/pinpoint-go/pinpoint/harness"
)

// Fleet is a hunt's side of it.
type Fleet struct {
	bus   *bus.Bus
	hunt  string
	store *store
	stop  context.CancelFunc
	ended chan struct{}
	wake  chan struct{}

	mu     sync.Mutex
	kinds  []*kind          // of machines; rounds that ask for none are of the first
	waits  map[string]*wait // by the job's identity
	again  []schedule.Issue // that could not be published
	number int
	unfit  map[string]string // why a worker is not used, by its name
	seen   map[string]bool   // workers that were there
	alike  likeness
	counts Counts
	broken error
}

// wait is a job that has no result.
type wait struct {
	kind *kind // where it is
	job  job.Job
	data []byte // as published
	done chan<- outcome
}

type outcome struct {
	done harness.Done
	err  error
}

// How long a hunt waits for a first worker, and for another when the last one is gone.
const (
	forFirst  = 30 * time.Second
	forOthers = 3 * time.Minute
	forKind   = time.Minute      // of one that is not the first
	look      = 2 * time.Second  // between looks at who is there
	asks      = 10 * time.Second // after which a result is asked for that should have been told
)

// Over is a fleet over a connection, which it closes. Say, if not nil, is told what it waits
// for and what it loses, by several goroutines.
func Over(ctx context.Context, b *bus.Bus, say func(what string)) (*Fleet, error) {
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	hunt := "h" + strings.ToLower(rand.Text()[:12])
	f := &Fleet{
		bus: b, hunt: hunt, store: &store{bus: b, hunt: hunt},
		stop: stop, ended: make(chan struct{}), wake: make(chan struct{}, 1), waits: make(map[string]*wait),
		unfit: make(map[string]string), seen: make(map[string]bool),
	}
	err := f.choose(ctx, say)
	if err == nil {
		err = b.Alive(running, "hunt."+hunt, nil)
	}
	var results <-chan bus.Result
	if err == nil {
		results, err = b.Results(running, hunt)
	}
	var gone <-chan string
	if err == nil {
		gone, err = b.GivenUp(running, hunt)
	}
	if err != nil {
		stop()
		b.Close()
		return nil, err
	}
	go func() {
		defer close(f.ended)
		f.run(running, results, gone, say)
	}()
	return f, nil
}

// Close forgets the hunt, at the server too.
func (f *Fleet) Close() error {
	f.stop()
	<-f.ended
	defer f.bus.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := f.bus.Forget(ctx, f.hunt); err != nil {
		return fmt.Errorf("leaving the fleet: %w", err)
	}
	return nil
}

// Elsewhere is the fleet as the harness sees it.
func (f *Fleet) Elsewhere() harness.Elsewhere {
	return harness.Elsewhere{Run: f.Run, Machines: f.Machines}
}

// Run is [harness.Elsewhere].
func (f *Fleet) Run(ctx context.Context, t harness.Task) (harness.Done, error) {
	ended := make(chan outcome, 1)
	id, err := f.submit(ctx, t, ended)
	if err != nil {
		return harness.Done{}, err
	}
	select {
	case <-ctx.Done():
		f.drop(id)
		return harness.Done{}, ctx.Err()
	case o := <-ended:
		return o.done, o.err
	}
}

// submit makes a job of a task, and has its files brought to the server.
func (f *Fleet) submit(ctx context.Context, t harness.Task, ended chan<- outcome) (string, error) {
	j, err := f.store.pack(ctx, t)
	if err != nil {
		return "", err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return "", f.broken
	}
	f.number++
	j.ID = fmt.Sprintf("%s.%06d", f.hunt, f.number)
	j.Doubts = maps.Clone(f.alike.doubts)
	k := f.kindOf(t.Machine)
	data, err := job.Pack(j)
	if err != nil {
		return "", fmt.Errorf("packing a round: %w", err)
	}
	f.waits[j.ID] = &wait{k, j, data, ended}
	f.counts.Jobs++
	k.queue.Add(t.Rank, group(t), j.ID)
	f.nudge()
	return j.ID, nil
}

// group is what a task is of whose rounds take about as long.
func group(t harness.Task) string {
	return fmt.Sprint(t.Workload.Pattern, " ", t.Binaries[0].Dir, " ", len(t.Binaries), " ", len(t.On))
}

// drop gives a job up that has no result, at the server too if nobody has begun it.
func (f *Fleet) drop(id string) {
	f.mu.Lock()
	w := f.waits[id]
	if w != nil {
		delete(f.waits, id)
		w.kind.queue.Drop(id)
	}
	f.mu.Unlock()
	if w != nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		f.bus.Withdraw(ctx, w.kind.machines.Class, id) // where that fails, a worker finds that nobody waits
	}
}

func (f *Fleet) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// run publishes and takes results in until the hunt ends.
func (f *Fleet) run(ctx context.Context, results <-chan bus.Result, gone <-chan string, say func(what string)) {
	told := f.Counts()
	tick := time.NewTicker(look)
	defer tick.Stop()
	stop := func() {} // what ends the results of an earlier connection
	defer func() { stop() }()
	for {
		f.publish(ctx)
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		case r, ok := <-results:
			if !ok {
				results = nil
				continue
			}
			f.take(r)
		case id := <-gone:
			f.fail(id, fmt.Errorf("%d workers were given round %s and none came back with it: does it end its machine?", bus.Deliveries, id))
		case <-f.bus.Again():
			stop()
			results, stop = f.resume(ctx)
		case <-tick.C:
			f.ask(ctx)
			f.count(ctx)
			if c := f.Counts(); say != nil && c.worse(told) {
				say("the fleet lost something: " + c.Live())
				told = c
			}
		}
	}
}

// resume goes on with a server that was away, and may have forgotten anything: what it is to
// have is made again and published again, files too.
func (f *Fleet) resume(ctx context.Context) (results <-chan bus.Result, stop context.CancelFunc) {
	f.mu.Lock()
	for _, k := range f.kinds {
		forgotten := k.queue.Forgotten()
		f.again = append(f.again, forgotten...)
		f.counts.Again += len(forgotten)
	}
	f.mu.Unlock()
	watching, stop := context.WithCancel(ctx)
	for ctx.Err() == nil {
		err := f.bus.Reopen(ctx)
		if err == nil {
			err = f.store.restore(ctx)
		}
		if err == nil {
			if results, err = f.bus.Results(watching, f.hunt); err == nil {
				return results, stop
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(look):
		}
	}
	return nil, stop
}

// publish gives the server what it is its turn for.
func (f *Fleet) publish(ctx context.Context) {
	f.mu.Lock()
	issues := f.again
	f.again = nil
	for _, k := range f.kinds {
		issues = append(issues, k.queue.Next(time.Now(), max(1, k.machines.Count))...)
	}
	f.mu.Unlock()
	for i, issue := range issues {
		f.mu.Lock()
		w, class := f.waits[issue.ID], ""
		if w != nil {
			class = w.kind.machines.Class
		}
		f.mu.Unlock()
		if w == nil {
			continue // done meanwhile
		}
		publishing, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := f.bus.Publish(publishing, class, issue.ID, issue.Copy, w.data)
		cancel()
		if err == nil {
			continue
		}
		f.mu.Lock()
		f.again = append(f.again, issues[i:]...)
		f.mu.Unlock()
		if errors.Is(err, bus.ErrFull) {
			f.breakDown(err)
		}
		return // the next tick tries again
	}
}

// take takes a result in. One that can't be the job's counts nowhere, and the job is done
// again.
func (f *Fleet) take(r bus.Result) {
	var result job.Result
	err := job.Unpack(r.Data, &result)
	f.mu.Lock()
	w := f.waits[r.ID]
	if w == nil {
		f.counts.Foreign++
		f.mu.Unlock()
		return
	}
	if err == nil {
		err = w.job.Check(result)
	}
	if err != nil {
		f.counts.Foreign++
		f.mu.Unlock()
		f.fail(r.ID, fmt.Errorf("a worker told what can't be: %w", err))
		return
	}
	w.kind.queue.Finish(r.ID, time.Now())
	delete(f.waits, r.ID)
	f.counts.Done++
	if result.Times > 1 {
		f.counts.Late++
	}
	result.Done.On(w.kind.machines.Class)
	f.alike.take(w.job, result)
	f.mu.Unlock()
	o := outcome{done: result.Done}
	if result.Failure != nil {
		o.err = result.Failure.Err()
	}
	w.done <- o // there is room for each
}

// fail ends a job without a result.
func (f *Fleet) fail(id string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.waits[id]; w != nil {
		delete(f.waits, id)
		w.kind.queue.Drop(id)
		w.done <- outcome{err: err}
	}
}

// breakDown ends all jobs, and those to come.
func (f *Fleet) breakDown(err error) {
	f.mu.Lock()
	f.broken = err
	var ids []string
	for id := range f.waits {
		ids = append(ids, id)
	}
	f.mu.Unlock()
	for _, id := range ids {
		f.fail(id, err)
	}
}

// ask asks for results that should have been told by now.
func (f *Fleet) ask(ctx context.Context) {
	f.mu.Lock()
	var old []string
	for _, k := range f.kinds {
		old = append(old, k.queue.Older(time.Now(), asks)...)
	}
	f.mu.Unlock()
	for _, id := range old {
		asking, cancel := context.WithTimeout(ctx, time.Second)
		r, ok, err := f.bus.Result(asking, id)
		cancel()
		if err != nil {
			return
		}
		if ok {
			f.take(r)
		}
	}
}

package harness

import (
	"context"
	"math"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pinpoint-go/pinpoint/internal/flock"
	"github.com/pinpoint-go/pinpoint/trace"
)

// A machine is what all measuring shares: caches, memory, clock frequency.
// Builds share it (both sides build at the same time); a measured pair has it
// alone. Within a process a semaphore says whose turn it is, between processes
// a hall does. Both are fair, and waiting for either ends with the context.
type machine struct {
	turns *semaphore.Weighted
	hall  hall

	place  *semaphore.Weighted // guards what follows; a mutex whose wait can end
	builds int                 // that share the process's place in the hall
	leave  func()              // the hall

	waited waiting
}

// host is this machine. There is one however many values of [Go] and [Campaign]
// there are, hence a variable of the package.
var host = newMachine(hostHall)

const everything = math.MaxInt64

func newMachine(h hall) *machine {
	return &machine{turns: semaphore.NewWeighted(everything), hall: h, place: semaphore.NewWeighted(1)}
}

// whileBuilding runs f beside other builds and beside no measured process.
func (m *machine) whileBuilding(ctx context.Context, f func() error) error {
	if err := m.turns.Acquire(ctx, 1); err != nil {
		return err
	}
	defer m.turns.Release(1)
	if err := m.shareHall(ctx); err != nil {
		return err
	}
	defer m.unshareHall()
	return f()
}

// Quietly runs f while nothing is built or measured here but what f runs with its context,
// which may be several processes at the same time: for those of which only what they did
// counts, and not how long it took. It builds nothing.
func Quietly(ctx context.Context, f func(context.Context) error) error {
	return host.whileQuiet(ctx, func() error { return f(context.WithValue(ctx, quietly{}, true)) })
}

type quietly struct{}

// whileQuiet runs f beside no build and nothing else that is measured.
func (m *machine) whileQuiet(ctx context.Context, f func() error) error {
	if ctx.Value(quietly{}) != nil {
		return f()
	}
	if err := m.turns.Acquire(ctx, everything); err != nil {
		return err
	}
	defer m.turns.Release(everything)
	leave, err := m.enter(ctx, flock.Alone)
	if err != nil {
		return err
	}
	defer leave()
	return f()
}

// enter is the hall's enter, but that a machine without a hall is no reason not
// to measure; HostLock tells of it.
func (m *machine) enter(ctx context.Context, how int) (leave func(), err error) {
	if m.waited.left(ctx) <= 0 {
		return func() {}, nil
	}
	defer trace.Begin(ctx, trace.Wait, "for other pinpoints")()
	start := time.Now()
	leave, err = m.hall.enter(ctx, m.waited.left(ctx), how)
	m.waited.add(time.Since(start))
	if err != nil && ctx.Err() == nil {
		m.waited.left(ctx) // which tells Impatient
		return func() {}, nil
	}
	return leave, err
}

// shareHall comes in with the first of several builds: one that had to pass the
// gate by itself could wait for a measurement that waits for its sibling.
func (m *machine) shareHall(ctx context.Context) error {
	if err := m.place.Acquire(ctx, 1); err != nil {
		return err
	}
	defer m.place.Release(1)
	if m.builds == 0 {
		leave, err := m.enter(ctx, flock.Shared)
		if err != nil {
			return err
		}
		m.leave = leave
	}
	m.builds++
	return nil
}

func (m *machine) unshareHall() {
	m.place.Acquire(context.Background(), 1) // nobody waits in there while a build is in the hall
	defer m.place.Release(1)
	if m.builds--; m.builds == 0 {
		m.leave()
	}
}

// Impatient is how long this process waited for others before it measured beside them; 0
// when it has not.
func Impatient() time.Duration {
	host.waited.mu.Lock()
	defer host.waited.mu.Unlock()
	if !host.waited.over {
		return 0
	}
	return host.waited.total
}

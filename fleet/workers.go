package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/job"
)

// ErrNoWorkers is of a fleet that has nobody to run anything.
var ErrNoWorkers = errors.New("no worker")

// choose takes the class of machines that has most workers which can run what is built
// here, and waits for the first. All rounds of a hunt run on machines of one class.
func (f *Fleet) choose(ctx context.Context, say func(what string)) error {
	for until := time.Now().Add(forFirst); ; {
		classes, err := f.classes(ctx)
		if err != nil {
			return err
		}
		if len(classes) > 0 {
			f.class = slices.MaxFunc(slices.Sorted(maps.Keys(classes)), func(a, b string) int {
				return cmp.Or(cmp.Compare(len(classes[a]), len(classes[b])), cmp.Compare(b, a))
			})
			f.about = classes[f.class][0]
			f.workers = len(classes[f.class])
			f.counts.Workers = f.workers
			for class, list := range classes {
				if class != f.class {
					f.counts.Others += len(list)
				}
			}
			return nil
		}
		if time.Now().After(until) {
			return fmt.Errorf("joining the fleet: %w for %s/%s is there. Start one: pinpoint worker --join URL", ErrNoWorkers, runtime.GOOS, runtime.GOARCH)
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

// classes are the workers that can run what is built here, by class.
func (f *Fleet) classes(ctx context.Context) (map[string][]job.Worker, error) {
	all, err := f.bus.Workers(ctx)
	if err != nil {
		return nil, err
	}
	classes := make(map[string][]job.Worker)
	for _, data := range all {
		var w job.Worker
		if job.Unpack(data, &w) == nil && w.Runs() {
			classes[w.Class()] = append(classes[w.Class()], w)
		}
	}
	return classes, nil
}

// count looks how many workers there are. When there was none for too long, the fleet
// breaks down.
func (f *Fleet) count(ctx context.Context, lonely *time.Time) {
	asking, cancel := context.WithTimeout(ctx, look)
	defer cancel()
	classes, err := f.classes(asking)
	n := len(classes[f.class])
	f.mu.Lock()
	if err == nil {
		f.workers = n
		f.counts.Workers = max(f.counts.Workers, n)
	}
	idle := len(f.waits) == 0
	f.mu.Unlock()
	switch {
	case err == nil && n > 0 || idle:
		*lonely = time.Time{}
	case lonely.IsZero():
		*lonely = time.Now()
	case time.Since(*lonely) > forOthers:
		if err == nil {
			err = fmt.Errorf("%w of the class %s (%s) is left", ErrNoWorkers, f.class, f.about.Describe())
		}
		f.breakDown(fmt.Errorf("the fleet did nothing for %v: %w", forOthers, err))
	}
}

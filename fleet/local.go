package fleet

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/server"
	"github.com/pinpoint-go/pinpoint/fleet/worker"
)

// MostStored is how much a hunt's own server stores, in bytes, and MostCached what a worker
// keeps of files.
const (
	MostStored = 16 << 30
	MostCached = 4 << 30
)

// Local is a fleet of so many workers in this process, with a server that nobody else
// reaches. They take turns on this machine, so it is no faster: it is the whole way with one
// command. What it stores below cache goes when it is closed.
func Local(ctx context.Context, n int, cache, version string, say func(what string)) (f *Fleet, stop func() error, err error) {
	own, remove, err := server.Temporary(filepath.Join(cache, "fleet"), MostStored)
	if err != nil {
		return nil, nil, err
	}
	working, end := context.WithCancel(context.WithoutCancel(ctx))
	var workers sync.WaitGroup
	var kept []string
	clean := func() error {
		end()
		workers.Wait()
		errs := []error{remove()}
		for _, dir := range kept {
			errs = append(errs, os.RemoveAll(dir))
		}
		return errors.Join(errs...)
	}
	join := bus.Join{URL: "nats://127.0.0.1", Tenant: "default"}
	for range n {
		dir, err := os.MkdirTemp(filepath.Join(cache, "fleet"), "worker-")
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("starting a worker: %w", err), clean())
		}
		kept = append(kept, dir)
		w := &worker.Worker{Version: version}
		if w.Cache, err = depot.OpenCache(dir, MostCached); err == nil {
			w.Bus, err = bus.Connect(ctx, join, own)
		}
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("starting a worker: %w", err), clean())
		}
		workers.Go(func() {
			defer w.Bus.Close()
			defer w.Cache.Close()
			w.Run(working) // what it can't do, the hunt is told by the jobs that don't come back
		})
	}
	b, err := bus.Connect(ctx, join, own)
	if err == nil {
		f, err = Over(ctx, b, say)
	}
	if err != nil {
		return nil, nil, errors.Join(err, clean())
	}
	return f, func() error { return errors.Join(f.Close(), clean()) }, nil
}

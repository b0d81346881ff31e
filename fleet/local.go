package fleet

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/server"
	"github.com/pinpoint-go/pinpoint/fleet/worker"
	"github.com/pinpoint-go/pinpoint/harness"
)

// MostStored is how much a hunt's own server stores, in bytes, and MostCached what a worker
// keeps of files.
const (
	MostStored = 16 << 30
	MostCached = 4 << 30
)

// Local is a fleet of so many workers in this process, with a server that nobody else
// reaches. They take turns on this machine, so it is no faster: it is the whole way with one
// command. What it stores goes with the process, at the latest when the next one begins.
func Local(ctx context.Context, n int, version string, say func(what string)) (f *Fleet, stop func() error, err error) {
	temp, err := harness.NewTempDir()
	if err != nil {
		return nil, nil, err
	}
	own, err := server.Own(filepath.Join(temp.Path, "store"), MostStored)
	if err != nil {
		return nil, nil, errors.Join(err, temp.Remove())
	}
	working, end := context.WithCancel(context.WithoutCancel(ctx))
	var workers sync.WaitGroup
	clean := func() error {
		end()
		workers.Wait()
		own.Close()
		return temp.Remove()
	}
	join := bus.Join{URL: "nats://127.0.0.1", Tenant: "default"}
	for range n {
		w := &worker.Worker{Version: version}
		if w.Cache, err = depot.OpenCache(filepath.Join(temp.Path, "programs"), MostCached); err == nil {
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

package fleet

import (
	"context"
	"testing"

	"github.com/pinpoint-go/pinpoint/fleet/bus"
	"github.com/pinpoint-go/pinpoint/fleet/depot"
	"github.com/pinpoint-go/pinpoint/fleet/server"
	"github.com/pinpoint-go/pinpoint/fleet/worker"
	"github.com/pinpoint-go/pinpoint/harness"
)

// BenchmarkRound is what a round takes besides running it, one after the other: packed,
// published, leased, stored and taken in, with the results of two processes of 200 batches.
func BenchmarkRound(b *testing.B) {
	s, err := server.On(-1, b.TempDir(), token, 1<<30)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	cache, err := depot.OpenCache(b.TempDir(), MostCached)
	if err != nil {
		b.Fatal(err)
	}
	var ends [2]*bus.Bus
	for i := range ends {
		if ends[i], err = bus.Connect(b.Context(), joinOf(s), nil); err != nil {
			b.Fatal(err)
		}
	}
	w := &worker.Worker{Bus: ends[0], Cache: cache, Perform: func(_ context.Context, task harness.Task) (harness.Done, error) {
		d := ran(task)
		for side := range d.Round.Runs {
			p := &d.Round.Runs[side]
			for i := range task.Batches {
				p.Batches = append(p.Batches, harness.Batch{Bench: "BenchmarkX", N: 1, NS: float64(300_000 + 7*i), Allocs: 1234, Bytes: 567890})
			}
		}
		return d, nil
	}}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	go w.Run(ctx)
	f, err := Over(ctx, ends[1], nil)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	list := tasks(b, 1)
	list[0].Batches = 200
	if _, err := f.Run(ctx, list[0]); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := f.Run(ctx, list[0]); err != nil {
			b.Fatal(err)
		}
	}
}

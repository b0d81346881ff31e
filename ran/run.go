package ran

import (
	"context"
	"errors"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// Run is what one process did.
type Run struct {
	Benchmarks []string // that the workload's pattern matches
	Executed   []Executed
	Programs   bool // it started some, see [Counter.Programs]
}

// Executed is a function that differs, or uses what does, and that ran.
type Executed struct {
	Counted
	Timed  float64 // calls per operation while the timer ran, in the longest batch; all there were, where there are several benchmarks
	Around int64   // calls before the timer, between batches and where it stood
}

// Run runs a workload once on each side. Errors are those of harness.Run, good's and bad's,
// except that a pattern may match several benchmarks: what these ran is put together.
func (c *Counter) Run(ctx context.Context, w harness.Workload) (runs change.Pair[Run], errs change.Pair[error]) {
	runs.Good, errs.Good = c.run(ctx, c.bins.Good, w, c.counted.Good)
	runs.Bad, errs.Bad = c.run(ctx, c.bins.Bad, w, c.counted.Bad)
	return runs, errs
}

func (c *Counter) run(ctx context.Context, bin harness.Binary, w harness.Workload, counted []Counted) (Run, error) {
	on := make([]int, len(counted))
	for i := range on {
		on[i] = 2 * i
	}
	p, err := harness.Run(ctx, bin, w, harness.Order{On: [][]int{on}})
	var several *harness.ChoiceError
	if err != nil && !errors.As(err, &several) {
		return Run{}, err
	}
	r := Run{Benchmarks: p.Benchmarks, Programs: c.Programs(p)}
	for i, fn := range counted {
		all := p.Totals[2*i+1].Calls
		if all == 0 {
			continue
		}
		x := Executed{Counted: fn, Around: all}
		for _, b := range p.Batches {
			x.Around -= b.Parts[2*i].Calls
			if x.Timed += float64(b.Parts[2*i].Calls); several == nil {
				x.Timed = float64(b.Parts[2*i].Calls) / float64(max(1, b.N))
			}
		}
		r.Executed = append(r.Executed, x)
	}
	return r, nil
}

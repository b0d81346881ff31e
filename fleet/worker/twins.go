package worker

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/job"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A machine is fit where a program held against itself is as fast: twin pairs. By default it
// runs so many, twice as many if they leave it open, and is unfit where these differ by more
// than much with so small a chance, or scatter so that pairs tell nothing.
const (
	twins   = 6
	unequal = 0.05
	chance  = 1e-3
	wild    = 0.5 // standard deviation of a log ratio
)

// rest is for how long a machine that is not fit takes no jobs. It may be better then.
const rest = 5 * time.Minute

var errUnfit = errors.New("held against itself")

// fit holds a program of a job against itself if the machine was not yet, or if the hunt
// doubts it anew. A program that can't be run says nothing of the machine.
func (w *Worker) fit(ctx context.Context, j job.Job, t harness.Task) error {
	doubts := j.Doubts[w.self.ID]
	if !w.Twins || t.Workload.Kind != harness.Bench || t.Calibrate || w.fits && doubts <= w.doubts {
		return nil
	}
	b := t.Binaries[0]
	twin := harness.Task{
		Binaries: []harness.Binary{b, b}, N: []int64{t.N[0], t.N[0]}, Workload: t.Workload, Batches: t.Batches, Sandboxed: t.Sandboxed,
	}
	var one, other []float64
	for _, most := range []int{twins, 2 * twins} {
		for n := len(one); n < most; n++ {
			twin.Order, twin.Number = []int{n % 2, 1 - n%2}, n
			done, err := w.Perform(ctx, twin)
			if err != nil {
				return nil
			}
			one, other = append(one, done.Round.Runs[0].Sample().Whole), append(other, done.Round.Runs[1].Sample().Whole)
		}
		c := (stats.Rule{Alpha: chance / 2, MinEffect: unequal * stats.Summarize(one).Mean, Test: stats.TestPaired}).Compare(one, other)
		if c.Verdict == stats.Slower || c.Verdict == stats.Faster {
			return fmt.Errorf("%w, a program takes %.2fx [%.2f, %.2f] as long", errUnfit, c.Ratio.Mean, c.Ratio.Low, c.Ratio.High)
		}
		if c.Verdict == stats.Same {
			break
		}
	}
	if scatter := scatterOf(one, other); scatter > wild {
		return fmt.Errorf("%w, the ratio of a program scatters by %.0f %%", errUnfit, 100*scatter)
	}
	w.fits, w.doubts = true, doubts
	return nil
}

func scatterOf(one, other []float64) float64 {
	var logs []float64
	for i := range one {
		logs = append(logs, math.Log(other[i]/one[i]))
	}
	return stats.Summarize(logs).SD
}

// tell has hunts know whether the machine is fit; "" is fit.
func (w *Worker) tell(ctx context.Context, unfit string) {
	w.self.Unfit, w.fits = unfit, false
	if about, err := job.Pack(w.self); err == nil {
		w.Bus.Say(ctx, about) // where that fails, it is told with the next sign
	}
}

package harness

import (
	"context"
	"math"
)

// Iterations says what every process of a measurement runs.
type Iterations struct {
	N       []int64 // of a batch, by binary; all equal unless Note says why not
	Batches int
	Note    string // for the report; may be empty
	Doubts  string // why times can't be those of an operation; may be empty
}

// CalibrateEach is [Calibrate] for any number of binaries, at least one. They get
// one common iteration count, set by the slowest, where the clock can bridge
// the fastest and the slowest; else each gets its own.
func CalibrateEach(ctx context.Context, bins []Binary, w Workload) (Iterations, error) {
	it := Iterations{N: make([]int64, len(bins))}
	estimates := make([]Estimate, len(bins))
	fastest, slowest := 0, 0
	for i, b := range bins {
		_, e, err := calibrate(ctx, b, w)
		if err != nil {
			return it, err
		}
		estimates[i] = e
		if e.Op < estimates[fastest].Op {
			fastest = i
		}
		if e.Op > estimates[slowest].Op {
			slowest = i
		}
	}
	plan, err := makePlan(w.Kind, estimates[fastest], estimates[slowest])
	it.Batches, it.Note, it.Doubts = plan.Batches, plan.Note, doubts(estimates...)
	for i, e := range estimates {
		it.N[i] = plan.BadN
		if plan.GoodN != plan.BadN {
			it.N[i] = int64(math.Round(float64(plan.BadN) * estimates[slowest].Op / e.Op))
		}
	}
	return it, err
}

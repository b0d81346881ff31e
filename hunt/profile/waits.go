package profile

import (
	"context"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
)

// Waits are the stacks on which goroutines waited for locks, channels and their
// like, with the nanoseconds per operation of each.
type Waits struct {
	stacks []Wait
}

// Wait is one of them.
type Wait struct {
	Frames []Activation
	NS     float64 // per operation
}

// waitBatches are as many as show what every operation waits for.
const waitBatches = 30

// Waits runs a side's benchmark once with every wait recorded (Go's block
// profile). All goroutines that wait are counted, so that an operation may wait
// for longer than it lasts.
func (r *Recorder) Waits(ctx context.Context, s *sides.Side) (*Waits, error) {
	r.Sampler.Log.Phase("looking what " + s.Label + " waits for")
	plan := r.Sampler.Plan
	o := harness.Order{N: change.Pair[int64]{Good: plan.GoodN, Bad: plan.BadN}.Of(s.Which), Batches: min(waitBatches, plan.Batches)}
	prof, p, err := r.run(ctx, s, "block", o, "-test.blockprofilerate=1")
	if err != nil {
		return nil, err
	}
	ops := int64(1) // package testing's own first iteration
	for _, b := range p.Batches {
		ops += b.N
	}
	return waitsOf(s, prof, float64(ops)), nil
}

func waitsOf(s *sides.Side, prof *profile.Profile, ops float64) *Waits {
	delay := slices.IndexFunc(prof.SampleType, func(t *profile.ValueType) bool { return t.Type == "delay" })
	list := &Waits{}
	resolve := resolver(s)
	for _, sample := range prof.Sample {
		if frames := belowTimed(s, activations(sample, resolve)); frames != nil && delay >= 0 {
			list.stacks = append(list.stacks, Wait{frames, float64(sample.Value[delay]) / ops})
		}
	}
	return list
}

// In is how long goroutines wait while fn is on their stack, per operation, and
// what for at most.
func (w *Waits) In(fn *callgraph.Function) (ns float64, longest *Wait) {
	for i, st := range w.stacks {
		if !slices.ContainsFunc(st.Frames, func(a Activation) bool { return a.Func == fn }) {
			continue
		}
		ns += st.NS
		if longest == nil || st.NS > longest.NS {
			longest = &w.stacks[i]
		}
	}
	return ns, longest
}

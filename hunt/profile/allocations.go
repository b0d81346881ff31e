package profile

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
)

// Allocations are what an operation of one side allocates, by stack.
type Allocations struct {
	Stacks []AllocStack
}

// Allocated are recorded allocations of both sides, paired by index.
type Allocated struct{ Good, Bad []*Allocations }

// Add records both sides until there are n of each.
func (p *Allocated) Add(ctx context.Context, r *Recorder, n int) error {
	for len(p.Bad) < n {
		r.Sampler.Log.Phase("recording what both allocate")
		a, err := both(ctx, r.Pair, r.Allocations)
		if err != nil {
			return err
		}
		p.Good, p.Bad = append(p.Good, a.Good), append(p.Bad, a.Bad)
	}
	return nil
}

// AllocStack is one stack that allocates, from the timed function downwards, with
// the allocations and bytes per operation that end there.
type AllocStack struct {
	Frames        []Activation
	Allocs, Bytes float64
}

// countedOps is about how many operations are profiled. Every allocation is
// recorded, which takes about as long as a hundred others.
const countedOps = 200

// Allocations records all allocations of a side's benchmark by stack. A process
// with twice the operations is held against one with n: what is left after the
// subtraction is those of n operations, without what setting up takes.
//
// Objects of less than 16 bytes without pointers share blocks and are recorded by
// the block (runtime.MemProfileRate), so that there may be fewer of them here
// than the benchmark counts.
func (r *Recorder) Allocations(ctx context.Context, s *sides.Side) (*Allocations, error) {
	// From two operations on, testing runs one besides them, and else none.
	n := max(2, min(countedOps, r.Sampler.Plan.GoodN, r.Sampler.Plan.BadN))
	once, err := r.allocationProfile(ctx, s, n)
	if err != nil {
		return nil, err
	}
	twice, err := r.allocationProfile(ctx, s, 2*n)
	if err != nil {
		return nil, err
	}
	a := &Allocations{}
	for key, st := range twice {
		less := once[key]
		// What grows in steps may have grown more in fewer operations.
		st.Allocs, st.Bytes = (st.Allocs-less.Allocs)/float64(n), max(0, st.Bytes-less.Bytes)/float64(n)
		if st.Allocs > 0 {
			a.Stacks = append(a.Stacks, st)
		}
	}
	return a, nil
}

// allocationProfile runs n operations with every allocation recorded and gives
// them by stack, as far as the timed function is on it.
func (r *Recorder) allocationProfile(ctx context.Context, s *sides.Side, n int64) (map[string]AllocStack, error) {
	prof, _, err := r.run(ctx, s, "mem", harness.Order{N: n, Batches: 1}, "-test.memprofilerate=1")
	if err != nil {
		return nil, err
	}
	return allocStacks(s, prof)
}

// allocStacks gives a profile's allocations by stack, below the timed function.
func allocStacks(s *sides.Side, prof *profile.Profile) (map[string]AllocStack, error) {
	index := make(map[string]int)
	for i, t := range prof.SampleType {
		index[t.Type] = i
	}
	objects, ok := index["alloc_objects"]
	space, also := index["alloc_space"]
	if !ok || !also {
		return nil, fmt.Errorf("the allocation profile of %s has no allocations", s.Label)
	}
	resolve := resolver(s)
	list := make(map[string]AllocStack)
	for _, sample := range prof.Sample {
		frames := belowTimed(s, activations(sample, resolve))
		if frames == nil {
			continue
		}
		key := stackKey(frames)
		st := list[key]
		st.Frames = frames
		st.Allocs += float64(sample.Value[objects])
		st.Bytes += float64(sample.Value[space])
		list[key] = st
	}
	return list, nil
}

func stackKey(list []Activation) string {
	key := ""
	for _, a := range list {
		key += a.Name + ":" + strconv.Itoa(a.Line) + "\n"
	}
	return key
}

// In is what is allocated while fn is on the stack.
func (a *Allocations) In(fn *callgraph.Function) *Allocations {
	below := &Allocations{}
	for _, st := range a.Stacks {
		if i := slices.IndexFunc(st.Frames, func(x Activation) bool { return x.Func == fn }); i >= 0 {
			st.Frames = st.Frames[i:]
			below.Stacks = append(below.Stacks, st)
		}
	}
	return below
}

// Total is how many allocations there are, and of how many bytes.
func (a *Allocations) Total() (allocs, bytes float64) {
	for _, st := range a.Stacks {
		allocs += st.Allocs
		bytes += st.Bytes
	}
	return allocs, bytes
}

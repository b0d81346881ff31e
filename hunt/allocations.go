package hunt

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
)

// allocations are what an operation of one side allocates, by stack.
type allocations struct {
	stacks []allocStack
}

// allocStack is one stack that allocates, from the timed function downwards, with
// the allocations and bytes per operation that end there.
type allocStack struct {
	frames        []activation
	allocs, bytes float64
}

// countedOps is about how many operations are profiled. Every allocation is
// recorded, which takes about as long as a hundred others.
const countedOps = 200

// allocationsOf records all allocations of a side's benchmark by stack. A process
// with twice the operations is held against one with n: what is left after the
// subtraction is those of n operations, without what setting up takes.
//
// Objects of less than 16 bytes without pointers share blocks and are recorded by
// the block (runtime.MemProfileRate), so that there may be fewer of them here
// than the benchmark counts.
func (h *hunt) allocationsOf(ctx context.Context, s *side) (*allocations, error) {
	// From two operations on, testing runs one besides them, and else none.
	n := max(2, min(countedOps, h.sampler.Plan.GoodN, h.sampler.Plan.BadN))
	once, err := h.allocationProfile(ctx, s, n)
	if err != nil {
		return nil, err
	}
	twice, err := h.allocationProfile(ctx, s, 2*n)
	if err != nil {
		return nil, err
	}
	a := &allocations{}
	for key, st := range twice {
		less := once[key]
		// What grows in steps may have grown more in fewer operations.
		st.allocs, st.bytes = (st.allocs-less.allocs)/float64(n), max(0, st.bytes-less.bytes)/float64(n)
		if st.allocs > 0 {
			a.stacks = append(a.stacks, st)
		}
	}
	return a, nil
}

// allocationProfile runs n operations with every allocation recorded and gives
// them by stack, as far as the timed function is on it.
func (h *hunt) allocationProfile(ctx context.Context, s *side, n int64) (map[string]allocStack, error) {
	h.log.Phase("recording what " + s.Label + " allocates")
	prof, _, err := h.runProfiled(ctx, s, "mem", harness.Order{N: n, Batches: 1}, "-test.memprofilerate=1")
	if err != nil {
		return nil, err
	}
	return s.allocStacks(prof)
}

// allocStacks gives a profile's allocations by stack, below the timed function.
func (s *side) allocStacks(prof *profile.Profile) (map[string]allocStack, error) {
	index := make(map[string]int)
	for i, t := range prof.SampleType {
		index[t.Type] = i
	}
	objects, ok := index["alloc_objects"]
	space, also := index["alloc_space"]
	if !ok || !also {
		return nil, fmt.Errorf("the allocation profile of %s has no allocations", s.Label)
	}
	resolve := s.resolver()
	list := make(map[string]allocStack)
	for _, sample := range prof.Sample {
		frames := s.belowTimed(activations(sample, resolve))
		if frames == nil {
			continue
		}
		key := stackKey(frames)
		st := list[key]
		st.frames = frames
		st.allocs += float64(sample.Value[objects])
		st.bytes += float64(sample.Value[space])
		list[key] = st
	}
	return list, nil
}

func stackKey(list []activation) string {
	key := ""
	for _, a := range list {
		key += a.name + ":" + strconv.Itoa(a.line) + "\n"
	}
	return key
}

// in is what is allocated while fn is on the stack.
func (a *allocations) in(fn *callgraph.Function) *allocations {
	below := &allocations{}
	for _, st := range a.stacks {
		if i := slices.IndexFunc(st.frames, func(x activation) bool { return x.fn == fn }); i >= 0 {
			st.frames = st.frames[i:]
			below.stacks = append(below.stacks, st)
		}
	}
	return below
}

// total is how many allocations there are, and of how many bytes.
func (a *allocations) total() (allocs, bytes float64) {
	for _, st := range a.stacks {
		allocs += st.allocs
		bytes += st.bytes
	}
	return allocs, bytes
}

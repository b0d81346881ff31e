package hunt

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
)

// waitShare is the share of the whole difference from which waiting is worth a
// word.
const waitShare = 0.1

// waits are the stacks on which goroutines waited for locks, channels and their
// like, with the nanoseconds per operation of each.
type waits struct {
	stacks []wait
}

type wait struct {
	frames []activation
	ns     float64 // per operation
}

// waitBatches are as many as show what every operation waits for.
const waitBatches = 30

// waitsOf runs a side's benchmark once with every wait recorded (Go's block
// profile). All goroutines that wait are counted, so that an operation may wait
// for longer than it lasts.
func (h *hunt) waitsOf(ctx context.Context, s *side) (*waits, error) {
	h.log.Phase("looking what " + s.Label + " waits for")
	o := harness.Order{N: h.iterations(s), Batches: min(waitBatches, h.sampler.Plan.Batches)}
	prof, p, err := h.runProfiled(ctx, s, "block", o, "-test.blockprofilerate=1")
	if err != nil {
		return nil, err
	}
	ops := int64(1) // package testing's own first iteration
	for _, b := range p.Batches {
		ops += b.N
	}
	return s.waits(prof, float64(ops)), nil
}

func (s *side) waits(prof *profile.Profile, ops float64) *waits {
	delay := slices.IndexFunc(prof.SampleType, func(t *profile.ValueType) bool { return t.Type == "delay" })
	list := &waits{}
	resolve := s.resolver()
	for _, sample := range prof.Sample {
		if frames := s.belowTimed(activations(sample, resolve)); frames != nil && delay >= 0 {
			list.stacks = append(list.stacks, wait{frames, float64(sample.Value[delay]) / ops})
		}
	}
	return list
}

// in is how long goroutines wait while fn is on their stack, per operation, and
// what for at most.
func (w *waits) in(fn *callgraph.Function) (ns float64, longest *wait) {
	for i, st := range w.stacks {
		if !slices.ContainsFunc(st.frames, func(a activation) bool { return a.fn == fn }) {
			continue
		}
		ns += st.ns
		if longest == nil || st.ns > longest.ns {
			longest = &w.stacks[i]
		}
	}
	return ns, longest
}

// blocking says how much longer goroutines wait in a culprit than in its twin in
// good, if that is some of the difference.
func (h *hunt) blocking(good, bad *callgraph.Function) []string {
	if h.waits[0] == nil || h.waits[1] == nil || !h.sampler.Quantity.IsTime() {
		return nil
	}
	before, _ := h.waits[0].in(good)
	now, longest := h.waits[1].in(bad)
	if now-before < waitShare*h.whole.Comparison.Diff.Mean || longest == nil {
		return nil
	}
	was := "not at all"
	if before >= 1 {
		was = "for " + roundTime(before).String() + " per operation"
	}
	return []string{fmt.Sprintf("goroutines wait in it %s in good and for %v per operation in bad, most of all in %s",
		was, roundTime(now), h.waitsFor(*longest))}
}

// waitsFor names what a stack waits in: the call that blocks, and the line of
// loaded source that makes it.
func (h *hunt) waitsFor(w wait) string {
	leaf := w.frames[len(w.frames)-1]
	at := lastKnown(w.frames)
	if at == nil || at.fn == leaf.fn {
		return fmt.Sprintf("%s (line %d)", leaf.name, leaf.line)
	}
	pos := at.fn.Pos
	pos.Line, pos.Column = at.line, 1
	return fmt.Sprintf("%s at %s", leaf.name, h.position(pos))
}

func roundTime(ns float64) time.Duration {
	d := time.Duration(ns)
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}

// lookForWaits records what both sides wait for.
func (h *hunt) lookForWaits(ctx context.Context) {
	for i, s := range []*side{h.good, h.bad} {
		// Evidence that can't be had is left out.
		h.waits[i], _ = h.waitsOf(ctx, s)
	}
}

package hunt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/ran"
)

// idleness finds out what of the workload differs, as far as that takes no time: where
// nothing does, or nothing that the source has the workload reach and counters see run,
// the report says so. It gives what says later whether anything ran; nil where that
// can't be counted.
func (h *hunt) idleness(ctx context.Context) func(context.Context) bool {
	if !h.Set.SameCompiler() {
		return nil
	}
	counter := ran.New(h.Set, h.change())
	if counter.Always != "" {
		return nil
	}
	if file, err := ran.OtherFiles(ctx, h.Set); err != nil || file != "" {
		return nil
	}
	if counter.Nothing() {
		if h.runs(ctx, counter) {
			h.isIdle("nothing that it is made of differs, but for positions and comments")
		}
		return nil
	}
	asked := false
	idle := func(ctx context.Context) bool {
		if !asked && h.Sampler.Budget.Left() > 0 {
			asked = true
			h.isIdle(h.counted(ctx, counter))
		}
		return h.idle != ""
	}
	if !h.mayReach(counter.Affected()) {
		idle(ctx)
	}
	return idle
}

// isIdle notes why the workload is idle, unless it is not.
func (h *hunt) isIdle(why string) {
	if h.idle = why; why != "" {
		h.Log.Warn("what did not run can't have got slower, so it was measured no further: --measure-anyway compares it all the same")
	}
}

// runs says whether the workload is there on both sides, is one, does not fail and starts
// no program: it is no answer that nothing of it differs where there is nothing, or more.
func (h *hunt) runs(ctx context.Context, counter *ran.Counter) bool {
	for _, s := range h.Sides() {
		p, err := harness.Run(ctx, s.Unprobed, h.Options.Workload, harness.Order{N: 1})
		if err != nil || counter.Programs(p) {
			return false // comparing it says why
		}
		h.Log.Ran(1, 0)
	}
	return true
}

// counted runs both sides once with counters on what differs, and gives why the workload
// is idle; "" where something ran, or that is not known.
func (h *hunt) counted(ctx context.Context, counter *ran.Counter) string {
	h.Log.Phase("counting what it runs of what differs")
	if err := counter.Build(ctx); err != nil || counter.Always != "" {
		return ""
	}
	runs, errs := counter.Run(ctx, h.Options.Workload)
	h.Log.Ran(2, 0)
	if errs.Good != nil || errs.Bad != nil || len(runs.Good.Executed)+len(runs.Bad.Executed) > 0 {
		return ""
	}
	if runs.Good.Programs || runs.Bad.Programs {
		h.Log.Warn("it starts programs: what these run of what differs is not seen")
		return ""
	}
	if len(runs.Good.Benchmarks) > 1 || len(runs.Bad.Benchmarks) > 1 {
		return "" // comparing them says that one is to be chosen
	}
	var names []string
	for _, fn := range slices.Concat(counter.Affected().Bad, counter.Affected().Good) {
		if !slices.Contains(names, fn.Name) {
			names = append(names, fn.Name)
		}
	}
	if len(names) == 1 {
		return "it does not run " + names[0] + ", which is all that differs"
	}
	return fmt.Sprintf("it runs none of the %d functions that differ or use what does", len(names))
}

// mayReach says whether the source has the workload reach a function of these, in either
// revision. Where its function is not known before it runs, it may.
func (h *hunt) mayReach(affected change.Pair[[]change.Affected]) bool {
	if h.Options.Workload.Kind == harness.Main {
		return true
	}
	name := strings.Trim(harness.FirstElement(h.Options.Workload.Pattern), "^$")
	reaches := func(s *sides.Side, list []change.Affected) bool {
		from, err := s.Prog.Func(name)
		if err != nil {
			return true
		}
		reached := make(map[*callgraph.Function]bool)
		for _, fn := range s.Prog.Reach(from) {
			reached[fn] = true
		}
		return slices.ContainsFunc(list, func(fn change.Affected) bool { return reached[fn.Function] })
	}
	return reaches(h.Good, affected.Good) || reaches(h.Bad, affected.Bad)
}

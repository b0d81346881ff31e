package hunt

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/ran"
)

// thoseThatRan takes out of what can only be put back together what ran in neither
// revision, set-up and all: it came along for the compiler, and what did not run cannot
// have regressed. Where one is left, it alone is to blame.
func (h *hunt) thoseThatRan(ctx context.Context, f finder.Finding) (left finder.Finding, idle []int) {
	if f.Blame != finder.OneOf || len(f.Set()) < 2 {
		return f, nil
	}
	executed, known := h.executed(ctx)
	if !known {
		return f, nil
	}
	some, idle := companions(h.lab.Elements, f.Set(), executed)
	if len(some) == 0 {
		return f, nil // then it is not by running that it makes the difference
	}
	if f.Sets = [][]int{some}; len(some) == 1 {
		f.Blame = finder.Alone
	}
	return f, idle
}

// companions are those of a set that may have run, and those that surely did not.
func companions(list []prove.Element, set []int, executed map[string]bool) (some, idle []int) {
	did := func(fn *callgraph.Function) bool { return fn != nil && executed[fn.Name] }
	for _, i := range set {
		e := list[i]
		if e.Module != nil || slices.ContainsFunc(e.Suspects, func(s change.Suspect) bool { return s.Kind != change.Func || did(s.Good) || did(s.Bad) }) {
			some = append(some, i)
		} else {
			idle = append(idle, i)
		}
	}
	return some, idle
}

// executed are the functions that differ, by name, that ran in either revision, in one
// process of each; not known where they can't be counted or there is no time to.
func (h *hunt) executed(ctx context.Context) (names map[string]bool, known bool) {
	counter := ran.New(h.Set, h.change())
	if counter.Always != "" || h.Sampler.Budget.Left() <= 0 {
		return nil, false
	}
	h.Log.Phase("counting what it runs of what differs")
	if err := counter.Build(ctx); err != nil || counter.Always != "" {
		return nil, false
	}
	runs, errs := counter.Run(ctx, h.Options.Workload)
	h.Log.Ran(2, 0)
	names = make(map[string]bool)
	for _, x := range slices.Concat(runs.Good.Executed, runs.Bad.Executed) {
		names[x.Function] = true
	}
	return names, errs.Good == nil && errs.Bad == nil
}

package hunt

import (
	"context"
	"fmt"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// callsNew says whether a function of bad may lead to others that only bad has.
func (h *hunt) callsNew(bad *callgraph.Function) bool {
	return slices.ContainsFunc(h.Bad.Prog.Reach(bad), func(fn *callgraph.Function) bool {
		_, both := h.change().InGood(fn)
		return fn != bad && fn.HasBody() && fn.Outer == nil && !both
	})
}

// ofNewModule says whether a function of bad is of a dependency that good does not have.
// To take it in was the decision of who calls it, and its own functions are nobody's
// change.
func (h *hunt) ofNewModule(fn *callgraph.Function) bool {
	if fn.Pkg == nil || fn.Pkg.Module == nil || fn.Pkg.Module.Main {
		return false
	}
	_, both := h.Good.Versions()[fn.Pkg.Module.Path]
	return !both
}

// nameCalled names, where a culprit does its work in functions that only bad has, the
// deepest of them that most of it is in: they came with the call, and are gone with it.
// The call that leads to them stays with it.
func (h *hunt) nameCalled(ctx context.Context, c *report.Culprit, of change.Functions) {
	if !h.Sampler.Quantity.IsTime() || !h.callsNew(of.Bad) {
		return
	}
	stacks, err := h.recorder.Both(ctx)
	if err != nil {
		return
	}
	// All that they take is gained: good has none of them.
	best := h.deepestNew(stacks.Bad, of.Bad, 0, mostOf*c.Share)
	if best == nil {
		return
	}
	caller := c.Function
	c.Function, c.Position = best.Name, h.Position(best.Pos)
	c.CallsGood, c.CallsBad = c.Counted(best.Name) // those so far are the caller's
	text := fmt.Sprintf("only bad has it: it does the work that %s was changed to ask for", caller)
	if c.How == report.ByPutBack {
		text += fmt.Sprintf(", and good's code for %s was put back for it", caller)
	}
	c.Attest(report.Fact{Kind: "calls", Function: c.Function, Position: c.Position, Text: text})
	if c.Kind == report.OwnCode && len(c.Chain) > 0 {
		c.Chain[len(c.Chain)-1].Call = "(what it was changed to call)"
	}
	c.Chain = append(c.Chain, report.Step{Function: best.Name, Call: "(its own code)", Position: c.Position})
}

// newAmong is, where putting code back does not tell several things apart and the profiles
// see little of the difference in the likeliest of them, the deepest function that only
// bad has and most of it is in: it came with them. What good alone has may have done the
// same, all of it.
func (h *hunt) newAmong(ctx context.Context, f finder.Finding, likeliest prove.Element) (fn *callgraph.Function, ok bool) {
	if f.Blame != finder.OneOf || len(f.Set()) < 2 || !h.Sampler.Quantity.IsTime() || likeliest.Gained >= mostOf*f.Share.Mean {
		return nil, false
	}
	stacks, err := h.recorder.Both(ctx)
	if err != nil {
		return nil, false
	}
	both := make(map[*callgraph.Function]bool)
	for _, fn := range h.Bad.Prog.Reach(change.Outermost(h.Bad.Timed)) {
		if good, ok := h.change().InGood(fn); ok {
			both[good] = true
		}
	}
	var all, lost float64
	for _, st := range stacks.Good {
		all += float64(st.Weight)
		if slices.ContainsFunc(st.Sites, func(x profile.Site) bool { return !both[x.Func] }) {
			lost += float64(st.Weight)
		}
	}
	if all == 0 {
		return nil, false
	}
	fn = h.deepestNew(stacks.Bad, nil, lost/all, mostOf*f.Share.Mean)
	return fn, fn != nil
}

// deepestNew is, on bad's stacks, the deepest function that only bad has, below another one or, for nil,
// anywhere, in which profiles see so much of the difference where a share of good's time
// may have gone to the same; nil if there is none.
func (h *hunt) deepestNew(stacks []profile.Stack, below *callgraph.Function, was, least float64) (best *callgraph.Function) {
	all, weights := int64(0), make(map[*callgraph.Function]int64) // of all stacks, and of those that lead through a function
	var found []*callgraph.Function
	for _, st := range stacks {
		all += st.Weight
		for _, fn := range h.newOn(st, below) {
			if weights[fn] == 0 {
				found = append(found, fn)
			}
			weights[fn] += st.Weight
		}
	}
	ratio := h.whole.Comparison.Ratio.Mean
	for _, fn := range found {
		if profile.GainShare(ratio, was, float64(weights[fn])/float64(all)) >= least && (best == nil || weights[fn] <= weights[best]) {
			best = fn
		}
	}
	return best
}

// newOn are the functions on a stack that only bad has, each once, from below another one, or
// for nil from the first, down to one that both have: that is asked newly, and is not to
// blame.
func (h *hunt) newOn(st profile.Stack, below *callgraph.Function) (list []*callgraph.Function) {
	at := -1
	if below != nil {
		at = len(st.Sites) - 1 // of a recursion, where it leaves it
		for at >= 0 && st.Sites[at].Func != below {
			at--
		}
		if at < 0 {
			return nil
		}
	}
	for _, x := range st.Sites[at+1:] {
		_, both := h.change().InGood(x.Func)
		switch {
		case both && (below != nil || len(list) > 0):
			return list
		case !both && x.Func.HasBody() && x.Func.Outer == nil && !h.ofNewModule(x.Func) && !slices.Contains(list, x.Func):
			list = append(list, x.Func)
		}
	}
	return list
}

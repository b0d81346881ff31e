package hunt

import (
	"context"
	"fmt"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
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
	all, weights := int64(0), make(map[string]int64) // of all stacks, and of those that lead through a function
	var deepest []profile.Site
	for _, st := range stacks.Bad {
		all += st.Weight
		at := len(st.Sites) - 1 // of a recursion, where it leaves it
		for at >= 0 && st.Sites[at].Func != of.Bad {
			at--
		}
		if at < 0 {
			continue
		}
		seen := make(map[string]bool)
		for _, x := range st.Sites[at+1:] {
			if _, both := h.change().InGood(x.Func); both {
				break // it is asked newly, and is not to blame
			}
			if !x.Func.HasBody() || x.Func.Outer != nil || seen[x.Func.Name] || h.ofNewModule(x.Func) {
				continue
			}
			seen[x.Func.Name] = true
			if weights[x.Func.Name] == 0 {
				deepest = append(deepest, x)
			}
			weights[x.Func.Name] += st.Weight
		}
	}
	// All that they take is gained: good has none of them.
	ratio := h.whole.Comparison.Ratio.Mean
	gained := func(x profile.Site) float64 {
		return profile.GainShare(ratio, 0, float64(weights[x.Func.Name])/float64(all))
	}
	var best *profile.Site
	for i, x := range deepest {
		if gained(x) >= mostOf*c.Share && (best == nil || weights[x.Func.Name] <= weights[best.Func.Name]) {
			best = &deepest[i]
		}
	}
	if best == nil {
		return
	}
	caller := c.Function
	c.Function, c.Position = best.Func.Name, h.Position(best.Func.Pos)
	text := fmt.Sprintf("only bad has it: it does the work that %s was changed to ask for", caller)
	if c.How == report.ByPutBack {
		text += fmt.Sprintf(", and good's code for %s was put back for it", caller)
	}
	c.Attest(report.Fact{Kind: "calls", Function: c.Function, Position: c.Position, Text: text})
	if c.Kind == report.OwnCode && len(c.Chain) > 0 {
		c.Chain[len(c.Chain)-1].Call = "(what it was changed to call)"
	}
	c.Chain = append(c.Chain, report.Step{Function: best.Func.Name, Call: "(its own code)", Position: c.Position})
}

package hunt

import (
	"context"
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/report"
)

// blame names the function whose code, or whose call, is to blame.
//
// The answer is code that differs. Where the guilty call reaches only code that
// is the same in both revisions, it is called newly, more often or with other
// arguments, and the nearest function above it that differs makes it so; the
// call is named with it. Where nothing in the chain differs (another toolchain,
// other data), the function that got slower is named, and that is said.
func (h *hunt) blame(ctx context.Context, c finder.Culprit, out *report.Culprit) {
	last := c.Last()
	f := h.prober.Of(last.Layer)
	switch {
	case c.Kind == finder.Range:
		out.Call = h.partText(last)
		h.blameFrame(ctx, f, out)
		h.spreadOver(f, out)
	case c.Kind == finder.OwnCode:
		h.blameFrame(ctx, f, out)
	case c.Kind == finder.AddedCall && h.isNew(f.Parts[last.Region.From]):
		fn := f.Parts[last.Region.From].Calls.Bad.Callee()
		out.Function, out.Position = fn.Name, h.Position(fn.Pos)
		out.Call = h.partText(last)
		out.Attest(report.Fact{Kind: "calls", Function: fn.Name, Position: out.Position, Text: fmt.Sprintf("it is new, or has changed, and only bad calls it from %s", f.Code.Bad.Name)})
	case c.Kind == finder.CallKind && c.Stop != finder.StopSameCode && !h.prober.ComesRound(f, f.Parts[last.Region.From]):
		h.blameCallee(ctx, f, f.Parts[last.Region.From], out)
		if below := h.prober.Below(f, last.Region.From); below != nil && c.Stop == finder.StopNoPart {
			h.spreadOver(below, out)
		}
	default:
		out.Call = h.partText(last)
		h.blameFrame(ctx, f, out)
	}
}

// isNew says whether a call of bad leads to one function that good does not have, or has
// otherwise. What is the same in both is asked newly, which is its caller's doing.
func (h *hunt) isNew(p layers.Part) bool {
	if p.Calls.Bad == nil {
		return false
	}
	fn := p.Calls.Bad.Callee()
	if fn == nil || !fn.HasBody() || h.ofNewModule(fn) {
		return false
	}
	twin, both := h.change().InGood(fn)
	return !both || !twin.HasBody() || h.change().Differs(change.Functions{Good: twin, Bad: fn})
}

// blameFrame blames the frame's function or, if its code is the same in both
// revisions, the nearest one above that differs.
func (h *hunt) blameFrame(ctx context.Context, f *layers.Layer, out *report.Culprit) {
	g, bad := h.nearestDiffering(ctx, f)
	if g == nil {
		for f.Dispatch() {
			f = f.Parent
		}
		out.Function, out.Position = f.Code.Bad.Name, h.Position(f.Code.Bad.Pos)
		out.AttestAll("code", "no function in the chain differs between the revisions: look at the toolchain, the data, or what is initialised elsewhere")
		return
	}
	out.Function, out.Position = bad.Name, h.Position(bad.Pos)
	if g == f {
		return
	}
	// What it asks more of, or asks otherwise.
	child := f
	for child.Parent != g {
		child = child.Parent
	}
	out.Kind = report.Call
	out.Call = g.Parts[child.Via].Text()
	out.AttestAll("code", "the code below is the same in both revisions: it is asked for more, or with other arguments")
}

// nearestDiffering is the frame, from f upwards, whose own code differs or, if
// there is none, what its code refers to: types, constants, variables. Of functions that
// are one layer it is the one that differs, of several that which profiles see gain most.
func (h *hunt) nearestDiffering(ctx context.Context, f *layers.Layer) (*layers.Layer, *callgraph.Function) {
	for _, differs := range []func(change.Functions) bool{h.change().Differs, h.change().DiffersDeep} {
		for g := f; g != nil; g = g.Parent {
			var list []change.Functions
			for _, m := range g.Members {
				if m.Good == nil || differs(m) {
					list = append(list, m)
				}
			}
			if len(list) == 0 {
				continue
			}
			if m, ok := h.gainedMost(ctx, list); ok {
				return g, m.Bad
			}
			return g, list[0].Bad
		}
	}
	return nil, nil
}

// blameCallee blames the function that a call reaches and that the search did
// not open.
func (h *hunt) blameCallee(ctx context.Context, f *layers.Layer, p layers.Part, out *report.Culprit) {
	if fn := p.Function(); fn != nil {
		out.Function, out.Position = fn.Name, h.Position(fn.Pos)
		return
	}
	out.Call = p.Text()
	out.Position = h.Position(p.Call().Pos)
	if fn := p.Calls.Bad.Callee(); fn != nil {
		out.Function = fn.Name
		out.Instance = strings.Join(p.Calls.Bad.Instances, ", ")
		if fn.HasBody() {
			out.Position = h.Position(fn.Pos)
		}
		return
	}
	// Whom it reached is not known; the function that calls is.
	h.blameFrame(ctx, f, out)
}

package hunt

import (
	"context"
	"fmt"
	"path"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// accuse names what was proved by putting good's code back, with the chain that leads to
// it and the part of it that gained most.
func (h *hunt) accuse(ctx context.Context, f finder.Finding) ([]report.Culprit, error) {
	f, idle := h.thoseThatRan(ctx, f)
	comp := h.lab.Of(f.Set(), f.With, idle)
	if comp == nil {
		comp = h.lab.Of(f.Set())
	}
	if comp == nil {
		return nil, nil
	}
	first := h.mostLikely(f.Set())
	of, known := h.functionOf(ctx, h.lab.Elements[first])
	came, isNew := h.newAmong(ctx, f, h.lab.Elements[first])
	if isNew {
		of, known = change.Functions{Bad: came}, true
	}
	if !known {
		h.Log.Warn("%s of the difference is gone with good's code for %s, and no function that uses it was seen to gain", percents(f.Share), h.lab.Name(f.Set()))
		return nil, nil
	}
	c := h.proved(comp, f.Share, of)
	c.Confirmed = f.Blame != finder.OneOf && f.Blame != finder.Spread
	h.testify(&c, comp, f, first)
	if isNew {
		c.AttestAll("profile", "only bad has it, and profiles see most of the difference in it: it came with what was put back")
	}
	if len(idle) > 0 {
		c.Evidence = append(c.Evidence, "what had to come along runs in neither revision: "+h.names(idle, -1))
	}
	h.announce(c)
	chain, g, err := h.prober.Way(ctx, of)
	c.Chain = append(chain, h.lastStep(&c, g))
	h.attestCounts(&c, path.Base(of.Bad.Name)+" calls", g.Called)
	if c.Elsewhere = h.paidElsewhere(&c, chain, of, g.Idle); c.Elsewhere {
		c.Chain[len(c.Chain)-1].Call = "(what its code makes of other code)"
	}
	if g.Idle {
		c.AttestAll("calls", "the chain is not gone through while the timer runs: what is set up by it is slower to use, or there is another way")
	}
	if s := g.Instead; s != nil {
		c.AttestAll("calls", fmt.Sprintf("good never makes the call %s in %s: what it takes there, good spends otherwise", s.Call, s.Function))
	}
	h.nameCalled(ctx, &c, of)
	return []report.Culprit{c}, err
}

// mostLikely is the element of a set that most was believed of.
func (h *hunt) mostLikely(set []int) int {
	best := set[0]
	for _, i := range set {
		if h.lab.Elements[i].Weight() > h.lab.Elements[best].Weight() {
			best = i
		}
	}
	return best
}

// functionOf is the function to name for an element. Of a dependency it is the one that
// gained most of those that differ in it, and of data the one that gained most of those
// that use it.
func (h *hunt) functionOf(ctx context.Context, e prove.Element) (f change.Functions, ok bool) {
	switch {
	case e.Module != nil:
		return h.gainedMost(ctx, h.changedIn(e.Module.Path))
	case e.Suspects[0].Kind != change.Func:
		users := h.using(e.Suspects)
		if f, ok = h.gainedMost(ctx, users); !ok && len(users) > 0 {
			f, ok = h.flowsThrough()
		}
		return f, ok
	case e.Suspects[0].Good == nil:
		return change.Functions{Bad: e.Suspects[0].Bad}, e.Suspects[0].Bad != nil
	}
	whole := h.unwrapped(change.Functions{Good: e.Suspects[0].Good, Bad: e.Suspects[0].Bad})
	if parts := change.Parts(whole); len(parts) > 1 {
		if f, ok := h.gainedMost(ctx, parts); ok {
			return f, true
		}
		return whole, true
	}
	return change.Narrow(whole), true
}

// proved is a culprit that a composition proves, of a function.
func (h *hunt) proved(comp *prove.Composition, share stats.Interval, of change.Functions) report.Culprit {
	return report.Culprit{
		Function:   of.Bad.Name,
		Kind:       report.OwnCode,
		Position:   h.Position(of.Bad.Pos),
		Share:      share.Mean,
		Delta:      *h.atSpeed(h.Sampler.Delta(comp.Trial.Comparison)),
		Confirming: h.Sampler.Delta(comp.Trial.Comparison),
		How:        report.ByPutBack,
		Stop:       "putting good's code for it back takes the difference away",
	}
}

// atSpeed is what was measured of bad at another time, at the speed that the machine had
// when the whole was: so that it and its share of the whole belong together.
func (h *hunt) atSpeed(d *report.Delta) *report.Delta {
	if h.Sampler.Quantity.Counts() || !(d.Bad > 0) {
		return d
	}
	return compare.Scaled(*d, h.whole.Comparison.Bad.Mean/d.Bad)
}

// announceProof tells of one function as soon as it is proved to make most of the
// difference.
func (h *hunt) announceProof(comp *prove.Composition) {
	if len(comp.Set) != 1 || !(comp.Trial.Share.Mean > finder.RecoversMost) {
		return
	}
	e := h.lab.Elements[comp.Set[0]]
	if f, ok := e.Function(); ok {
		c := h.proved(comp, comp.Trial.Share, change.Narrow(h.unwrapped(f)))
		c.Confirmed = true
		h.testify(&c, comp, finder.Finding{Blame: finder.Alone, Sets: [][]int{comp.Set}, Share: comp.Trial.Share}, comp.Set[0])
		h.announce(c)
	}
}

// announce tells of a culprit as soon as nothing that follows can take its place: it
// is proved, and most of the difference is gone with it.
func (h *hunt) announce(c report.Culprit) {
	h.announced.latest = time.Since(h.Start)
	if h.announced.function == "" && c.Confirmed && c.Share > finder.RecoversMost {
		h.announced.function, h.announced.after = c.Function, h.announced.latest
		h.Options.Named(c)
	}
}

// lastStep is the end of the chain: in the culprit, the part that gained most, if
// that is most of what the culprit gained, and else its own code.
func (h *hunt) lastStep(c *report.Culprit, all layers.Gains) report.Step {
	c.CallsGood, c.CallsBad = all.CallsGood, all.CallsBad
	g := all.Part
	if g == nil || g.Share < c.Share/2 || g.Delta.Diff.Mean < c.Delta.Diff.Mean/2 {
		return ownStep(c)
	}
	c.Call, c.CallsGood, c.CallsBad = g.Part.Text(), g.Good, g.Bad
	switch g.Part.Side() {
	case finder.BadOnly:
		c.Kind = report.AddedCall
	case finder.GoodOnly:
		c.Kind = report.RemovedCall
	default:
		c.Kind = report.Call
	}
	step := report.Step{Function: c.Function, Call: c.Call, Position: h.Position(g.Part.Call().Pos)}
	if c.Kind != report.Call && (g.Instead || g.Delta.Diff.Low > c.Delta.Diff.High) {
		return step // it takes the place of what the other revision does without it
	}
	step.Share, step.Delta = g.Share, g.Delta
	return step
}

// ownStep is the end of a chain that leads to a culprit's own code.
func ownStep(c *report.Culprit) report.Step {
	return report.Step{Function: c.Function, Call: "(its own code)", Position: c.Position, Share: c.Share, Delta: &c.Delta}
}

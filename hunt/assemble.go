package hunt

import (
	"cmp"
	"context"
	"go/token"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// assemble puts what a search found into the report. The search explained a
// share of the whole difference, and what leads to where it began is given.
func (h *hunt) assemble(ctx context.Context, r finder.Result, share float64, above []report.Step) {
	h.report.Search.Comparisons += r.Comparisons
	for _, c := range r.Culprits {
		out := h.culprit(ctx, c)
		out.Share *= share
		for i := range out.Chain {
			out.Chain[i].Share *= share
		}
		out.Chain = append(slices.Clone(above), out.Chain...)
		// A function may be to blame for several of its parts. It is one culprit:
		// the largest part is shown, and all of them are its share.
		known := slices.IndexFunc(h.report.Culprits, func(d report.Culprit) bool { return d.Function == out.Function })
		switch {
		case known < 0:
			h.report.Culprits = append(h.report.Culprits, out)
		case out.Confirmed == h.report.Culprits[known].Confirmed:
			h.report.Culprits[known].Share += out.Share
		case out.Confirmed:
			h.report.Culprits[known] = out // a suspicion does not count beside a proof
		}
	}
	h.setUnconfirmedAside()
	for _, p := range r.Undecided {
		f := h.frames[p.Layer.Name]
		h.report.Undecided = append(h.report.Undecided, report.Undecided{
			Function: f.name, Call: h.partText(p), Position: h.partPosition(p),
			Delta: *h.delta(p.Delta), Need: p.Delta.Need,
		})
	}
	h.sumUp()
	if n := len(r.Minor); n > 1 && *h.report.Unexplained > 0.5 {
		h.log.Warn("most of the difference is spread: %d parts are slower, each by less than %.0f %% of it", n, 100*minShare)
	}
}

// sumUp puts the culprits with the largest share first, and says what they leave
// unexplained.
func (h *hunt) sumUp() {
	slices.SortStableFunc(h.report.Culprits, func(a, b report.Culprit) int { return cmp.Compare(b.Share, a.Share) })
	unexplained := 1.0
	for _, c := range h.report.Culprits {
		unexplained -= c.Share
	}
	h.report.Unexplained = &unexplained
}

// setUnconfirmedAside moves culprits that were not slower again on fresh processes
// to what is undecided, as soon as another one was: next to a proof a mere
// suspicion is no accusation.
func (h *hunt) setUnconfirmedAside() {
	confirmed := func(c report.Culprit) bool { return c.Confirmed }
	if !slices.ContainsFunc(h.report.Culprits, confirmed) {
		return
	}
	var kept []report.Culprit
	for _, c := range h.report.Culprits {
		if c.Confirmed {
			kept = append(kept, c)
			continue
		}
		h.report.Undecided = append(h.report.Undecided, report.Undecided{
			Function: c.Function, Call: c.Call, Position: c.Position, Delta: c.Delta,
		})
	}
	h.report.Culprits = kept
}

// culprit names one answer of the finder.
func (h *hunt) culprit(ctx context.Context, c finder.Culprit) report.Culprit {
	last := c.Last()
	out := report.Culprit{
		Kind:      report.Kind(c.Kind.String()),
		Share:     shareOf(c),
		Delta:     *h.delta(last.Delta),
		Confirmed: c.Confirmed,
		Stop:      string(c.Stop),
	}
	if c.Confirmation != nil {
		out.Confirming = h.delta(*c.Confirmation)
	}
	for _, p := range c.Chain {
		out.Chain = append(out.Chain, h.step(p))
	}
	h.blame(ctx, c, &out)
	out.CallsGood, out.CallsBad = h.callsOf(last)
	return out
}

// shareOf is the culprit's share of the whole difference. A call that replaced
// another got slower by all it costs; what the difference gained by it is no
// more than what its function gained.
func shareOf(c finder.Culprit) float64 {
	share := c.Share()
	if c.Kind == finder.AddedCall || c.Kind == finder.RemovedCall {
		function := 1.0
		if n := len(c.Chain); n > 1 {
			function = c.Chain[n-2].Share
		}
		share = min(share, function)
	}
	return number(share)
}

// number keeps what can't be told, such as a share of no difference, out of the
// JSON, which has no word for it.
func number(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// step is one link of the chain.
func (h *hunt) step(p finder.Part) report.Step {
	f := h.frames[p.Layer.Name]
	return report.Step{
		Function: f.shown(),
		Call:     h.partText(p),
		Position: h.partPosition(p),
		Share:    number(p.Share),
		Delta:    h.delta(p.Delta),
	}
}

// shown is the name of the frame's function in bad, the code in front of the
// reader.
func (f *frame) shown() string {
	if f.dispatch() {
		return f.name
	}
	return f.bad.Name
}

// partText is what the part is, for compare.Showing.
func (h *hunt) partText(p finder.Part) string {
	f := h.frames[p.Layer.Name]
	switch {
	case p.Own:
		return "(its own code)"
	case p.Region.Len() == 1:
		return f.parts[p.Region.From].text()
	case p.Region.Len() == 0:
		return ""
	}
	return f.parts[p.Region.From].text() + " … " + f.parts[p.Region.To-1].text()
}

// partPosition is where the part is, relative to the repository.
func (h *hunt) partPosition(p finder.Part) string {
	f := h.frames[p.Layer.Name]
	if p.Own || p.Region.Len() == 0 {
		for f.dispatch() { // all its candidates were refused
			f = f.parent
		}
		return h.position(f.bad.Pos)
	}
	q := f.parts[p.Region.From]
	if c := q.call(); c != nil {
		return h.position(c.Pos)
	}
	return h.position(q.function().Pos)
}

// callsOf counts the calls per operation of the part that is to blame.
func (h *hunt) callsOf(p finder.Part) (good, bad float64) {
	f := h.frames[p.Layer.Name]
	r, ok := h.seen[f]
	switch {
	case p.Own && f.parent != nil:
		// Its own code runs when it is called.
		if above, ok := h.seen[f.parent]; ok {
			return above.calls(f.via)
		}
		return 0, 0
	case !ok || p.Own || p.Region.Len() != 1:
		return 0, 0
	}
	return r.calls(p.Region.From)
}

// position shows a place as file:line:col relative to the revision's tree.
func (h *hunt) position(pos token.Position) string {
	if !pos.IsValid() {
		return ""
	}
	if _, ok := h.good.InTree(pos.Filename); ok {
		return h.good.Position(pos)
	}
	return h.bad.Position(pos)
}

// delta is a comparison for the report.
func (h *hunt) delta(c stats.Comparison) *report.Delta {
	d := &report.Delta{
		Good: c.Good.Mean, Bad: c.Bad.Mean,
		Diff:       interval(c.Diff),
		Confidence: c.Confidence,
		Unit:       h.sampler.Quantity.Unit,
		Pairs:      c.Good.N,
		Exact:      h.sampler.Quantity.Counts() && c.Good.N >= compare.ExactPairs && c.Good.SD == 0 && c.Bad.SD == 0,
	}
	if r := c.Ratio; !math.IsNaN(r.Mean) && !math.IsInf(r.High, 0) && !math.IsNaN(r.High) {
		d.Ratio = &report.Interval{Mean: r.Mean, Low: r.Low, High: r.High}
	}
	return d
}

// interval is one for the report.
func interval(i stats.Interval) report.Interval {
	return report.Interval{Mean: i.Mean, Low: finite(i.Low), High: finite(i.High)}
}

// finite keeps an unbounded interval representable in JSON.
func finite(x float64) float64 {
	return max(-math.MaxFloat64, min(math.MaxFloat64, x))
}

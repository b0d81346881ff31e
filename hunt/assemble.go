package hunt

import (
	"context"
	"path"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// assemble are the findings of a search through layers.
func (h *hunt) assemble(ctx context.Context, r finder.Result) findings {
	found := findings{comparisons: r.Comparisons}
	for _, c := range r.Culprits {
		out := h.culprit(ctx, c)
		// A function may be to blame for several of its parts. It is one culprit:
		// the largest part is shown, and all of them are its share.
		known := slices.IndexFunc(found.culprits, func(d report.Culprit) bool { return d.Function == out.Function })
		switch {
		case known < 0:
			found.culprits = append(found.culprits, out)
		case out.Confirmed == found.culprits[known].Confirmed:
			found.culprits[known].Share = together(found.culprits[known].Share, out.Share)
		case out.Confirmed:
			found.culprits[known] = out // a suspicion does not count beside a proof
		}
	}
	found = found.onlyProved()
	for _, p := range r.Undecided {
		f := h.prober.Of(p.Layer)
		found.undecided = append(found.undecided, report.Undecided{
			Function: f.Name, Call: h.partText(p), Position: h.partPosition(p),
			Delta: *h.Sampler.Delta(p.Delta), Need: p.Delta.Need,
		})
	}
	if n := len(r.Minor); n > 1 && found.unexplained() > 0.5 {
		h.Log.Warn("most of the difference is spread: %d parts are slower, each by less than %.0f %% of it", n, 100*prove.MinShare)
	}
	return found
}

// together is the share of two parts of one function. More than there is can't be: then
// one was measured within the other.
func together(a, b float64) float64 {
	if a+b <= finder.TooMuch {
		return a + b
	}
	return max(a, b)
}

// culprit names one answer of the finder.
func (h *hunt) culprit(ctx context.Context, c finder.Culprit) report.Culprit {
	last := c.Last()
	out := report.Culprit{
		Kind:      report.Kind(c.Kind.String()),
		Share:     shareOf(c),
		Delta:     *h.Sampler.Delta(last.Delta),
		Confirmed: c.Confirmed,
		Stop:      string(c.Stop),
	}
	if c.Confirmation != nil {
		out.Confirming = h.Sampler.Delta(*c.Confirmation)
	}
	for _, p := range c.Chain {
		out.Chain = append(out.Chain, h.step(p))
	}
	h.blame(ctx, c, &out)
	out.CallsGood, out.CallsBad = h.callsOf(last)
	for _, p := range c.Chain {
		if f := h.prober.Of(p.Layer); f.Dispatch() {
			h.attestCounts(&out, "of what may be called there, it is", h.prober.Called(f, change.Functions{}))
		}
	}
	if f := h.prober.Of(last.Layer); !f.Dispatch() {
		h.attestCounts(&out, path.Base(f.Code.Bad.Name)+" calls", h.prober.Called(f, change.Functions{}))
	}
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
	return compare.Number(share)
}

// step is one link of the chain.
func (h *hunt) step(p finder.Part) report.Step {
	f := h.prober.Of(p.Layer)
	return report.Step{
		Function: f.Shown(),
		Call:     h.partText(p),
		Position: h.partPosition(p),
		Share:    compare.Number(p.Share),
		Delta:    h.Sampler.Delta(p.Delta),
	}
}

// partText is what the part is, for compare.Showing.
func (h *hunt) partText(p finder.Part) string {
	f := h.prober.Of(p.Layer)
	switch {
	case p.Own:
		return "(its own code)"
	case p.Region.Len() == 1:
		return f.Parts[p.Region.From].Text()
	case p.Region.Len() == 0:
		return ""
	}
	return f.Parts[p.Region.From].Text() + " … " + f.Parts[p.Region.To-1].Text()
}

// partPosition is where the part is, relative to the repository.
func (h *hunt) partPosition(p finder.Part) string {
	f := h.prober.Of(p.Layer)
	if p.Own || p.Region.Len() == 0 {
		for f.Dispatch() { // all its candidates were refused
			f = f.Parent
		}
		return h.Position(f.Code.Bad.Pos)
	}
	q := f.Parts[p.Region.From]
	if c := q.Call(); c != nil {
		return h.Position(c.Pos)
	}
	return h.Position(q.Function().Pos)
}

// callsOf counts the calls per operation of the part that is to blame.
func (h *hunt) callsOf(p finder.Part) (good, bad float64) {
	f := h.prober.Of(p.Layer)
	switch {
	case p.Own && f.Parent != nil:
		// Its own code runs when it is called.
		good, bad, _ = h.prober.Calls(f.Parent, f.Via)
	case !p.Own && p.Region.Len() == 1:
		good, bad, _ = h.prober.Calls(f, p.Region.From)
	}
	return good, bad
}

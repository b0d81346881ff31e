package hunt

import (
	"context"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// accuse names a function that was proved by putting good's code back, with the
// chain that leads to it and the part of it that gained most. Where a dependency's
// version was put back, it was seen before which function of it gained.
func (h *hunt) accuse(ctx context.Context, p *proof, of part, parallel bool) error {
	narrow := change.Narrow(change.Functions{Good: of.goodFunc, Bad: of.badFunc})
	good, bad := narrow.Good, narrow.Bad
	c := report.Culprit{
		Function:   bad.Name,
		Kind:       report.OwnCode,
		Position:   h.position(bad.Pos),
		Share:      p.Recovered.Mean,
		Delta:      *h.atSpeed(h.delta(p.Comparison)),
		Confirming: h.delta(p.Comparison),
		Confirmed:  p.Comparison.Verdict == stats.Slower,
		Stop:       "putting good's code for it back takes the difference away",
	}
	h.testify(&c, p)
	h.announce(c)
	chain, g, err := h.measureWay(ctx, part{goodFunc: good, badFunc: bad}, parallel)
	c.Chain = append(chain, h.lastStep(&c, g))
	if g.idle {
		c.Evidence = append(c.Evidence, "the chain is not gone through while the timer runs: what is set up by it is slower to use, or there is another way")
	}
	for _, s := range p.suspects[min(1, len(p.suspects)):] {
		c.Evidence = append(c.Evidence, "neither alone brings the difference back: it takes good's code for "+s.Name+" together with it")
	}
	h.report.Culprits = append(h.report.Culprits, c)
	h.weigh()
	return err
}

// atSpeed is what was measured of bad at another time, at the speed that the machine had
// when the whole was: so that it and its share of the whole belong together.
func (h *hunt) atSpeed(d *report.Delta) *report.Delta {
	if h.sampler.Quantity.Counts() || !(d.Bad > 0) {
		return d
	}
	speed := h.whole.Comparison.Bad.Mean / d.Bad
	d.Good, d.Bad = d.Good*speed, d.Bad*speed
	d.Diff = report.Interval{Mean: d.Diff.Mean * speed, Low: d.Diff.Low * speed, High: d.Diff.High * speed}
	return d
}

// announce tells of a culprit as soon as nothing that follows can take its place: it
// is proved, and most of the difference is gone with it.
func (h *hunt) announce(c report.Culprit) {
	if h.report.Search.Named == 0 && c.Confirmed && c.Share > finder.RecoversMost {
		h.report.Search.Named = time.Since(h.start).Seconds()
		h.announced = c.Function
		h.opts.Named(c)
	}
}

// lastStep is the end of the chain: in the culprit, the part that gained most, if
// that is most of what the culprit gained, and else its own code.
func (h *hunt) lastStep(c *report.Culprit, all gains) report.Step {
	c.CallsGood, c.CallsBad = all.callsGood, all.callsBad
	g := all.part
	if g == nil || g.share < c.Share/2 || g.comparison.Diff.Mean < c.Delta.Diff.Mean/2 {
		return ownStep(c)
	}
	c.Call, c.CallsGood, c.CallsBad = g.part.text(), g.good, g.bad
	switch g.part.side() {
	case finder.BadOnly:
		c.Kind = report.AddedCall
	case finder.GoodOnly:
		c.Kind = report.RemovedCall
	default:
		c.Kind = report.Call
	}
	step := report.Step{Function: c.Function, Call: c.Call, Position: h.position(g.part.call().Pos)}
	if c.Kind != report.Call && surelyBeyond(g.comparison.Diff, c.Delta.Diff) {
		return step // it takes the place of what the other revision does without it
	}
	step.Share, step.Delta = g.share, h.delta(g.comparison)
	return step
}

// surelyBeyond reports whether a part takes so much more than the whole difference that
// the other revision must do the same otherwise.
func surelyBeyond(part stats.Interval, whole report.Interval) bool {
	return part.Low > 2*whole.High
}

// ownStep is the end of a chain that leads to a culprit's own code.
func ownStep(c *report.Culprit) report.Step {
	return report.Step{Function: c.Function, Call: "(its own code)", Position: c.Position, Share: c.Share, Delta: &c.Delta}
}

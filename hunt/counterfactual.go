package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
)

// prove puts the code of the first culprit of a search through layers back. What
// that recovers is said; if it recovers little, the cost is only paid there, and
// the other suspects are put back in its place, one by one.
func (h *hunt) prove(ctx context.Context, parallel bool) error {
	if len(h.report.Culprits) == 0 {
		return h.tryReverts(ctx, "", parallel)
	}
	first := &h.report.Culprits[0]
	fn := h.lookUp(h.bad, first.Function)
	if fn == nil || first.Reverted != nil {
		return nil
	}
	p, err := h.putBackFunction(ctx, fn, first.Share, last(compare.Deciding))
	if p == nil && err == nil && h.onlyPays(fn) {
		p, err = h.putBackData(ctx, fn, first.Share, last(compare.Deciding))
	}
	switch {
	case err != nil:
		return err
	case p == nil && !h.onlyPays(fn):
		if first.Confirmed {
			return nil
		}
		return h.tryReverts(ctx, first.Function, parallel)
	case p == nil:
		return h.clearOthers(ctx, first, parallel)
	}
	h.testify(first, p)
	switch {
	case p.SpeaksFor(first.Share):
		// Measured without any probe, this is the better figure.
		first.Share = p.Recovered.Mean
		h.clear(first)
	case !p.SpeaksAgainst(first.Share) && h.leans(p, first.Share):
		// Probes and a confirmation accuse it, and what was seen of a proof agrees.
	default:
		first.Confirmed = false
		return h.tryReverts(ctx, first.Function, parallel)
	}
	return h.proveOthers(ctx)
}

// proveOthers asks the same of the other culprits of a search through layers. Beside
// a proof, what only probes saw is no accusation: where the compiler and the linker
// put things makes a few percent of difference that are nobody's.
func (h *hunt) proveOthers(ctx context.Context) (err error) {
	others := h.report.Culprits[1:]
	for i := range others {
		c := &others[i]
		if err != nil {
			c.Confirmed = false
			continue
		}
		fn := h.lookUp(h.bad, c.Function)
		if fn == nil {
			continue
		}
		var p *proof
		p, err = h.putBackFunction(ctx, fn, c.Share, last(compare.Deciding))
		switch {
		case p != nil && err == nil && p.SpeaksFor(c.Share):
			h.testify(c, p)
			c.Share = p.Recovered.Mean
		case p != nil || err != nil || h.onlyPays(fn):
			c.Confirmed = false
			h.log.Warn("the probes saw %s slower too (%.0f %%), which putting good's code back did not prove", c.Function, 100*c.Share)
		}
	}
	h.setUnconfirmedAside()
	h.weigh()
	return err
}

// clearOthers tries the code that differs for a culprit that does not, which may
// only pay for what other code costs. It is no accusation as long as that is
// neither proved guilty nor cleared.
func (h *hunt) clearOthers(ctx context.Context, pays *report.Culprit, parallel bool) error {
	name, confirmed := pays.Function, pays.Confirmed
	cleared, err := h.tryAll(ctx, name, parallel)
	if cleared && err == nil && len(h.report.Culprits) > 0 && h.report.Culprits[0].Function == name {
		cleared, err = h.clearUnreached(ctx)
	}
	if err != nil || len(h.report.Culprits) == 0 || h.report.Culprits[0].Function != name || cleared || !confirmed {
		return err
	}
	h.report.Culprits[0].Confirmed = false
	h.log.Warn("%s takes longer and is the same code in both revisions; code that differs was neither proved to be the cause nor cleared", name)
	return nil
}

func last(looks []int) int { return looks[len(looks)-1] }

// onlyPays reports whether a function of bad that was seen to be slower has the
// same code in good: unless it uses other data, the cause is elsewhere.
func (h *hunt) onlyPays(fn *callgraph.Function) bool {
	twin, ok := h.change().InGood(fn)
	return ok && !h.differs(twin, fn)
}

// clear takes those culprits back that the proof of the first leaves no room
// for: what was seen in them is gone, too, when its code is put back.
func (h *hunt) clear(first *report.Culprit) {
	kept := []report.Culprit{*first}
	rest := 1 - first.Share
	for _, c := range h.report.Culprits[1:] {
		if c.Share > rest+minShare {
			h.log.Warn("the probes saw %s slower too (%.0f %%), which putting %s back leaves no room for", c.Function, 100*c.Share, first.Function)
			continue
		}
		kept = append(kept, c)
		rest -= c.Share
	}
	h.report.Culprits = kept
	h.weigh()
}

package finder

import (
	"context"

	"github.com/pinpoint-go/pinpoint/stats"
)

// confirm measures a culprit again, alone and on fresh processes, to avoid
// false accusations: the comparison that named it was picked from many for
// being slow, and what was picked by chance won't be slow again.
func (h *hunt) confirm(ctx context.Context, c *Culprit) {
	h.trace(Event{Kind: Confirming, Culprit: *c})
	f := h.Confirm
	if f == nil {
		f = h.Measure
	}
	h.Confirmations++
	p := witness(c.Chain)
	on, parts := asked(p)
	r, err := h.measure(ctx, f, p.Layer, on, parts)
	if err != nil {
		h.fail(err)
		return
	}
	c.Confirmation = testimony(p, r)
	c.Confirmed = c.Confirmation != nil && c.Confirmation.Verdict == stats.Slower && notAcquitted(r.Whole)
	h.trace(Event{Kind: Confirmed, Culprit: *c, Reading: r})
}

// asked returns what is switched on and read to prove p, and nothing besides: who
// measures stops as soon as that is decided. Own code is what all calls leave
// over; a function as a whole takes no call.
func asked(p Part) (on Region, parts []Region) {
	switch {
	case p.Whole || p.Region.Len() == 0:
		return Region{}, nil
	case p.Own:
		return p.Region, nil
	default:
		return p.Region, []Region{p.Region}
	}
}

// witness returns the step whose measurement proves the last one. A function
// that calls nothing is proved by the call above it.
func witness(chain []Part) Part {
	p := chain[len(chain)-1]
	if p.Own && len(p.Layer.Calls) == 0 && len(chain) > 1 {
		return chain[len(chain)-2]
	}
	return p
}

// testimony returns what a reading says about p; nil when own code was asked
// for and not given.
func testimony(p Part, r Reading) *stats.Comparison {
	switch {
	case p.Whole:
		return &r.Whole
	case p.Own:
		return r.Own
	default:
		return &r.Parts[0]
	}
}

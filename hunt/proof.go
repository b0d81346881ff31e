package hunt

import (
	"context"
	"fmt"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/stats"
)

// proof is what bad gained by having good's code back in one place, or in two
// that are needed together, or good's version of a dependency.
type proof struct {
	finder.Proof
	suspects  []change.Suspect
	plan      revert.Plan
	module    *change.Module // the dependency, if it is its version that was put back
	binary    harness.Binary // bad with good's code
	build     func(ctx context.Context, bad *side) (harness.Binary, error)
	linked    [][]harness.Binary // that and bad in link orders
	good, bad []float64          // the samples of that and of bad
}

// names tell a proof from others, and name what was put back to a reader.
func (p *proof) names() (key, name string) {
	if p.module != nil {
		return p.module.Path, p.module.Path
	}
	return namesOf(p.suspects)
}

// takes reports whether good's code for a suspect is in it, asked for or not.
func (p *proof) takes(s change.Suspect) bool {
	return slices.Contains(p.plan.Functions, s.Name) || s.Good != nil && slices.Contains(p.plan.Functions, s.Good.Name)
}

// again is a proof to be measured anew, with what is built for it.
func (p *proof) again() *proof {
	same := *p
	return &same
}

// leans asks all pairs of a proof that did not come, once, whether what is gone is
// most of the share and surely something. It adds to what the probes and a
// confirmation said, and accuses nobody by itself.
func (h *hunt) leans(p *proof, share float64) bool {
	anything := stats.Rule{Alpha: h.opts.Alpha, Test: h.sampler.Rule(h.opts.Alpha, p.good).Test}
	return p.Recovered.Mean > finder.RecoversMost*share && anything.Compare(p.good, p.bad).Verdict == stats.Slower
}

// closure is how many declarations came from good. The less, the more it says
// about the function that was asked for.
func (p *proof) closure() int {
	return len(p.plan.Functions) + len(p.plan.Decls) + len(p.plan.Fields) + len(p.plan.Removed)
}

// better reports whether p, which was tried later, says more than q: less came along
// with it. How much each recovered says nothing: it is the noise of the same change
// where they are the same code.
func (p *proof) better(q *proof) bool { return q == nil || p.closure() < q.closure() }

// asIn is p with what was built and measured of q, which has the same code back for
// other suspects.
func (p *proof) asIn(q *proof) *proof {
	same := *q
	same.suspects, same.plan = p.suspects, p.plan
	return &same
}

// first is the function that was put back, or the first of those that were.
func (p *proof) first() part { return part{goodFunc: p.suspects[0].Good, badFunc: p.suspects[0].Bad} }

// holdAgainst measures bad against bad with something of good's in it, on fresh
// processes, until it speaks for or against a share of the whole difference, but
// with most pairs at most.
func (h *hunt) holdAgainst(ctx context.Context, p *proof, share float64, most int, what string) error {
	looks := h.sampler.Quantity.Looks(compare.Deciding)
	alpha := h.sampler.Ledger.Open(stats.Confirmation, len(looks)+compare.LayoutLooks-1, 1)
	what = "measuring " + what
	weigh := func(pairs []harness.Pair) {
		p.good, p.bad = h.sampler.Wholes(pairs)
		p.Proof = finder.Prove(h.sampler.Rule(alpha, p.good), p.good, p.bad, finder.Expectation{
			Whole: h.whole.AllOrders(), Share: share, Counts: h.sampler.Quantity.Counts(), Layouts: compare.LayoutsOf(pairs),
		})
	}
	// The side with good's code stands where good stands.
	if err := h.relinkProof(ctx, p); err != nil {
		return err
	}
	c := h.sampler.Campaign(p.binary, h.bad.unprobed)
	var pairs []harness.Pair
	var err error
	for wider := true; ; {
		c.Layouts = p.linked
		pairs, err = h.sampler.Until(ctx, what, c, pairs, nil, compare.FewestFor(c.Layouts, looks), func(pairs []harness.Pair) bool {
			weigh(pairs)
			return p.Done(share) || wider && h.wantsOrders(p, share) || len(pairs) >= most
		})
		if err != nil || !wider || !h.wantsOrders(p, share) {
			break
		}
		var more []harness.Pair
		if more, err = h.proveInMoreOrders(ctx, p, len(pairs)/len(p.linked), what); err != nil {
			break
		}
		if wider = len(more) > 0; wider {
			pairs = append(pairs, more...)
			weigh(pairs)
		}
	}
	h.sampler.RecordWhole(what, pairs)
	return err
}

// wantsOrders reports whether a proof is open, and more orders of functions may close it.
func (h *hunt) wantsOrders(p *proof, share float64) bool {
	return p.Unclear(share) && len(p.linked) > 0 && p.Orders > len(p.linked)
}

// proveInMoreOrders runs so many pairs of each further order that a proof asks for, as
// far as there is time.
func (h *hunt) proveInMoreOrders(ctx context.Context, p *proof, rounds int, what string) ([]harness.Pair, error) {
	had := len(p.linked)
	more, err := h.sampler.Relink(ctx, h.orders, h.reverting(p), h.whole.Bad, had, p.Orders, rounds)
	if err != nil || len(more) == 0 {
		return nil, err
	}
	p.linked = append(p.linked, more...)
	return h.sampler.Orders(ctx, what, more, p.binary, h.bad.unprobed, had, rounds)
}

// relinkProof makes bad with good's code in the orders that the whole was looked at in,
// once.
func (h *hunt) relinkProof(ctx context.Context, p *proof) error {
	if len(p.linked) >= h.whole.Orders {
		return nil
	}
	more, err := h.orders.Twins(ctx, h.reverting(p), h.whole.Bad, len(p.linked), h.whole.Orders)
	p.linked = append(p.linked, more...)
	return err
}

// reverting is bad with good's code, to be linked in any order.
func (h *hunt) reverting(p *proof) *compare.Entrant {
	return compare.NewEntrant(p.binary, func(ctx context.Context, order uint64) (harness.Binary, error) {
		return p.build(ctx, h.bad.in(order))
	})
}

// gone is the share that is gone, in words. Where even its sign is open because the whole
// difference is not known any better, what is sure if that is as measured says more.
func (p *proof) gone() string {
	if p.Recovered.Low > 0 {
		return percents(p.Recovered)
	}
	return fmt.Sprintf("about %.0f %% (at least %.0f %%, if there is as much as measured)", 100*p.Recovered.Mean, 100*max(0, p.Least))
}

// percents is a share with its interval, which has no end where it can't be told.
func percents(i stats.Interval) string {
	bound := func(x float64) string {
		switch {
		case x > boundless:
			return "∞"
		case x < -boundless:
			return "-∞"
		}
		return fmt.Sprintf("%.0f", 100*x)
	}
	return fmt.Sprintf("%.0f %% [%s, %s]", 100*i.Mean, bound(i.Low), bound(i.High))
}

// boundless is where the bound of a share says nothing any more.
const boundless = 100

package hunt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Where the linker places a function makes it faster or slower by some percent,
// and any change to a program moves all that comes after it. So a small difference
// of the whole must be there under other orders too, or nothing is to blame for it.
const (
	fewestOrders = 5 // of fewer, an interval says nothing
	usualOrders  = 8
	layoutRounds = 2   // pairs of each order at least
	layoutLooks  = 3   // of the whole or of a proof, each after more orders
	layoutShare  = 0.5 // of the time that is left, for all of it
)

// order is an order that the linker may put functions in, with the unprobed binaries
// that were linked so.
type order struct {
	seed uint64
	harness.Twins
}

// holdLayouts holds a small difference of the whole against both sides linked in
// other orders, and takes a verdict back that is not seen there. Where these differ so
// much that more of them would tell, there are more: pairs of those there are would
// repeat what they said.
func (h *hunt) holdLayouts(ctx context.Context) error {
	if h.metric.counts() || !finder.IsSmall(h.whole) {
		return nil
	}
	rounds := max(layoutRounds, h.whole.Good.N/usualOrders)
	var pairs []harness.Pair
	for look, want := 0, usualOrders; look < layoutLooks && want > len(h.orders); look++ {
		more, err := h.compareOrders(ctx, want, rounds)
		switch {
		case ends(ctx, err):
			return err
		case err != nil && len(pairs) == 0:
			h.warn("whether the difference depends on where the linker places functions was not looked at: %s", firstLine(err))
			h.orders = nil
			return nil
		}
		pairs = append(pairs, more...)
		if len(h.orders) < fewestOrders {
			h.orders = nil
			h.doubtUnseen()
			break
		}
		good, bad := h.wholes(pairs)
		var judged error
		if h.levels, judged = stats.Grouped(good, bad, layoutsOf(pairs), finder.LayoutConfidence); judged != nil {
			return fmt.Errorf("comparing link layouts: %w", judged)
		}
		if err != nil || h.whole.Verdict.Upheld(h.levels.Ratio) || len(h.orders) < want {
			break
		}
		want = finder.MoreOrders(h.levels, h.whole.Ratio.Mean)
	}
	if len(pairs) > 0 {
		h.recordWhole("whole, other link layouts", pairs)
	}
	if h.orders != nil {
		h.doubtLayout()
	}
	return nil
}

// allOrders is the whole difference as it is over all orders of functions where it was
// looked at in them: that is what a proof brings back, and not what one order made of it.
func (h *hunt) allOrders() stats.Comparison {
	whole := h.whole
	if len(h.orders) > 0 {
		whole.Ratio = h.levels.Ratio
	}
	return whole
}

// compareOrders links both sides in other orders until there are as many as wanted, or
// as there is time for, and runs pairs of those that are new.
func (h *hunt) compareOrders(ctx context.Context, want, rounds int) ([]harness.Pair, error) {
	had := len(h.orders)
	if err := h.relink(ctx, want, rounds); err != nil {
		return nil, err
	}
	if len(h.orders) == had {
		return nil, nil
	}
	c := h.unprobedPair()
	for _, o := range h.orders[had:] {
		c.Layouts = append(c.Layouts, o.Twins)
	}
	pairs, err := h.sampleOrders(ctx, "comparing the whole in other link layouts", c, had, rounds)
	if errors.Is(err, errBudget) { // which linking took the rest of
		h.orders, err = h.orders[:had], nil
	}
	return pairs, err
}

// sampleOrders runs so many pairs of each order of a campaign, which are numbered from
// those there were on.
func (h *hunt) sampleOrders(ctx context.Context, what string, c *harness.Campaign, had, rounds int) ([]harness.Pair, error) {
	pairs, err := h.sample(ctx, what, c, nil, []int{rounds * len(c.Layouts)}, func([]harness.Pair) bool { return true })
	for i := range pairs {
		pairs[i].Layout += had
	}
	return pairs, err
}

// doubtUnseen takes the verdict back where there is no time to look at other layouts.
func (h *hunt) doubtUnseen() {
	h.whole.Warnings = append(h.whole.Warnings, fmt.Sprintf(
		"%v as linked, by so little that where the linker places functions may make it, and the budget of %v has no time to look at other orders",
		h.whole.Verdict, h.opts.Budget))
	h.whole.Verdict, h.whole.Need = stats.Unknown, 0
	h.goOn(4 * h.opts.Budget)
}

// doubtLayout takes a verdict back that other layouts don't show.
func (h *hunt) doubtLayout() {
	c, l := &h.whole, h.levels
	if c.Verdict.Upheld(l.Ratio) {
		return
	}
	c.Warnings = append(c.Warnings, fmt.Sprintf(
		"%v as linked, but in %d other orders of its functions %.3fx [%.3f, %.3f]: where they lie may be all that makes the difference",
		c.Verdict, l.Groups, l.Ratio.Mean, l.Ratio.Low, l.Ratio.High))
	c.Verdict, c.Need = stats.Unknown, 0
	if finder.MoreOrders(l, c.Ratio.Mean) > l.Groups { // there was no time for them
		h.goOn(2 * h.opts.Budget)
	}
}

// layoutsOf are the link layouts of pairs, nil if these are of no campaign that has
// several.
func layoutsOf(pairs []harness.Pair) []int {
	var list []int
	for _, p := range pairs {
		if p.Layout > 0 {
			list = append(list, p.Layout)
		}
	}
	return list
}

// relink makes both sides in other orders until there are as many as wanted, or as
// there is time for, with so many pairs of each. Only linking is done again. Both sides
// have the same seeds, but what they order differs by what was changed, so layouts of
// the two have nothing in common.
func (h *hunt) relink(ctx context.Context, want, rounds int) error {
	h.progress("linking both revisions in other orders")
	begin, had := h.left(), len(h.orders)
	for len(h.orders) < want {
		if !h.affordsOrder(begin, len(h.orders)-had, rounds) {
			h.warn("the budget of %v has time for %d of %d other orders of functions", h.opts.Budget, len(h.orders), want)
			return nil
		}
		o, start := order{seed: 1 + h.rand.Uint64N(math.MaxInt32)}, time.Now()
		var err error
		o.Twins, err = h.linkIn(o, func(s *side) (harness.Binary, error) {
			return h.build(ctx, s, fmt.Sprintf("layout%d", len(h.orders)+1), nil, 0)
		})
		if err != nil {
			return err
		}
		h.orders = append(h.orders, o)
		h.cost.link = time.Since(start)
	}
	return nil
}

// linkIn builds both sides at the same time, linked in an order.
func (h *hunt) linkIn(o order, build func(s *side) (harness.Binary, error)) (t harness.Twins, err error) {
	err = bothErrors(
		func() (err error) { t.Good, err = build(h.good.in(o)); return err },
		func() (err error) { t.Bad, err = build(h.bad.in(o)); return err },
	)
	return t, err
}

// in is the side as it is linked in another order.
func (s *side) in(o order) *side {
	ordered := *s
	ordered.layout = o.seed
	return &ordered
}

// relinkProof makes bad with good's code in the orders that bad was made in, once,
// where the whole difference is so small that it was.
func (h *hunt) relinkProof(ctx context.Context, p *proof) error {
	for _, o := range h.orders[len(p.linked):] {
		bin, err := p.build(ctx, h.bad.in(o))
		if err != nil {
			return err
		}
		p.linked = append(p.linked, harness.Twins{Good: bin, Bad: o.Bad})
	}
	return nil
}

// relinkFrame makes the probed binaries of a frame in the same orders, once for all
// regions of it.
func (h *hunt) relinkFrame(ctx context.Context, f *frame) error {
	if len(f.linked) == len(h.orders) {
		return nil
	}
	h.progress("linking the probes in " + f.name + " in other orders")
	for i, o := range h.orders[len(f.linked):] {
		t, err := h.linkIn(o, func(s *side) (harness.Binary, error) {
			return h.buildSide(ctx, s, f, fmt.Sprintf("%s-layout%d", f.dir, i+1))
		})
		if err != nil {
			return err
		}
		f.linked = append(f.linked, t)
	}
	return nil
}

// fewestFor are the looks at which every layout has been run often enough.
func fewestFor(twins []harness.Twins, looks []int) []int {
	if len(twins) == 0 {
		return looks
	}
	return slices.DeleteFunc(slices.Clone(looks), func(n int) bool { return n < layoutRounds*len(twins) })
}

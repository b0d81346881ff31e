package hunt

import (
	"cmp"
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
	layouts      = 8
	fewestOrders = 5 // of fewer, an interval says nothing
	layoutRounds = 2 // pairs of each layout at least
)

// order is an order that the linker may put functions in, with the unprobed binaries
// that were linked so.
type order struct {
	seed uint64
	harness.Twins
}

// holdLayouts holds a small difference of the whole against both sides linked in
// other orders, and takes a verdict back that is not seen there. These are looked at
// up to three times before they do.
func (h *hunt) holdLayouts(ctx context.Context) error {
	if h.metric.counts() || !finder.IsSmall(h.whole) {
		return nil
	}
	n := max(layoutRounds*layouts, h.whole.Good.N)
	if h.left() < time.Duration(n)*h.cost.pair {
		h.doubtUnseen()
		return nil
	}
	c := h.unprobedPair()
	if err := h.relink(ctx, n); err != nil {
		if ends(ctx, err) {
			return err
		}
		h.warn("whether the difference depends on where the linker places functions was not looked at: %s", firstLine(err))
		return nil
	}
	if len(h.orders) < fewestOrders {
		h.orders = nil
		h.doubtUnseen()
		return nil
	}
	if len(h.orders) < layouts {
		h.warn("the budget of %v has time for %d of %d other orders of functions", h.opts.Budget, len(h.orders), layouts)
	}
	for _, o := range h.orders {
		c.Layouts = append(c.Layouts, o.Twins)
	}
	var levels stats.Levels
	var judged error
	pairs, err := h.sample(ctx, "comparing the whole in other link layouts", c, nil, []int{n, 2 * n, 4 * n}, func(pairs []harness.Pair) bool {
		good, bad := h.wholes(pairs)
		levels, judged = stats.Grouped(good, bad, layoutsOf(pairs), finder.LayoutConfidence)
		return judged != nil || h.whole.Verdict.Upheld(levels.Ratio)
	})
	h.recordWhole("whole, other link layouts", pairs)
	if errors.Is(err, errBudget) { // linking took the rest of it
		h.doubtUnseen()
		return nil
	}
	if err = cmp.Or(err, judged); err != nil {
		return fmt.Errorf("comparing link layouts: %w", err)
	}
	doubtLayout(&h.whole, levels)
	return nil
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
func doubtLayout(c *stats.Comparison, l stats.Levels) {
	if c.Verdict.Upheld(l.Ratio) {
		return
	}
	c.Warnings = append(c.Warnings, fmt.Sprintf(
		"%v as linked, but in %d other orders of its functions %.3fx [%.3f, %.3f]: where they lie may be all that makes the difference",
		c.Verdict, l.Groups, l.Ratio.Mean, l.Ratio.Low, l.Ratio.High))
	c.Verdict, c.Need = stats.Unknown, 0
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

// relink makes both sides in as many other orders as there is time for, and for pairs
// of them after it. Only linking is done again. Both sides have
// the same seeds, but what they order differs by what was changed, so layouts of the
// two have nothing in common.
func (h *hunt) relink(ctx context.Context, pairs int) error {
	h.progress("linking both revisions in other orders")
	var orders []order
	for i, most := 0, 1; i < most; i++ {
		o := order{seed: 1 + h.rand.Uint64N(math.MaxInt32)}
		begin := time.Now()
		var err error
		o.Twins, err = h.linkIn(o, func(s *side) (harness.Binary, error) {
			return h.build(ctx, s, fmt.Sprintf("layout%d", i+1), nil, 0)
		})
		if err != nil {
			return err
		}
		orders = append(orders, o)
		h.cost.link = time.Since(begin)
		if i == 0 {
			most = h.affordableOrders(pairs)
		}
	}
	h.orders = orders
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

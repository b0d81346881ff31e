package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
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
	layoutRounds = 2 // pairs of each order at least

	// LayoutLooks are the looks at most that a small difference gets in other orders.
	LayoutLooks = 3 // of the whole or of a proof, each after more orders
)

// holdLayouts holds a small difference of the whole against both sides linked in
// other orders, and takes a verdict back that is not seen there. Where these differ so
// much that more of them would tell, there are more: pairs of those there are would
// repeat what they said.
func (w *Whole) holdLayouts(ctx context.Context, orders *Orders) error {
	s := w.Sampler
	if s.Quantity.Counts() || !finder.IsSmall(w.Comparison) {
		return nil
	}
	rounds := max(layoutRounds, w.Comparison.Good.N/usualOrders)
	var pairs []harness.Pair
	for look, want := 0, usualOrders; look < LayoutLooks && want > w.Orders; look++ {
		more, err := w.compareOrders(ctx, orders, want, rounds)
		switch {
		case Ends(ctx, err):
			return err
		case err != nil && len(pairs) == 0:
			what, _, _ := strings.Cut(err.Error(), "\n")
			s.Log.Warn("whether the difference depends on where the linker places functions was not looked at: %s", what)
			w.Orders = 0
			return nil
		}
		pairs = append(pairs, more...)
		if w.Orders < fewestOrders {
			w.Orders = 0
			w.doubtUnseen()
			break
		}
		good, bad := s.Wholes(pairs)
		var judged error
		if w.Levels, judged = stats.Grouped(good, bad, LayoutsOf(pairs), finder.LayoutConfidence); judged != nil {
			return fmt.Errorf("comparing link layouts: %w", judged)
		}
		if err != nil || w.Comparison.Verdict.Upheld(w.Levels.Ratio) || w.Orders < want {
			break
		}
		want = finder.MoreOrders(w.Levels, w.Comparison.Ratio.Mean)
	}
	if len(pairs) > 0 {
		s.RecordWhole("whole, other link layouts", pairs)
	}
	if w.Orders > 0 {
		w.doubtLayout()
	}
	return nil
}

// AllOrders is the whole difference as it is over all orders of functions where it was
// looked at in them: that is what a proof brings back, and not what one order made of it.
func (w *Whole) AllOrders() stats.Comparison {
	whole := w.Comparison
	if w.Orders > 0 {
		whole.Ratio = w.Levels.Ratio
	}
	return whole
}

// compareOrders links both sides in other orders until there are as many as wanted, or
// as there is time for, and runs pairs of those that are new.
func (w *Whole) compareOrders(ctx context.Context, orders *Orders, want, rounds int) ([]harness.Pair, error) {
	s, had := w.Sampler, w.Orders
	got, err := s.Relink(ctx, orders, w.Good, w.Bad, had, want, rounds)
	if w.Orders = had + len(got); err != nil || len(got) == 0 {
		return nil, err
	}
	pairs, err := s.Orders(ctx, "comparing the whole in other link layouts", got, w.Good.Binary, w.Bad.Binary, had, rounds)
	if errors.Is(err, ErrBudget) { // which linking took the rest of
		w.Orders, err = had, nil
	}
	return pairs, err
}

// Relink makes two entrants in other orders until there are as many as wanted, or as
// there is time for, with so many pairs of each. Only linking is done again.
func (s *Sampler) Relink(ctx context.Context, orders *Orders, good, bad *Entrant, had, want, rounds int) ([][]harness.Binary, error) {
	s.Log.Phase("linking both revisions in other orders")
	begin := s.Budget.Left()
	var list [][]harness.Binary
	for had+len(list) < want {
		if !s.Budget.affordsOrder(begin, len(list), rounds) {
			s.Log.Warn("the budget of %v has time for %d of %d other orders of functions", s.Budget.Limit, had+len(list), want)
			return list, nil
		}
		start := time.Now()
		t, err := orders.Twins(ctx, good, bad, had+len(list), had+len(list)+1)
		if err != nil {
			return list, err
		}
		list = append(list, t...)
		s.Budget.Link = time.Since(start)
	}
	return list, nil
}

// Orders runs so many pairs of each of some orders, which are numbered from
// those there were on.
func (s *Sampler) Orders(ctx context.Context, what string, twins [][]harness.Binary, good, bad harness.Binary, had, rounds int) ([]harness.Pair, error) {
	c := s.Campaign(good, bad)
	c.Layouts = twins
	pairs, err := s.Until(ctx, what, c, nil, nil, []int{rounds * len(twins)}, func([]harness.Pair) bool { return true })
	for i := range pairs {
		pairs[i].Layout += had
	}
	return pairs, err
}

// doubtUnseen takes the verdict back where there is no time to look at other layouts.
func (w *Whole) doubtUnseen() {
	limit := w.Sampler.Budget.Limit
	w.Comparison.Warnings = append(w.Comparison.Warnings, fmt.Sprintf(
		"%v as linked, by so little that where the linker places functions may make it, and the budget of %v has no time to look at other orders",
		w.Comparison.Verdict, limit))
	w.Comparison.Verdict, w.Comparison.Need = stats.Unknown, 0
	w.Sampler.Log.GoOn(4 * limit)
}

// doubtLayout takes a verdict back that other layouts don't show.
func (w *Whole) doubtLayout() {
	c, l := &w.Comparison, w.Levels
	if c.Verdict.Upheld(l.Ratio) {
		return
	}
	c.Warnings = append(c.Warnings, fmt.Sprintf(
		"%v as linked, but in %d other orders of its functions %.3fx [%.3f, %.3f]: where they lie may be all that makes the difference",
		c.Verdict, l.Groups, l.Ratio.Mean, l.Ratio.Low, l.Ratio.High))
	c.Verdict, c.Need = stats.Unknown, 0
	if finder.MoreOrders(l, c.Ratio.Mean) > l.Groups { // there was no time for them
		w.Sampler.Log.GoOn(2 * w.Sampler.Budget.Limit)
	}
}

// LayoutsOf are the link layouts of pairs, nil if these are of no campaign that has
// several.
func LayoutsOf(pairs []harness.Pair) []int {
	var list []int
	for _, p := range pairs {
		if p.Layout > 0 {
			list = append(list, p.Layout)
		}
	}
	return list
}

// FewestFor are the looks at which every layout has been run often enough.
func FewestFor(twins [][]harness.Binary, looks []int) []int {
	if len(twins) == 0 {
		return looks
	}
	return slices.DeleteFunc(slices.Clone(looks), func(n int) bool { return n < layoutRounds*len(twins) })
}

package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Where the linker places a function makes it faster or slower by some percent,
// and any change to a program moves all that comes after it. So a small difference
// of the whole must be there under other orders too, or nothing is to blame for it.
const (
	layoutRounds = 2 // pairs of each order at least
	mostRounds   = 8 // and at most, where no more are needed than scatter asks for

	// LayoutLooks are the looks at most that a small difference gets in other orders.
	LayoutLooks = 4
)

// layoutOrders are the numbers of orders, besides the linker's own, after which a whole is
// looked at. They are planned, as looks at pairs are.
var layoutOrders = []int{2, 4, 8, 16, mostOrders}

// usualLayouts is what is known before a layout is seen. In most benchmarks they make
// 2 %, in some 10 %: with this prior, and the error that a look of a whole has, one
// layout alone decides differences of about 1.4x and more, and one of those where
// layouts make 10 % is wrong in 2 of 1,000 cases.
var usualLayouts = stats.Prior{SD: 0.03, Freedom: 4}

// holdLayouts holds a difference of the whole against both sides linked in other orders,
// and takes a verdict back that is not seen there. One that is larger than layouts can
// make by what is known of them stands as it is. Where the orders seen leave it open,
// there are more, if that would tell: pairs of those there are would repeat what they
// said.
func (w *Whole) holdLayouts(ctx context.Context, orders *Orders) error {
	s, verdict := w.Sampler, w.Comparison.Verdict
	if s.Quantity.Counts() || verdict != stats.Slower && verdict != stats.Faster {
		return nil
	}
	alpha := s.Ledger.Open(stats.Whole, len(layoutOrders)+1, 1)
	pairs := slices.Clone(w.pairs)
	if err := w.overLayouts(pairs, alpha); err != nil || w.Over.Verdict == verdict {
		return err
	}
	if s.idle(ctx) {
		return ErrIdle
	}
	for _, want := range layoutOrders {
		rounds := w.perOrder(len(w.pairs))
		if want > layoutOrders[0] && w.hopeless(alpha, rounds) {
			break
		}
		more, err := w.compareOrders(ctx, orders, want, rounds)
		switch {
		case Ends(ctx, err):
			return err
		case err != nil && w.Orders == 0:
			what, _, _ := strings.Cut(err.Error(), "\n")
			s.Log.Warn("whether the difference depends on where the linker places functions was not looked at: %s", what)
			return nil
		}
		pairs = append(pairs, more...)
		if err := w.overLayouts(pairs, alpha); err != nil || len(more) == 0 || w.Over.Verdict == verdict || w.Orders < want {
			break
		}
	}
	s.RecordWhole("whole, other link layouts", pairs[len(w.pairs):])
	w.doubtLayout()
	return nil
}

// usualOrders is how many orders small differences take.
const usualOrders = 8

// perOrder is how many pairs of an order are worth their time, after so many of the
// linker's own: as many as leave about as much open of its mean as orders differ by. A
// link takes about as long as a few of them.
func (w *Whole) perOrder(pairs int) int {
	worth := int(math.Ceil(w.Over.Within / usualLayouts.SD))
	return max(layoutRounds, pairs/usualOrders, min(worth, mostRounds))
}

// overLayouts judges pairs over the orders that they are of.
func (w *Whole) overLayouts(pairs []harness.Pair, alpha float64) error {
	over, groups, err := w.over(pairs, alpha)
	if groups == nil {
		return fmt.Errorf("comparing link layouts: %w", err)
	}
	w.Over = over
	w.Layouts = usualLayouts.After(groups)
	w.Sampler.Log.Explain("whole over %d link orders: %v, %s, where orders alone move it by %.2g %%", len(groups), w.Over.Verdict, inRatios(w.Over.Ratio), 100*w.Layouts.SD)
	return err
}

// over is what pairs say over the orders that they are of, and their log ratios by order; nil
// where they have none.
func (w *Whole) over(pairs []harness.Pair, alpha float64) (over stats.Over, groups [][]float64, err error) {
	good, bad := w.Sampler.Wholes(pairs)
	if groups, err = stats.ByLayout(good, bad, layouts(pairs)); err == nil {
		over, err = stats.CompareOver(groups, alpha, w.Sampler.Asked.MinEffect, usualLayouts)
	}
	return over, groups, err
}

// hopeless says that no number of orders that is ever tried would decide what is seen,
// with so many pairs each: those of a noisy minute are no layouts.
func (w *Whole) hopeless(alpha float64, rounds int) bool {
	planned := usualLayouts.Planned(w.Over, rounds)
	return planned.Orders(math.Abs(w.Over.Ratio.Mean-1)-w.Sampler.Asked.MinEffect, alpha) > mostOrders
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
// there is time for, with so many pairs of each, and says where there is none for all.
func (s *Sampler) Relink(ctx context.Context, orders *Orders, good, bad *Entrant, had, want, rounds int) ([][]harness.Binary, error) {
	s.Log.Phase("linking both revisions in other orders")
	list, err := s.linkMore(ctx, orders, had, want, rounds, good, bad)
	if got := had + len(list); err == nil && got < want {
		s.Log.Warn("the budget of %v has time for %d of %d other orders of functions", s.Budget.Limit, got, want)
	}
	return list, err
}

// linkMore makes programs in more orders than there are, until there are as many as wanted,
// or as there is time for, with so many rounds of each. Only linking is done again.
func (s *Sampler) linkMore(ctx context.Context, orders *Orders, had, want, rounds int, programs ...*Entrant) (list [][]harness.Binary, err error) {
	begin := s.Budget.Left()
	for had+len(list) < want && s.Budget.affordsOrder(begin, len(list), rounds) {
		start, at, next := time.Now(), had+len(list), 1
		if at+2 <= want && s.Budget.affordsOrder(begin, len(list)+1, rounds) {
			next = 2 // of three programs, one would be linked alone
		}
		linked, err := orders.Linked(ctx, at, at+next, programs...)
		if err != nil {
			return list, err
		}
		list = append(list, linked...)
		s.Budget.Link = time.Since(start) / time.Duration(next)
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

// doubtLayout takes a verdict back that other layouts don't show. The interval over them
// is the one to print.
func (w *Whole) doubtLayout() {
	c, s := &w.Comparison, w.Sampler
	if w.Orders > 0 {
		c.Ratio = w.Over.Ratio
	}
	if c.Verdict == w.Over.Verdict {
		return
	}
	text := fmt.Sprintf("%v as linked, but over %d orders of its functions %.3fx [%.3f, %.3f]: where they lie may be all that makes the difference",
		c.Verdict, w.Orders+1, w.Over.Ratio.Mean, w.Over.Ratio.Low, w.Over.Ratio.High)
	if w.Orders == 0 {
		text = fmt.Sprintf("%v as linked, by so little that where the linker places functions may make it, and the budget of %v has no time to look at other orders", c.Verdict, s.Budget.Limit)
	}
	c.Warnings = append(c.Warnings, text)
	c.Verdict, c.Need = stats.Unknown, 0
	if s.Budget.Left() < s.Budget.Limit/2 {
		s.Log.GoOn(2 * s.Budget.Limit)
	}
}

// layouts number the link layouts of pairs; 0 is the linker's own.
func layouts(pairs []harness.Pair) []int {
	list := make([]int, len(pairs))
	for i, p := range pairs {
		list[i] = p.Layout
	}
	return list
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

// FewestFor are the looks at which every layout has been run often enough, no more than
// there are: the first, where others were too early for that, is when it just has.
func FewestFor(twins [][]harness.Binary, looks []int) []int {
	fewest := layoutRounds * len(twins)
	later := slices.DeleteFunc(slices.Clone(looks), func(n int) bool { return n < fewest })
	if len(later) < len(looks) && !slices.Contains(later, fewest) {
		later = slices.Insert(later, 0, fewest)
	}
	return later
}

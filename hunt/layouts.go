package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Where the linker places a function makes it faster or slower by some percent,
// and any change to a program moves all that comes after it. So a small difference
// of the whole must be there under other orders too, or nothing is to blame for it.
const (
	layouts      = 8
	smallEffect  = 0.10 // of a ratio; a larger one is not made by layout
	layoutRounds = 2    // pairs of each layout at least

	// The samples of other layouts can only take a verdict back, so their
	// confidence is not part of what the hunt may spend. They are looked at up to
	// three times before they do.
	layoutConfidence = 0.99
)

// holdLayouts holds a small difference of the whole against both sides linked in
// other orders, and takes a verdict back that is not seen there.
func (h *hunt) holdLayouts(ctx context.Context) error {
	if h.metric.counts() || !moved(h.whole) {
		return nil
	}
	n := max(layoutRounds*layouts, h.whole.Good.N)
	if h.left() < time.Duration(n)*h.perPair {
		h.doubtUnseen()
		return nil
	}
	c := h.unprobedPair()
	var err error
	if c.Layouts, err = h.relink(ctx); err != nil {
		if ends(ctx, err) {
			return err
		}
		h.warn("whether the difference depends on where the linker places functions was not looked at: %s", firstLine(err))
		return nil
	}
	var levels stats.Levels
	var judged error
	pairs, err := h.sample(ctx, "comparing the whole in other link layouts", c, nil, []int{n, 2 * n, 4 * n}, func(pairs []harness.Pair) bool {
		good, bad := h.wholes(pairs)
		var group []int
		for _, p := range pairs {
			group = append(group, p.Layout)
		}
		levels, judged = stats.Grouped(good, bad, group, layoutConfidence)
		return judged != nil || upheld(h.whole.Verdict, levels)
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

// moved reports whether a difference was decided that layout alone may make.
func moved(c stats.Comparison) bool {
	return (c.Verdict == stats.Slower || c.Verdict == stats.Faster) && math.Abs(c.Ratio.Mean-1) < smallEffect
}

// doubtLayout takes a verdict back that other layouts don't show.
func doubtLayout(c *stats.Comparison, l stats.Levels) {
	if upheld(c.Verdict, l) {
		return
	}
	c.Warnings = append(c.Warnings, fmt.Sprintf(
		"%v as linked, but in %d other orders of its functions %.3fx [%.3f, %.3f]: where they lie may be all that makes the difference",
		c.Verdict, l.Groups, l.Ratio.Mean, l.Ratio.Low, l.Ratio.High))
	c.Verdict, c.Need = stats.Unknown, 0
}

// upheld says whether a verdict is the same over layouts.
func upheld(v stats.Verdict, l stats.Levels) bool {
	return v == stats.Slower && l.Ratio.Low > 1 || v == stats.Faster && l.Ratio.High < 1
}

// relink makes both sides in other link layouts. Only linking is done again. Both
// sides have the same seeds, but what they order differs by what was changed, so
// layouts of the two have nothing in common.
func (h *hunt) relink(ctx context.Context) ([]harness.Twins, error) {
	h.progress("linking both revisions in other orders")
	all := make([]harness.Twins, layouts)
	for i := range all {
		seed := 1 + h.rand.Uint64N(math.MaxInt32)
		name := fmt.Sprintf("layout%d", i+1)
		build := func(s *side) (harness.Binary, error) {
			ordered := *s
			ordered.layout = seed
			return h.build(ctx, &ordered, name, nil, 0)
		}
		err := bothErrors(
			func() (err error) { all[i].Good, err = build(h.good); return err },
			func() (err error) { all[i].Bad, err = build(h.bad); return err },
		)
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

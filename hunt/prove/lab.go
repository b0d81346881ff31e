package prove

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Lab puts elements back and says what is gone with them.
type Lab struct {
	Whole    *compare.Whole
	Orders   *compare.Orders
	Elements []Element
	Composer Composer

	// Proved is told as soon as a set is proved to take a share away; nil: nobody is.
	Proved func(c *Composition)

	known map[string]*Composition
	order []*Composition // those that were asked for, as they were
	tried int            // sets that were run
}

// New is a lab, in which nothing was tried yet.
func New(l Lab) *Lab {
	l.known = make(map[string]*Composition)
	return &l
}

// MinShare is the share of the whole difference below which nothing is followed.
const MinShare = finder.DefaultMinShare

// Search finds the elements that make the difference.
func (l *Lab) Search(ctx context.Context) finder.Found {
	h := finder.Halves{MinShare: MinShare, Closure: l.closure, Try: l.try, Prove: l.prove}
	if r := l.Whole.Comparison.Ratio.Mean; r > 1 {
		h.Even = 1 / (1 + r) // on top of the culprit programs are as fast as good, and without it as slow as bad
	}
	for _, e := range l.Elements {
		h.Elements = append(h.Elements, finder.Element{Weight: e.Weight()})
	}
	return h.Find(ctx)
}

// Of is the composition of sets together, as they were tried; nil if they were not.
func (l *Lab) Of(sets ...[]int) *Composition {
	if c := l.known[fmt.Sprint(union(sets...))]; c != nil && c.Trial != nil && c.Trial.Judged() {
		return c
	}
	return nil
}

// Tried are the sets that were put back, in the order in which they first were.
func (l *Lab) Tried() []*Composition { return l.order }

// Element is the index of what differs that a function of bad is, or is of; -1 if it is
// the same in both revisions.
func (l *Lab) Element(bad *callgraph.Function) int {
	return slices.IndexFunc(l.Elements, func(e Element) bool { return e.Has(bad) })
}

// Confirm asks for one element by itself, of which a share is expected, and gives what was
// composed, and how the answer is accepted.
func (l *Lab) Confirm(ctx context.Context, i int, expected float64) (*Composition, finder.Acceptance, error) {
	c := l.composed([]int{i})
	if c.err != nil {
		return c, finder.Open, c.err
	}
	if len(c.With) > 0 {
		c = l.composed(union(c.Set, c.With))
	}
	limit := finder.Limit(expected, MinShare)
	if err := l.run(ctx, c, compare.Accusation, limit); err != nil {
		return c, finder.Open, err
	}
	how := finder.PutBack
	if len(c.Set) > 1 {
		how = finder.PutBackWith
	}
	return c, finder.Accept(how, c.Trial.Share, limit), nil
}

func union(sets ...[]int) []int {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return slices.Compact(all)
}

// closure answers the search by halves.
func (l *Lab) closure(set []int) ([]int, error) {
	if l.Whole.Sampler.Budget.Left() <= 0 { // of many elements this alone takes minutes
		return nil, compare.ErrBudget
	}
	c := l.composed(set)
	return c.With, c.err
}

// try answers it, too. The first set is measured as a proof is, and so is one of a single
// element, since a proof is asked of these next if they take anything away: the ledger
// pays, and nothing is measured twice. Of others, those that show the way are proved anew.
func (l *Lab) try(ctx context.Context, q finder.Question) (stats.Interval, error) {
	stakes := compare.Navigation
	if l.tried == 0 || len(q.Set) == 1 {
		stakes = compare.Accusation
	}
	return l.share(ctx, q, stakes)
}

func (l *Lab) prove(ctx context.Context, q finder.Question) (stats.Interval, error) {
	if len(q.Base) > 0 {
		return l.above(ctx, q)
	}
	share, err := l.share(ctx, q, compare.Accusation)
	if c := l.Of(q.Set); err == nil && share.Low > q.Limit && c != nil && l.Proved != nil {
		l.Proved(c)
	}
	return share, err
}

// above is the share that a set has beyond a base, held against it in the same rotation:
// what is not known of either need not be added up.
func (l *Lab) above(ctx context.Context, q finder.Question) (stats.Interval, error) {
	c := l.on(q.Base, q.Set)
	if err := l.run(ctx, c, compare.Accusation, q.Limit); err != nil {
		return stats.Interval{}, err
	}
	return c.Trial.Share, nil
}

func (l *Lab) share(ctx context.Context, q finder.Question, stakes compare.Stakes) (stats.Interval, error) {
	c := l.composed(q.Set)
	if err := l.run(ctx, c, stakes, q.Limit); err != nil {
		return stats.Interval{}, err
	}
	return c.Trial.Share, nil
}

// run measures a composition, which is built when that is asked for first. What ends the
// hunt is given as it is, and all else says that the set can't be.
func (l *Lab) run(ctx context.Context, c *Composition, stakes compare.Stakes, limit float64) error {
	if c.err != nil {
		return c.err
	}
	begin := time.Now()
	defer func() { c.Took += time.Since(begin) }()
	if c.Trial == nil {
		c.Began = begin
		l.order = append(l.order, c)
		if err := l.enter(ctx, c); err != nil {
			return l.cannot(ctx, c, err)
		}
	}
	l.tried++
	if err := l.Whole.Recover(ctx, c.Trial, l.Orders, stakes, limit); err != nil {
		return l.cannot(ctx, c, err)
	}
	l.Whole.Sampler.Log.Suspects(len(l.cleared()), len(l.Elements))
	return nil
}

// enter builds what takes part in a composition's trial.
func (l *Lab) enter(ctx context.Context, c *Composition) error {
	what := "bad with good's " + l.Name(c.Set)
	back, err := l.built(ctx, l.composed(c.Set))
	if err != nil {
		return err
	}
	var base *compare.Entrant
	if c.Base != nil {
		what += " on top of " + l.Name(c.Base)
		if base, err = l.built(ctx, l.composed(c.Base)); err != nil {
			return err
		}
	}
	c.Trial = l.Whole.Trial(what, back, base)
	return nil
}

// built is the program of a composition, made when it is asked for first.
func (l *Lab) built(ctx context.Context, c *Composition) (*compare.Entrant, error) {
	if c.err != nil || c.back != nil {
		return c.back, c.err
	}
	l.Whole.Sampler.Log.Phase("putting good's " + l.Name(c.Set) + " back")
	if l.Whole.Sampler.Budget.Left() <= 0 {
		return nil, compare.ErrBudget
	}
	var err error
	c.back, err = l.Composer.Build(ctx, c.Code)
	return c.back, err
}

// cleared are the elements that were in a set which took nothing away.
func (l *Lab) cleared() (set []int) {
	for _, c := range l.order {
		if c.Trial != nil && c.Base == nil && c.Trial.Share.High < MinShare {
			set = union(set, c.Set)
		}
	}
	return set
}

func (l *Lab) cannot(ctx context.Context, c *Composition, err error) error {
	if compare.Ends(ctx, err) {
		return err
	}
	c.err = fmt.Errorf("%w: %w", finder.ErrCannot, err)
	if len(c.Set) == 1 {
		l.Whole.Sampler.Log.Warn("%s could not be tried with good's code: %s", l.Name(c.Set), harness.FirstLine(err))
	}
	return c.err
}

// mostNamed is how many elements of a set are named.
const mostNamed = 3

// Name names a set to a reader.
func (l *Lab) Name(set []int) string {
	var names []string
	for _, i := range set {
		names = append(names, l.Elements[i].Name())
	}
	if len(names) > mostNamed {
		return fmt.Sprintf("code for %d of %d things that differ", len(names), len(l.Elements))
	}
	return strings.Join(names, " and ")
}

// IsCannot says whether an error is of a set that can't be composed, built or run.
func IsCannot(err error) bool { return errors.Is(err, finder.ErrCannot) }

package finder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Narrow is the way a guilty region is cut into parts.
type Narrow int

const (
	Binary Narrow = iota
	Linear
	Sweep
)

// DefaultMinShare is the part of the whole difference that is worth following.
const DefaultMinShare = 0.10

// Search looks for what made a function slower.
//
// Invariant: a region is measured, and found guilty, before it is split. The
// inspected function is Known to be guilty, or is measured as the whole of the
// first comparison; every region after it was a part of the comparison that led
// to it. So whenever the search can't go on, because no part is guilty, because
// answers contradict each other or because measuring fails, what it holds in its
// hands is guilty and is the answer. A part is never believed against its whole.
type Search struct {
	Narrow   Narrow
	Depth    int     // most layers to inspect, counting the first; 0 means no limit
	MinShare float64 // smallest share of the whole difference to follow; 0 means DefaultMinShare
	// Known is what a comparison without probes said of the inspected function.
	// If it says slower, the first reading need not find that again: one that is
	// unknown lets its parts be believed all the same, and they divide up the
	// known difference. One that says same or faster is a contradiction.
	Known stats.Comparison

	Measure MeasureFunc
	// Confirm measures a culprit again on fresh processes; nil means Measure.
	// It is apart so that the caller can spend another part of its error on it.
	Confirm MeasureFunc
	Dig     DigFunc     // nil means that nothing is dug
	Trace   func(Event) // nil means that nobody listens
}

// Run searches root. It fails only when it can't say anything about the whole;
// what goes wrong later is in [Result].Err beside what was found before.
func (s *Search) Run(ctx context.Context, root Layer) (Result, error) {
	if s.Measure == nil {
		return Result{}, errors.New("searching " + root.Name + ": nothing to measure with")
	}
	h := &hunt{Search: s, inspected: map[string]float64{root.Name: 1}}
	first, err := h.measure(ctx, h.Measure, root, root.all(), h.split(root.all()))
	if err != nil {
		return Result{}, err
	}
	h.Whole = s.known(first.Whole)
	h.Verdict = h.Whole.Verdict
	l := &level{Layer: root, share: 1}
	if h.Verdict == stats.Slower {
		l.diff = h.Whole.Diff.Mean
		whole := Part{Layer: root, Region: root.all(), Whole: true, Delta: h.Whole, Share: 1}
		if !h.inspect(ctx, l, first) {
			h.answer(ctx, l, whole, h.stopOf(l))
		}
	} else {
		h.read(l, root.all(), h.split(root.all()), first)
	}
	h.conclude()
	return h.Result, nil
}

// known is the first reading of the whole or, if that is undecided, what is known
// of it.
func (s *Search) known(first stats.Comparison) stats.Comparison {
	if first.Verdict != stats.Unknown || s.Known.Verdict != stats.Slower {
		return first
	}
	return AtSpeedOf(s.Known, first)
}

// AtSpeedOf is a comparison with its difference taken at the speed that another
// comparison of the same was made at: that of its good side.
func AtSpeedOf(c, at stats.Comparison) stats.Comparison {
	if speed := at.Good.Mean / c.Good.Mean; speed > 0 && !math.IsInf(speed, 1) {
		c.Diff.Mean *= speed
		c.Diff.Low *= speed
		c.Diff.High *= speed
	}
	return c
}

// hunt is one run of a search.
type hunt struct {
	*Search
	Result
	inspected map[string]float64 // functions that are or were a layer, with the share they had to explain
}

// level is a layer being searched.
type level struct {
	Layer
	chain    []Part  // steps that led here
	share    float64 // of the whole difference that this layer is to explain
	diff     float64 // difference of the layer's function, from its last guilty reading; 0 before one
	conflict bool    // some reading contradicted itself
}

// inspect searches one layer, whose first reading is given, and reports
// whether it found an answer in it. The layer is narrowed to the end before
// anything below is dug, so that nobody has to build it twice.
func (h *hunt) inspect(ctx context.Context, l *level, first Reading) bool {
	h.Layers++
	guilty := h.read(l, l.all(), h.split(l.all()), first)
	var found []Part
	for _, p := range guilty {
		found = append(found, h.narrow(ctx, l, p)...)
	}
	largestFirst(found)
	for _, p := range found {
		h.dig(ctx, l, p)
	}
	return len(found) > 0
}

// narrow splits a guilty part until its parts are single calls or not guilty.
func (h *hunt) narrow(ctx context.Context, l *level, p Part) []Part {
	if p.Own || p.Region.Len() == 1 || h.Err != nil {
		return []Part{p}
	}
	parts := h.split(p.Region)
	reading, err := h.measure(ctx, h.Measure, l.Layer, p.Region, parts)
	if err != nil {
		h.fail(err)
		return []Part{p}
	}
	var found []Part
	for _, q := range h.read(l, p.Region, parts, reading) {
		found = append(found, h.narrow(ctx, l, q)...)
	}
	if len(found) == 0 {
		return []Part{p}
	}
	return found
}

// split cuts a region into the parts that are read in one comparison.
func (s *Search) split(r Region) []Region {
	switch {
	case r.Len() == 0:
		return nil
	case r.Len() == 1:
		return []Region{r}
	case s.Narrow == Linear:
		return []Region{{r.From, r.From + 1}, {r.From + 1, r.To}}
	case s.Narrow == Sweep:
		var parts []Region
		for i := r.From; i < r.To; i++ {
			parts = append(parts, Region{i, i + 1})
		}
		return parts
	default:
		middle := r.From + (r.Len()+1)/2
		return []Region{{r.From, middle}, {middle, r.To}}
	}
}

// answer adds a culprit, and measures it again unless the search has failed.
func (h *hunt) answer(ctx context.Context, l *level, p Part, stop Stop) {
	c := Culprit{Kind: kindOf(p), Chain: append(slices.Clone(l.chain), p), Stop: stop}
	if h.Err == nil {
		h.confirm(ctx, &c)
	}
	h.Culprits = append(h.Culprits, c)
}

func kindOf(p Part) Kind {
	switch {
	case p.Own || len(p.Layer.Calls) == 0:
		return OwnCode
	case p.Whole || p.Region.Len() > 1:
		return Range
	}
	switch p.Layer.Calls[p.Region.From].Side {
	case GoodOnly:
		return RemovedCall
	case BadOnly:
		return AddedCall
	default:
		return CallKind
	}
}

func (h *hunt) measure(ctx context.Context, f MeasureFunc, l Layer, on Region, parts []Region) (Reading, error) {
	h.trace(Event{Kind: Measuring, Layer: l, On: on, Parts: parts})
	h.Comparisons++
	r, err := f(ctx, l, on, parts)
	if err != nil {
		return r, fmt.Errorf("measuring %v of %s: %w", on, l.Name, err)
	}
	if len(r.Parts) != len(parts) {
		return r, fmt.Errorf("measuring %v of %s: got %d parts, asked for %d", on, l.Name, len(r.Parts), len(parts))
	}
	return r, nil
}

func (h *hunt) fail(err error) {
	h.Err = err
	h.trace(Event{Kind: Failed, Err: err})
}

func (h *hunt) trace(e Event) {
	if h.Trace != nil {
		h.Trace(e)
	}
}

func (s *Search) minShare() float64 {
	if s.MinShare == 0 {
		return DefaultMinShare
	}
	return s.MinShare
}

// conclude orders what was found and weighs it. A failure leaves the verdict:
// the whole was guilty, and nothing has spoken against it.
func (h *hunt) conclude() {
	slices.SortStableFunc(h.Culprits, func(a, b Culprit) int { return cmp.Compare(b.Share(), a.Share()) })
	largestFirst(h.Minor)
	largestFirst(h.Undecided)
	if h.Verdict != stats.Slower {
		return
	}
	h.Unexplained = 1
	confirmed := false
	for _, c := range h.Culprits {
		h.Unexplained -= c.Share()
		confirmed = confirmed || c.Confirmed
	}
	if !confirmed && h.Err == nil {
		h.Verdict = stats.Unknown
	}
}

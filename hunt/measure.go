package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// relinkFrame makes the probed binaries of a frame in the orders that the whole was
// looked at in, once for all regions of it.
func (h *hunt) relinkFrame(ctx context.Context, f *frame) ([][]harness.Binary, error) {
	if f.linked == nil {
		f.linked = &change.Pair[*compare.Entrant]{}
		for i, s := range []*side{h.good, h.bad} {
			e := compare.NewEntrant(f.built[i], func(ctx context.Context, order uint64) (harness.Binary, error) {
				return h.buildSide(ctx, s.in(order), f)
			})
			if i == 0 {
				f.linked.Good = e
			} else {
				f.linked.Bad = e
			}
		}
	}
	h.log.Phase("linking the probes in " + f.name + " in other orders")
	return h.orders.Linked(ctx, 0, h.whole.Orders, f.linked.Good, f.linked.Bad)
}

// searchAlpha is the error of one verdict of the search. It is not taken from
// what the hunt may spend: a wrong turn costs time, and ends before a comparison
// on fresh processes that knows nothing of it. What may accuse, the whole and
// the confirmation, shares the hunt's error.
func (h *hunt) searchAlpha() float64 { return h.opts.Alpha }

// measure answers the finder: it runs a region of a layer in fresh processes
// and reads the parts out of them.
func (h *hunt) measure(stage stats.Stage) finder.MeasureFunc {
	return func(ctx context.Context, l finder.Layer, on finder.Region, parts []finder.Region) (finder.Reading, error) {
		f := h.frames[l.Name]
		if h.sampler.Quantity.Profiled {
			return h.measureProfiled(ctx, stage, f, on, parts)
		}
		if err := h.buildFrame(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		prepare := h.thin
		if f.nested {
			prepare = h.divide
		}
		if err := prepare(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		m := h.masks(f, on)
		what := "measuring " + f.name
		if stage == stats.Confirmation {
			what = "confirming " + f.name
		}
		alpha, looks, enough := h.searchAlpha(), compare.Searching, worthFollowing
		if stage == stats.Confirmation {
			alpha, looks, enough = h.sampler.Ledger.Open(stage, len(h.sampler.Quantity.Looks(compare.Deciding)), 1), compare.Deciding, finder.Reading.Decided
		}
		if f.shows {
			looks = compare.Showing
		}
		c := h.sampler.Campaign(f.built[0], f.built[1])
		if stage == stats.Confirmation {
			var err error
			if c.Layouts, err = h.relinkFrame(ctx, f); err != nil {
				return finder.Reading{}, err
			}
		}
		looks = compare.FewestFor(c.Layouts, h.sampler.Quantity.Looks(looks))
		var reading finder.Reading
		var last readings
		pairs, err := h.sampler.Until(ctx, what, c, nil, m.on, looks, func(pairs []harness.Pair) bool {
			last = h.read(f, pairs, m)
			reading = h.judge(last, on, parts, alpha)
			asked := reading
			if f.isOperation() && asked.Whole.Verdict == stats.Unknown {
				// That it is slower is known from the unprobed pair.
				asked.Whole = finder.AtSpeedOf(h.whole.Comparison, asked.Whole)
			}
			return enough(asked)
		})
		if last.frame == nil { // ended before the first look
			last = h.read(f, pairs, m)
		}
		h.record(what, f, last, pairs, on)
		if stage != stats.Confirmation {
			h.seen[f] = last
			if !f.nested {
				h.lastFrame = f
			}
		}
		return reading, err
	}
}

// switches lists the probe IDs of a region and of its surroundings.
func (f *frame) switches(on finder.Region) []int {
	var ids []int
	for id := on.From; id < on.To; id++ {
		if !f.off[id] {
			ids = append(ids, id)
		}
	}
	for k := range f.gates {
		ids = append(ids, f.gateID(k))
	}
	return append(ids, f.enclosing(), f.outermost())
}

// judge compares every part asked for. A part counts when it differs by more
// than the minimum effect of the whole operation, however deep it lies, and by
// more than what the probes themselves may have added to it.
func (h *hunt) judge(r readings, on finder.Region, parts []finder.Region, alpha float64) finder.Reading {
	operation := r.operation()
	rule := h.sampler.Rule(alpha, operation.good)
	compare := func(s series) stats.Comparison {
		return finder.OverLayouts(rule.Compare(s.good, s.bad), operation.good, s.good, s.bad, r.layouts)
	}
	whole := r.inspected()
	reading := finder.Reading{Whole: compare(whole)}
	for _, g := range parts {
		reading.Parts = append(reading.Parts, doubt(compare(r.region(g)), r.unsure(g)))
	}
	if on.From == 0 && on.To == len(r.frame.parts) && !r.frame.dispatch() {
		own := doubt(compare(whole.minus(r.region(on))), r.unsure(on))
		reading.Own = &own
	}
	return reading
}

// doubt takes a verdict back that the probes' own cost may have made: calls of a
// few nanoseconds, made often.
func doubt(c stats.Comparison, unsure float64) stats.Comparison {
	if c.Verdict == stats.Slower && c.Diff.Low < unsure {
		c.Verdict, c.Need = stats.Unknown, 0
		c.Warnings = append(c.Warnings, "the probes cost about as much")
	}
	return c
}

// worthFollowing says whether what is worth following is settled.
func worthFollowing(r finder.Reading) bool { return r.Settled(minShare) }

// minShare is the share of the inspected function's difference below which a
// part is not followed.
const minShare = 0.1

// record keeps the raw samples for the report.
func (h *hunt) record(what string, f *frame, r readings, pairs []harness.Pair, on finder.Region) {
	whole := r.operation()
	var parts []report.Part
	for id := on.From; id < on.To; id++ {
		s := r.probe(id)
		parts = append(parts, report.Part{Call: f.parts[id].text(), Good: s.good, Bad: s.bad})
	}
	h.log.Record(what, pairs, whole.good, whole.bad, parts...)
}

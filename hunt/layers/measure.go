package layers

import (
	"context"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// relink makes the probed binaries of a frame in the orders that the whole was
// looked at in, once for all regions of it.
func (pr *Prober) relink(ctx context.Context, f *Layer) ([][]harness.Binary, error) {
	if f.linked == nil {
		linked := change.Map(pr.pair(), func(s *sides.Side) *compare.Entrant {
			return compare.NewEntrant(f.built.Of(s.Which), func(ctx context.Context, order uint64) (harness.Binary, error) {
				return pr.buildSide(ctx, s.In(order), f)
			})
		})
		f.linked = &linked
	}
	pr.Sampler.Log.Phase("linking the probes in " + f.Name + " in other orders")
	return pr.Orders.Linked(ctx, 0, pr.Whole.Orders, f.linked.Good, f.linked.Bad)
}

// searchAlpha is the error of one verdict of the search. It is not taken from
// what the hunt may spend: a wrong turn costs time, and ends before a comparison
// on fresh processes that knows nothing of it. What may accuse, the whole and
// the confirmation, shares the hunt's error.
func (pr *Prober) searchAlpha() float64 { return pr.Sampler.Asked.Alpha }

// measure answers the finder: it runs a region of a layer in fresh processes
// and reads the parts out of them.
func (pr *Prober) measure(stage stats.Stage) finder.MeasureFunc {
	return func(ctx context.Context, l finder.Layer, on finder.Region, parts []finder.Region) (finder.Reading, error) {
		f := pr.layers[l.Name]
		if pr.Sampler.Quantity.Profiled {
			return pr.measureProfiled(ctx, stage, f, on, parts)
		}
		if err := pr.build(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		prepare := pr.thin
		if f.nested {
			prepare = pr.divide
		}
		if err := prepare(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		m := pr.masks(f, on)
		what := "measuring " + f.Name
		if stage == stats.Confirmation {
			what = "confirming " + f.Name
		}
		alpha, looks, enough := pr.searchAlpha(), compare.Searching, worthFollowing
		if stage == stats.Confirmation {
			alpha, looks, enough = pr.Sampler.Ledger.Open(stage, len(pr.Sampler.Quantity.Looks(compare.Deciding)), 1), compare.Deciding, finder.Reading.Decided
		}
		if f.shows {
			looks = compare.Showing
		}
		c := pr.Sampler.Campaign(f.built.Good, f.built.Bad)
		if stage == stats.Confirmation {
			var err error
			if c.Layouts, err = pr.relink(ctx, f); err != nil {
				return finder.Reading{}, err
			}
		}
		looks = compare.FewestFor(c.Layouts, pr.Sampler.Quantity.Looks(looks))
		var reading finder.Reading
		var last readings
		pairs, err := pr.Sampler.Until(ctx, what, c, nil, m.on, looks, func(pairs []harness.Pair) bool {
			last = pr.read(f, pairs, m)
			reading = pr.judge(last, on, parts, alpha)
			asked := reading
			if f.isOperation() && asked.Whole.Verdict == stats.Unknown {
				// That it is slower is known from the unprobed pair.
				asked.Whole = finder.AtSpeedOf(pr.Whole.Comparison, asked.Whole)
			}
			return enough(asked)
		})
		if last.frame == nil { // ended before the first look
			last = pr.read(f, pairs, m)
		}
		pr.record(what, f, last, pairs, on)
		if stage != stats.Confirmation {
			pr.seen[f] = last
			if !f.nested {
				pr.last = f
			}
		}
		return reading, err
	}
}

// switches lists the probe IDs of a region and of its surroundings.
func (f *Layer) switches(on finder.Region) []int {
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
func (pr *Prober) judge(r readings, on finder.Region, parts []finder.Region, alpha float64) finder.Reading {
	operation := r.operation()
	rule := pr.Sampler.Rule(alpha, operation.good)
	compare := func(s series) stats.Comparison {
		return finder.OverLayouts(rule.Compare(s.good, s.bad), operation.good, s.good, s.bad, r.layouts)
	}
	whole := r.inspected()
	reading := finder.Reading{Whole: compare(whole)}
	for _, g := range parts {
		reading.Parts = append(reading.Parts, doubt(compare(r.region(g)), r.unsure(g)))
	}
	if on.From == 0 && on.To == len(r.frame.Parts) && !r.frame.Dispatch() {
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
func worthFollowing(r finder.Reading) bool { return r.Settled(finder.DefaultMinShare) }

// record keeps the raw samples for the report.
func (pr *Prober) record(what string, f *Layer, r readings, pairs []harness.Pair, on finder.Region) {
	whole := r.operation()
	var parts []report.Part
	for id := on.From; id < on.To; id++ {
		s := r.probe(id)
		parts = append(parts, report.Part{Call: f.Parts[id].Text(), Good: s.good, Bad: s.bad})
	}
	pr.Sampler.Log.Record(what, pairs, whole.good, whole.bad, parts...)
}

package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// series are the samples of one quantity on both sides, in ns per operation,
// paired by index.
type series struct{ good, bad []float64 }

// readings turns pairs of samples into the series of a frame's quantities.
type readings struct {
	frame   *frame
	good    []harness.Sample
	bad     []harness.Sample
	layouts []int // of the pairs; nil if all had one
	clock   instrument.Clock
}

// read takes the samples of pairs.
func (h *hunt) read(f *frame, pairs []harness.Pair) readings {
	r := readings{frame: f, layouts: layoutsOf(pairs)}
	for _, p := range pairs {
		good, bad := h.matched(p)
		r.clock = p.Bad.Clock
		r.good, r.bad = append(r.good, good), append(r.bad, bad)
	}
	return r
}

// probe is the time of one probe.
func (r readings) probe(id int) series { return r.region(finder.Region{From: id, To: id + 1}) }

// region is the time of a region: the sum of its calls.
func (r readings) region(g finder.Region) series {
	sum := func(samples []harness.Sample) []float64 {
		out := make([]float64, len(samples))
		for i, s := range samples {
			for _, p := range s.Parts[g.From:g.To] {
				out[i] += p.NS
			}
		}
		return out
	}
	return series{sum(r.good), sum(r.bad)}
}

// operation is the time of the whole operation: of the goroutines that run it,
// where there are several.
func (r readings) operation() series {
	if r.frame.root().parallel {
		return r.probe(r.frame.outermost())
	}
	var s series
	for i := range r.good {
		s.good = append(s.good, r.good[i].Whole)
		s.bad = append(s.bad, r.bad[i].Whole)
	}
	return s
}

// inspected is the time of the frame's function.
func (r readings) inspected() series {
	if r.frame.isOperation() {
		return r.operation()
	}
	return r.probe(r.frame.enclosing())
}

// isOperation says whether the frame's function is the timed one, and so takes what
// an operation takes.
func (f *frame) isOperation() bool { return f.parent == nil && !f.body }

// calls are the calls per operation of one probe, the mean over processes.
func (r readings) calls(id int) (good, bad float64) {
	for i := range r.good {
		good += r.good[i].Parts[id].Calls
		bad += r.bad[i].Parts[id].Calls
	}
	n := float64(max(1, len(r.good)))
	return good / n, bad / n
}

// minus is what remains of s without t, sample by sample.
func (s series) minus(t series) series {
	diff := func(a, b []float64) []float64 {
		out := make([]float64, len(a))
		for i := range a {
			out[i] = a[i] - b[i]
		}
		return out
	}
	return series{diff(s.good, t.good), diff(s.bad, t.bad)}
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
		if h.metric.profiled {
			return h.measureProfiled(ctx, stage, f, on, parts)
		}
		if err := h.buildFrame(ctx, f); err != nil {
			return finder.Reading{}, err
		}
		if !f.nested {
			if err := h.thin(ctx, f); err != nil {
				return finder.Reading{}, err
			}
		}
		what := "measuring " + f.name
		if stage == stats.Confirmation {
			what = "confirming " + f.name
		}
		alpha, looks, enough := h.searchAlpha(), searching, worthFollowing
		if stage == stats.Confirmation {
			alpha, looks, enough = h.ledger.Open(stage, len(h.metric.looks(deciding)), 1), deciding, finder.Reading.Decided
		}
		if f.shows {
			looks = showing
		}
		c := h.campaign(f.built[0], f.built[1])
		if stage == stats.Confirmation {
			if err := h.relinkFrame(ctx, f); err != nil {
				return finder.Reading{}, err
			}
			c.Layouts = f.linked
		}
		looks = fewestFor(c.Layouts, h.metric.looks(looks))
		var reading finder.Reading
		var last readings
		pairs, err := h.sample(ctx, what, c, f.switches(on), looks, func(pairs []harness.Pair) bool {
			last = h.read(f, pairs)
			reading = h.judge(last, on, parts, alpha)
			asked := reading
			if f.isOperation() && asked.Whole.Verdict == stats.Unknown {
				// That it is slower is known from the unprobed pair.
				asked.Whole = finder.AtSpeedOf(h.whole, asked.Whole)
			}
			return enough(asked)
		})
		if last.frame == nil { // ended before the first look
			last = h.read(f, pairs)
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
	rule := h.rule(alpha, operation.good)
	compare := func(s series) stats.Comparison {
		return finder.OverLayouts(rule.Compare(s.good, s.bad), operation.good, s.good, s.bad, r.layouts)
	}
	whole := r.inspected()
	reading := finder.Reading{Whole: compare(whole)}
	for _, g := range parts {
		reading.Parts = append(reading.Parts, doubt(compare(r.region(g)), r.probeCost(g)))
	}
	if on.From == 0 && on.To == len(r.frame.parts) && !r.frame.dispatch() {
		own := doubt(compare(whole.minus(r.region(on))), r.probeCost(on))
		reading.Own = &own
	}
	return reading
}

// probeError is how far off the calibrated cost of a probe may be, as a share of
// it: what a probe costs depends on the code around it.
const probeError = 0.75

// probeCost is what the probes of a region cost an operation, on the side that
// runs through more of them.
func (r readings) probeCost(g finder.Region) float64 {
	cost := func(samples []harness.Sample, clock instrument.Clock) float64 {
		calls := 0.0
		for _, s := range samples {
			for _, p := range s.Parts[g.From:g.To] {
				calls += p.Calls / float64(len(samples))
			}
		}
		return calls * (clock.PairCost + clock.OutsideCost)
	}
	return max(cost(r.good, r.clock), cost(r.bad, r.clock))
}

// doubt takes a verdict back that the probes' own cost may have made: calls of a
// few nanoseconds, made often.
func doubt(c stats.Comparison, probes float64) stats.Comparison {
	if c.Verdict == stats.Slower && c.Diff.Low < probeError*probes {
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
	c := campaign(what, pairs, whole.good, whole.bad)
	for id := on.From; id < on.To; id++ {
		s := r.probe(id)
		c.Parts = append(c.Parts, report.Part{Call: f.parts[id].text(), Good: s.good, Bad: s.bad})
	}
	h.report.Provenance.Campaigns = append(h.report.Provenance.Campaigns, c)
}

package layers

import (
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// searchAlpha is the error of one verdict of the search. It is not taken from
// what the hunt may spend: a wrong turn costs time, and ends before a comparison
// on fresh processes that knows nothing of it. What may accuse, the whole and
// the confirmation, shares the hunt's error.
func (pr *Prober) searchAlpha() float64 { return pr.Sampler.Asked.Alpha }

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

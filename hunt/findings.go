package hunt

import (
	"cmp"
	"slices"

	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// findings are what a search came to. A stage makes them and hands them on.
type findings struct {
	inspected   string // the function that it began in, of bad; "": there was no search
	failed      string // what ended it before its end; "": nothing
	culprits    []report.Culprit
	undecided   []report.Undecided
	comparisons int                 // that it took
	effect      *report.ProbeEffect // what probing did to the whole; nil: no layer was probed
}

// and are two findings as one.
func (f findings) and(o findings) findings {
	return findings{
		inspected: cmp.Or(f.inspected, o.inspected), failed: cmp.Or(f.failed, o.failed),
		culprits: slices.Concat(f.culprits, o.culprits), undecided: slices.Concat(f.undecided, o.undecided),
		comparisons: f.comparisons + o.comparisons, effect: cmp.Or(o.effect, f.effect),
	}
}

// onlyProved has those set aside, as undecided, who were not slower again on fresh
// processes, as soon as another one was: next to a proof a mere suspicion is no
// accusation.
func (f findings) onlyProved() findings {
	confirmed := func(c report.Culprit) bool { return c.Confirmed }
	if !slices.ContainsFunc(f.culprits, confirmed) {
		return f
	}
	all := f.culprits
	f.culprits, f.undecided = nil, slices.Clone(f.undecided)
	for _, c := range all {
		if c.Confirmed {
			f.culprits = append(f.culprits, c)
			continue
		}
		f.undecided = append(f.undecided, report.Undecided{
			Function: c.Function, Call: c.Call, Position: c.Position, Delta: c.Delta,
		})
	}
	return f
}

// withoutImpossible has those set aside of whom only probes speak, and of an amount that is
// surely more than all there is to explain: it is the probes' own.
func (f findings) withoutImpossible(whole report.Interval) (left findings, impossible []string) {
	all := f.culprits
	f.culprits, f.undecided = nil, slices.Clone(f.undecided)
	for _, c := range all {
		part := &c.Delta
		if n := len(c.Chain); n > 1 && (c.Kind == report.AddedCall || c.Kind == report.RemovedCall) {
			part = c.Chain[n-2].Delta // the call may take the place of another
		}
		if c.Confirmed || part == nil || !layers.SurelyBeyond(stats.Interval(part.Diff), whole) {
			f.culprits = append(f.culprits, c)
			continue
		}
		impossible = append(impossible, c.Function)
		f.undecided = append(f.undecided, report.Undecided{Function: c.Function, Call: c.Call, Position: c.Position})
	}
	return f, impossible
}

// suspected are the findings of a search that ended before code was put back for them:
// probes alone speak of them.
func (f findings) suspected() findings {
	f.culprits = slices.Clone(f.culprits)
	for i := range f.culprits {
		f.culprits[i].Confirmed, f.culprits[i].How = false, report.ByProbes
	}
	return f
}

// byShare are the culprits, that with the largest share first.
func (f findings) byShare() findings {
	f.culprits = slices.Clone(f.culprits)
	slices.SortStableFunc(f.culprits, func(a, b report.Culprit) int { return cmp.Compare(b.Share, a.Share) })
	return f
}

// unexplained is the share of the difference that the culprits leave.
func (f findings) unexplained() float64 {
	left := 1.0
	for _, c := range f.culprits {
		left -= c.Share
	}
	return left
}

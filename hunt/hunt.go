// Package hunt runs one search from two revisions to a culprit, or to an honest
// "not decided". It promises that nothing of the user's is written to, that a
// function is named only after its difference was seen again on fresh
// processes, and that what was learned before a failure is not lost.
//
// A hunt compares the unprobed pair first; this whole is what every part is
// held against. Only when bad is slower does it search. There are two ways, and
// the first falls back on the second:
//
//   - Blame falls on code that differs, which is little. The functions that
//     differ and are reached are timed together; the deepest that gained most is
//     put back as it was in good, and what that brings back is the proof. Then
//     the chain to it is measured.
//   - Layers are opened from the timed body down. Each is built once per revision
//     with a probe at every call expression, and the finder asks for regions of
//     it. This is the way of the thesis; it needs nothing to differ.
//
// When probes and the code put back disagree, the code put back names the
// culprit: the probes show where a cost is paid, not always where it is caused.
//
// The parts live elsewhere: compare decides pairs, prove puts good's code back, layers
// opens and probes functions, profile says who calls whom, evidence what else is known of
// a culprit, and finder the order in which to ask. This package is where they meet.
package hunt

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/evidence"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/serve"
	"github.com/pinpoint-go/pinpoint/trace"
)

// mostEvidence is the most that evidence takes where nothing is said of it: it is not
// what was asked for.
const mostEvidence = 15 * time.Second

// Find compares the revisions and, when bad is slower, finds the call that did
// it. The report is never nil once both revisions are known; an error beside it
// says what could not be done.
func Find(ctx context.Context, opts Options) (*report.Report, error) {
	return run(ctx, opts, !opts.MeasureAnyway, (*hunt).search)
}

// Compare holds the two revisions against each other, without a search.
func Compare(ctx context.Context, opts Options) (*report.Report, error) {
	return run(ctx, opts, false, func(*hunt, context.Context) (findings, error) { return findings{}, nil })
}

// run does what Find and Compare share: prepare, compare the whole and, if that
// is slower, go on with next. What runs nothing of what differs need not be compared.
func run(ctx context.Context, opts Options, mayIdle bool, next func(*hunt, context.Context) (findings, error)) (*report.Report, error) {
	if trace.From(ctx) == nil {
		ctx = trace.Into(ctx, trace.New()) // for the report
	}
	h, err := begin(opts)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	if err := h.Open(ctx); err != nil {
		return nil, err
	}
	ctx = harness.OnWait(ctx, h.Log.Wait)
	err = h.Prepare(ctx)
	if err == nil && opts.Server != nil && len(opts.Server.Requests) > 0 {
		h.Log.Phase("comparing what both servers answer")
		bins := change.Pair[harness.Binary]{Good: h.Good.Unprobed, Bad: h.Bad.Unprobed}
		err = serve.CompareAnswers(ctx, bins, opts.Workload, h.Temp.Path)
	}
	if err == nil && mayIdle {
		h.Log.Phase("looking what differs")
		h.Sampler.Idle = h.idleness(ctx)
	}
	compared := false
	if err == nil && h.idle == "" {
		err = h.compareWhole(ctx)
		compared = err == nil
	}
	if errors.Is(err, compare.ErrIdle) {
		err = nil
	}
	if errors.Is(err, compare.ErrBudget) {
		h.Log.Warn("the budget of %v was spent before the first comparison", h.Options.Budget)
		err = nil
	}
	var found findings
	if err == nil && h.whole.Regression() {
		if found, err = next(h, ctx); err != nil {
			found.failed, err = h.endedEarly(err)
		}
		found = found.byShare()
		if len(found.culprits) > 0 && found.culprits[0].Confirmed && found.culprits[0].Function != h.announced.function {
			h.announced.after = time.Since(h.Start)
		}
		h.WarnOfWrites() // before tests write what they like
		h.attest(ctx, found)
	} else {
		h.WarnOfWrites()
	}
	return h.summary(compared, found), err
}

// attest tells of the culprits, and adds what else is known of them.
func (h *hunt) attest(ctx context.Context, found findings) {
	for _, c := range found.culprits {
		if c.Confirmed {
			h.Options.Reached(c)
		}
	}
	h.Sampler.Budget.Spare(cmp.Or(h.Options.Evidence, h.usualEvidence()))
	g := evidence.Gatherer{
		Pair: h.Pair, Set: h.Set, Sampler: h.Sampler, Whole: h.whole,
		Recorder: h.recorder, Prober: h.prober, Put: h.compositions,
	}
	g.Gather(ctx, found.culprits)
}

// usualEvidence is how long evidence may take where nothing is said of it: as long as it
// took to find the culprit, and the chain, which is measured already, is a part of it.
func (h *hunt) usualEvidence() time.Duration {
	elapsed := time.Since(h.Start)
	found := cmp.Or(h.announced.latest, elapsed)
	return max(1, found+min(mostEvidence, found)-elapsed)
}

// endedEarly tells that the search did not end by itself. What the whole says stands,
// whatever went wrong below it; only an interrupt is an error.
func (h *hunt) endedEarly(err error) (failed string, _ error) {
	if errors.Is(err, compare.ErrBudget) {
		h.Log.Warn("the search ended early, as the budget of %v was spent", h.Options.Budget)
		h.Log.GoOn(2 * h.Options.Budget)
		return "", nil
	}
	h.Log.Warn("the search ended early: %v", harness.FirstLine(err))
	if errors.Is(err, context.Canceled) {
		return err.Error(), err
	}
	return err.Error(), nil
}

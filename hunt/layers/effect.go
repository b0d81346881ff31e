package layers

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Probes may hide or make a difference: a probed function is no longer inlined,
// its results escape, its loop is laid out otherwise. What they add while they are on
// is measured and taken off (see sample); what the probed code does otherwise while
// they are off, nothing can take off. A difference that is less than half of the
// unprobed one then, or more than one and a half times as large, is said to be
// changed.
const (
	probesHide = 0.5
	probesMake = 1.5

	// Of goroutines the time is not that of the benchmark, and their number would do.
	parallelMake = 3
)

// Effect says what probing did to the difference that is hunted: the unprobed whole, the
// probed one with its probes off, and with them on. It has a finding where they changed
// it, and is nil where nothing was probed that could.
func (pr *Prober) Effect(ctx context.Context) (*report.ProbeEffect, error) {
	f := pr.last
	r, measured := pr.seen[f]
	if f == nil || !measured || pr.Sampler.Quantity.Counts() {
		return nil, nil
	}
	off, err := pr.switchedOff(ctx, f, r)
	if err != nil {
		return nil, err
	}
	probed := r.probed()
	on := pr.Sampler.Rule(pr.searchAlpha(), probed.good).Compare(probed.good, probed.bad)
	e := &report.ProbeEffect{
		Function: f.Name,
		Unprobed: *pr.Sampler.Delta(pr.Whole.Comparison), Off: *pr.Sampler.Delta(off), On: *pr.Sampler.Delta(on),
		CostGood: on.Good.Mean - off.Good.Mean, CostBad: on.Bad.Mean - off.Bad.Mean,
	}
	how := "measured"
	if !r.alternate {
		e.CostGood, e.CostBad = r.nominal(finder.Region{To: len(f.Parts)})
		how = "calibrated elsewhere"
	}
	e.Subtracted = max(e.CostGood, e.CostBad)
	if e.Subtracted > heavyProbes*off.Good.Mean {
		pr.Sampler.Log.Warn("the probes in %s cost %v per operation in good and %v in bad, which was %s and taken off", f.Name, text.Duration(e.CostGood), text.Duration(e.CostBad), how)
	}
	kept, _ := finder.Recovered(off, pr.Whole.Comparison)
	switch {
	case f.root().parallel && larger(off.Ratio, pr.Whole.Comparison.Ratio) <= parallelMake:
		return e, nil // goroutine time, which is not what the benchmark measures
	case kept.High < probesHide && !f.root().parallel:
		e.Finding = "the probed code hides the difference"
	case larger(off.Ratio, pr.Whole.Comparison.Ratio) > probesMake:
		e.Finding = "the probed code makes the difference larger"
	default:
		return e, nil
	}
	e.Why = pr.whyProbesMatter(ctx, f)
	pr.Sampler.Log.Warn("%s in %s: %s", e.Finding, f.Name, strings.Join(append(e.Why, "take its parts with care"), "; "))
	return e, nil
}

// switchedOff compares a frame's binaries with their probes off. Where batches with
// and without probes alternated, that was measured with the parts.
func (pr *Prober) switchedOff(ctx context.Context, f *Layer, r readings) (off stats.Comparison, err error) {
	if r.alternate {
		op := r.operation()
		return pr.Sampler.Rule(pr.searchAlpha(), op.good).Compare(op.good, op.bad), nil
	}
	what := "holding the probes in " + f.Name + " against none"
	pairs, err := pr.Sampler.Until(ctx, what, pr.Sampler.Campaign(f.built.Good, f.built.Bad), nil, nil, compare.Searching[:2], func(pairs []harness.Pair) bool {
		good, bad := pr.Sampler.Wholes(pairs)
		off = pr.Sampler.Rule(pr.searchAlpha(), good).Compare(good, bad)
		return off.Verdict != stats.Unknown
	})
	if err == nil {
		pr.Sampler.RecordWhole(what, pairs)
	}
	return off, err
}

// larger is how many times as large the difference that on is the ratio of surely is
// as that of the whole: both as shares of good, since of bad a large one is always
// nearly all.
func larger(on, whole stats.Interval) float64 { return (on.Low - 1) / (whole.High - 1) }

// whyProbesMatter compares what the compiler decided about the calls of the
// frame's function without and with probes.
func (pr *Prober) whyProbesMatter(ctx context.Context, f *Layer) []string {
	if f.Dispatch() {
		return nil
	}
	var why []string
	for _, s := range pr.Sides() {
		fn := f.Code.Of(s.Which)
		files, _, err := pr.rewrite(s, f)
		if err != nil {
			continue
		}
		plain, err := inlinable(ctx, s, nil, fn)
		if err != nil {
			continue
		}
		probed, err := inlinable(ctx, s, files, fn)
		if err != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(plain)) {
			if !probed[name] {
				why = append(why, fmt.Sprintf("in %s the compiler inlines %s only without probes", s.Label, name))
			}
		}
	}
	return why
}

// inlinable are the functions of a package whose calls the compiler inlines.
func inlinable(ctx context.Context, s *sides.Side, files map[string][]byte, fn *callgraph.Function) (map[string]bool, error) {
	d, err := s.Decide(ctx, files, fn)
	return d.Inlinable[fn.Pkg.PkgPath], err
}

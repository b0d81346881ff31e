package hunt

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
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

// holdProbes says whether probing changed the difference that is hunted: the
// unprobed whole, the probed one with its probes off, and with them on.
func (h *hunt) holdProbes(ctx context.Context) error {
	f := h.lastFrame
	r, measured := h.seen[f]
	if f == nil || !measured || h.sampler.Quantity.Counts() {
		return nil
	}
	off, err := h.switchedOff(ctx, f, r)
	if err != nil {
		return err
	}
	probed := r.probed()
	on := h.sampler.Rule(h.searchAlpha(), probed.good).Compare(probed.good, probed.bad)
	e := &report.ProbeEffect{
		Function: f.name,
		Unprobed: *h.delta(h.whole.Comparison), Off: *h.delta(off), On: *h.delta(on),
		CostGood: on.Good.Mean - off.Good.Mean, CostBad: on.Bad.Mean - off.Bad.Mean,
	}
	how := "measured"
	if !r.alternate {
		e.CostGood, e.CostBad = r.nominal(finder.Region{To: len(f.parts)})
		how = "calibrated elsewhere"
	}
	e.Subtracted = max(e.CostGood, e.CostBad)
	h.report.ProbeEffect = e
	if e.Subtracted > heavyProbes*off.Good.Mean {
		h.log.Warn("the probes in %s cost %v per operation in good and %v in bad, which was %s and taken off", f.name, roundTime(e.CostGood), roundTime(e.CostBad), how)
	}
	kept, _ := finder.Recovered(off, h.whole.Comparison)
	switch {
	case f.root().parallel && larger(off.Ratio, h.whole.Comparison.Ratio) <= parallelMake:
		return nil // goroutine time, which is not what the benchmark measures
	case kept.High < probesHide && !f.root().parallel:
		e.Finding = "the probed code hides the difference"
	case larger(off.Ratio, h.whole.Comparison.Ratio) > probesMake:
		e.Finding = "the probed code makes the difference larger"
	default:
		return nil
	}
	e.Why = h.whyProbesMatter(ctx, f)
	h.log.Warn("%s in %s: %s", e.Finding, f.name, strings.Join(append(e.Why, "take its parts with care"), "; "))
	for i := range h.report.Culprits {
		withoutProbed(&h.report.Culprits[i])
	}
	return nil
}

// switchedOff compares a frame's binaries with their probes off. Where batches with
// and without probes alternated, that was measured with the parts.
func (h *hunt) switchedOff(ctx context.Context, f *frame, r readings) (off stats.Comparison, err error) {
	if r.alternate {
		op := r.operation()
		return h.sampler.Rule(h.searchAlpha(), op.good).Compare(op.good, op.bad), nil
	}
	what := "holding the probes in " + f.name + " against none"
	pairs, err := h.sampler.Until(ctx, what, h.sampler.Campaign(f.built[0], f.built[1]), nil, nil, compare.Searching[:2], func(pairs []harness.Pair) bool {
		good, bad := h.sampler.Wholes(pairs)
		off = h.sampler.Rule(h.searchAlpha(), good).Compare(good, bad)
		return off.Verdict != stats.Unknown
	})
	if err == nil {
		h.sampler.RecordWhole(what, pairs)
	}
	return off, err
}

// withoutProbed takes the numbers of probes out of the chain of a culprit that was proved
// without any: beside what they have made of the whole, they would mislead.
func withoutProbed(c *report.Culprit) {
	last := len(c.Chain) - 1
	if c.Reverted == nil || last < 0 {
		return
	}
	for i := range c.Chain {
		c.Chain[i].Delta, c.Chain[i].Share = nil, 0
	}
	if c.Kind == report.AddedCall || c.Kind == report.RemovedCall {
		return // which is so whatever it takes
	}
	c.Chain[last], c.Kind, c.Call = ownStep(c), report.OwnCode, ""
}

// larger is how many times as large the difference that on is the ratio of surely is
// as that of the whole: both as shares of good, since of bad a large one is always
// nearly all.
func larger(on, whole stats.Interval) float64 { return (on.Low - 1) / (whole.High - 1) }

// whyProbesMatter compares what the compiler decided about the calls of the
// frame's function without and with probes.
func (h *hunt) whyProbesMatter(ctx context.Context, f *frame) []string {
	if f.dispatch() {
		return nil
	}
	var why []string
	for _, s := range []*side{h.good, h.bad} {
		fn := s.fn(f)
		pkg := fn.Pkg.PkgPath
		files, _, err := h.rewrite(s, f)
		if err != nil {
			continue
		}
		plain, err := h.inlinable(ctx, s, nil, pkg)
		if err != nil {
			continue
		}
		probed, err := h.inlinable(ctx, s, files, pkg)
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
func (h *hunt) inlinable(ctx context.Context, s *side, files map[string][]byte, pkg string) (map[string]bool, error) {
	d, err := h.decisions(ctx, s, files, pkg)
	return d.Inlinable[pkg], err
}

// decisions are the compiler's about a package, with files laid over the side.
func (h *hunt) decisions(ctx context.Context, s *side, files map[string][]byte, pkg string) (harness.Decisions, error) {
	return s.Decisions(ctx, revision.Build{Files: files}, pkg)
}

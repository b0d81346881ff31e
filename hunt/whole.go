package hunt

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// The numbers of pairs after which samples are looked at. They are planned
// beforehand, so that the error can be spread over them. What accuses, the whole
// and the confirmations, may take more than a step of the search, which others
// follow; what only shows where a proved difference lies decides nothing.
var (
	deciding  = stats.Looks(6, 384)
	searching = stats.Looks(6, 96)
	showing   = stats.Looks(6, 12)
)

// errBudget ends a search whose time is up.
var errBudget = errors.New("the budget is spent")

// compareWhole calibrates and compares the unprobed pair.
func (h *hunt) compareWhole(ctx context.Context) error {
	if err := harness.HostLock(); err != nil {
		h.warn("another pinpoint on this machine would not be seen: %v", err)
	}
	h.progress("calibrating")
	plan, err := harness.Calibrate(ctx, h.good.unprobed, h.bad.unprobed, h.opts.Workload)
	if err != nil {
		return err
	}
	if h.metric.counts() {
		plan = plan.Longer(countedBatch)
		plan.Batches = min(plan.Batches, countedBatches)
	}
	h.plan = plan
	h.report.Provenance.Iterations = report.Iterations{Good: plan.GoodN, Bad: plan.BadN, Batches: plan.Batches}
	h.report.Workload.Name = plan.BadBench
	if plan.Note != "" && !h.metric.counts() {
		h.warn("%s", plan.Note)
	}
	looks := h.metric.looks(deciding)
	alpha := h.ledger.Open(stats.Whole, len(looks), 2)
	var overall stats.Comparison // of all batches, the slow ones too
	c := h.unprobedPair()
	compare := func(pairs []harness.Pair) (fast, all stats.Comparison) {
		good, bad := wholes(pairs, h.metric.mean())
		all = paired(h.rule(alpha, good)).Compare(good, bad)
		good, bad = h.wholes(pairs)
		return h.rule(alpha, good).Compare(good, bad), all
	}
	var pilot pilot
	asked := true // it is the asked difference that is ruled out
	pairs, err := h.sample(ctx, "comparing the whole", c, nil, looks, func(pairs []harness.Pair) bool {
		h.whole, overall = compare(pairs)
		asked = !h.settleFor(&h.whole, pilot, pairs, alpha)
		if len(c.Aside) > 0 {
			with := slices.Concat(pairs, c.Aside)
			fast, all := compare(with)
			h.settleFor(&fast, pilot, with, alpha)
			doubtDisturbed(&h.whole, fast)
			doubtDisturbed(&overall, all)
		}
		if h.whole.Verdict == stats.Unknown && !pilot.over && len(pairs) >= pilotFrom {
			pilot = h.pilot(ctx, len(pairs), last(looks), alpha)
		}
		return h.whole.Verdict != stats.Unknown
	})
	if h.metric.counts() {
		overall = h.whole // it is of all batches already
	}
	if h.whole.Verdict != stats.Slower && overall.Verdict == stats.Slower {
		// A cost that few batches pay, such as a collection, is not in the fast
		// ones. The hunt then goes by all of them.
		h.warn("the difference is in a few slow batches only, such as those in which garbage is collected: the hunt goes by the mean of all, which is noisier")
		h.summary, h.unmatched, h.whole = h.metric.mean(), true, overall
	}
	h.recordWhole("whole", pairs)
	h.allocating = allocating(pairs)
	h.warnUnsettled(pairs)
	if err == nil {
		err = h.compareOnOne(ctx)
	}
	h.recordProcessors()
	if err == nil {
		err = h.holdLayouts(ctx)
	}
	if err != nil {
		return err
	}
	h.report.Whole, h.report.WholeMean = h.delta(h.whole), h.delta(overall)
	if !h.metric.counts() {
		for _, w := range h.whole.Warnings {
			h.warn("whole: %s", w)
		}
	}
	switch {
	case h.whole.Verdict == stats.Unknown:
		h.explainUnknown()
	case h.whole.Verdict == stats.Same && !asked:
		h.report.Search.MinEffect = pilot.effect
		h.warn("no difference above %.0f %% instead of %.3g %%, as good against itself differs by %.2g %% from pair to pair here", 100*pilot.effect, 100*h.opts.MinEffect, 100*pilot.sd)
	}
	return nil
}

// warnUnsettled tells of a workload that most processes never run steadily.
func (h *hunt) warnUnsettled(pairs []harness.Pair) {
	never := 0
	for _, pair := range pairs {
		for _, p := range []harness.Process{pair.Good, pair.Bad} {
			if _, settled := p.Settled(); !settled {
				never++
			}
		}
	}
	if never > len(pairs) {
		h.warn("unwarmable: %d of %d processes never settled, no five of their batches in a row varied by less than 10 %% (CoV); they are kept", never, 2*len(pairs))
	}
}

// paired lets the ratios of pairs decide: the means of all batches are too noisy
// for anything else.
func paired(r stats.Rule) stats.Rule {
	r.Test = stats.TestPaired
	return r
}

// doubtDisturbed takes a verdict back that depends on the disturbed pairs being
// left out.
func doubtDisturbed(kept *stats.Comparison, all stats.Comparison) {
	if kept.Verdict != all.Verdict && kept.Verdict != stats.Unknown {
		kept.Warnings = append(kept.Warnings, fmt.Sprintf(
			"%v without the pairs that were disturbed, %v with them", kept.Verdict, all.Verdict))
		kept.Verdict = stats.Unknown
	}
}

// recordWhole keeps the raw samples of a campaign without probes.
func (h *hunt) recordWhole(what string, pairs []harness.Pair) {
	good, bad := h.wholes(pairs)
	h.report.Provenance.Campaigns = append(h.report.Provenance.Campaigns, campaign(what, pairs, good, bad))
}

// explainUnknown says what is open of an undecided whole, and what would settle it.
func (h *hunt) explainUnknown() {
	if h.notSlower() {
		return
	}
	if h.allocating && h.metric.name == "time" {
		h.warn("an operation of bad allocates otherwise than one of good: --metric allocs tells where")
	}
	if h.report.Continue != "" || len(h.orders) > 0 {
		return // said already
	}
	if h.whole.Ratio.Low > 1 {
		h.warn("it is slower, but whether by %.3g %% or more (--min-effect) is not known", 100*h.opts.MinEffect)
	}
	need := h.whole.Need
	if need == 0 || need > 10*deciding[len(deciding)-1] {
		h.warn("the difference is below what this host can resolve; a quieter host or a larger --min-effect may decide it")
		return
	}
	minutes := (time.Duration(need) * h.cost.pair).Minutes()
	h.warn("about %d pairs (%.1f minutes here) would decide it, by the spread seen so far", need, minutes)
	if budget := time.Since(h.start).Minutes() + 1.5*minutes; budget > h.opts.Budget.Minutes() {
		h.goOn(time.Duration(budget * float64(time.Minute)))
	}
}

// notSlower reports whether an undecided whole is surely no slower by as much as
// counts: it is the same, or faster, and only which of the two is open.
func (h *hunt) notSlower() bool {
	most := 1 + h.opts.MinEffect
	if len(h.orders) > 0 && h.levels.Ratio.High >= most {
		return false
	}
	c := h.whole
	return c.Verdict == stats.Unknown && c.Good.N > 0 && c.Ratio.High < most && c.Diff.High < h.opts.MinEffect*c.Good.Mean
}

func (h *hunt) unprobedPair() *harness.Campaign {
	return h.campaign(h.good.unprobed, h.bad.unprobed)
}

func (h *hunt) campaign(good, bad harness.Binary) *harness.Campaign {
	return &harness.Campaign{
		Good: good, Bad: bad,
		Workload: h.opts.Workload,
		GoodN:    h.plan.GoodN, BadN: h.plan.BadN,
		Batches: h.plan.Batches,
		Duet:    h.opts.Duet,
		Rand:    h.rand,
	}
}

// rule is the decision rule at an error level. The minimum effect is a share of
// the good whole, whatever the part.
func (h *hunt) rule(alpha float64, goodWhole []float64) stats.Rule {
	test := h.opts.Test
	if h.metric.counts() {
		test = stats.TestWelch // counts agree or differ; ranks of equal ones say nothing
	}
	return stats.Rule{Alpha: alpha, MinEffect: h.opts.MinEffect * mean(goodWhole), Test: test}
}

func (h *hunt) progress(phase string) { h.opts.Progress(phase, 0, 0) }

// waiting gives what tells that others measure, which the builds of both sides may
// find. Where they do so for long, every pair waits; once a minute is enough.
func (h *hunt) waiting() func() {
	var told time.Time
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if now := time.Now(); now.Sub(told) > time.Minute {
			told = now
			h.progress("waiting for another pinpoint")
		}
	}
}

// summary is what a process contributes: a sample made of some of its batches or
// of all of them.
type summary func(harness.Process) harness.Sample

// wholes are the samples of the whole, in ns per operation, paired by index.
func wholes(pairs []harness.Pair, of summary) (good, bad []float64) {
	for _, p := range pairs {
		good = append(good, of(p.Good).Whole)
		bad = append(bad, of(p.Bad).Whole)
	}
	return good, bad
}

// wholes are the samples of the whole by the hunt's summary, matched.
func (h *hunt) wholes(pairs []harness.Pair) (good, bad []float64) {
	for _, p := range pairs {
		g, b := h.matched(p)
		good, bad = append(good, g.Whole), append(bad, b.Whole)
	}
	return good, bad
}

// matched are the samples of a pair by the hunt's summary, at the speeds at which
// their wholes match where that is of a few batches and not of all. What slowed a
// process down slowed its parts down too.
func (h *hunt) matched(p harness.Pair) (good, bad harness.Sample) {
	good, bad = h.summary(p.Good), h.summary(p.Bad)
	if h.unmatched || h.metric.counts() {
		return good, bad
	}
	wholeGood, wholeBad := p.Match(good.Whole, bad.Whole, h.metric.of)
	return atSpeed(good, wholeGood), atSpeed(bad, wholeBad)
}

// atSpeed is a sample of a process that takes another time as a whole.
func atSpeed(s harness.Sample, whole float64) harness.Sample {
	if !(s.Whole > 0) || !(whole > 0) {
		return s
	}
	factor := whole / s.Whole
	s.Whole = whole
	for id := range s.Parts {
		s.Parts[id].NS *= factor
	}
	return s
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(max(1, len(xs)))
}

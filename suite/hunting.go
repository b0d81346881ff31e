package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/report"
)

// leastHunt is the time below which a hunt is not begun: it would be over before
// it has built anything.
const leastHunt = 20 * time.Second

// huntAll hunts the discoveries that were not hunted yet, each with an equal part
// of the time left, and reports whether there were any.
func (r *run) huntAll(ctx context.Context) (hunted bool, err error) {
	var todo []*bench
	level := r.threshold()
	for _, b := range r.benches {
		if b.p <= level && !b.hunted && !b.stopped {
			todo = append(todo, b)
		}
	}
	for i, b := range todo {
		b.hunted = true
		budget := r.left() / time.Duration(len(todo)-i)
		if budget < leastHunt {
			b.Reason = "no time was left to look for the culprit: raise --budget"
			continue
		}
		if err := r.hunt(ctx, b, budget); err != nil {
			return true, err
		}
		if i+1 == len(todo) || todo[i+1].pkg != b.pkg {
			b.pkg.set.Unload()
		}
	}
	return len(todo) > 0, nil
}

// hunt looks for the culprit of a discovery. Its first comparison is on fresh
// processes, and takes a discovery back that it contradicts. An error ends the
// job only if it is that of ctx.
func (r *run) hunt(ctx context.Context, b *bench, budget time.Duration) error {
	opts := r.opts.Hunt
	opts.Good, opts.Bad = r.report.Good.Commit, r.headRevision()
	opts.Package, opts.Workload, opts.Budget = b.pkg.dir, b.workload, budget
	opts.Progress = func(phase string, done, total int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.opts.Hunt.Progress("hunting "+b.Name+": "+phase, done, total)
	}
	// What the suite compared is hunted: the same trees, whatever became of the branch
	// or the working files since, with what is built and loaded of them.
	set, err := b.pkg.set.With(b.workload)
	if err != nil {
		return err
	}
	defer set.Close()
	opts.Opened, opts.MeasureAnyway = set, true // what it runs was counted
	rep, err := hunt.Find(harness.Purpose(ctx, "hunting "+b.FullName()), opts)
	r.report.Cost.Hunts++
	b.Report = rep
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case err != nil:
		b.Reason = "the hunt for the culprit failed: " + err.Error()
	case rep.Verdict == report.NoRegression || rep.Verdict == report.Improvement:
		b.stopped = true
		b.Outcome, b.Reason = report.IsUnknown, fmt.Sprintf("slower in the comparison, but not on the fresh processes of the hunt (%s)", rep.Verdict)
	case rep.Verdict == report.Inconclusive:
		b.Reason = "the hunt's own comparison did not decide within its part of the budget: raise --budget"
	case len(rep.Culprits) == 0:
		b.Reason = "no culprit was found"
	case !slices.ContainsFunc(rep.Culprits, func(c report.Culprit) bool { return c.Confirmed }):
		b.Reason = "no culprit was found: what is suspected could not be confirmed"
	}
	return nil
}

// record decides the outcome of a benchmark by the samples it has, and writes down
// what it goes by.
func (r *run) record(b *bench) {
	s := r.report
	s.Rule.Compared++
	level := r.levelOfLook()
	discovered := b.p <= r.threshold()
	if discovered {
		// Intervals of what was picked out hold with the share of the error that
		// picked it (Benjamini and Yekutieli, "False discovery rate-adjusted
		// multiple confidence intervals for selected parameters", JASA 100, 2005).
		s.Rule.Discoveries++
		level = r.threshold() / float64(len(looks))
	}
	shown := reading{}
	if len(b.samples.good) > 0 {
		shown = r.shown(b, level, discovered)
		p := b.p
		b.P, b.Delta = &p, r.deltaOf(shown, b.samples)
		b.Delta.Machines = r.machinesOf(b.samples, level)
		b.Reason = cmp.Or(b.Reason, b.Delta.Machines.Slower())
	}
	if b.Outcome == "" {
		b.Outcome = r.outcome(b, shown, discovered)
	}
	if b.Delta != nil || b.Report != nil {
		r.complete(b)
	}
}

// shown is the reading that the outcome rests on: for a discovery the first look
// that made it one.
func (r *run) shown(b *bench, level float64, discovered bool) reading {
	last := read(b.samples, r.opts.FailAbove, level)
	if !discovered || last.above {
		return last
	}
	for _, n := range b.samples.looks {
		if then := read(b.samples.first(n), r.opts.FailAbove, level); then.above {
			return then
		}
	}
	return last
}

// leastDifference is the difference in ns per operation that fails a build: a cycle of a
// processor of 3 GHz. What is less, no instruction takes; where the instructions of the
// changed function have come to lie does it. A router's function of 2.6 ns, of which a
// change added a branch that its benchmark never came to, took 0.2 ns more in all link
// orders.
const leastDifference = 0.33

func (r *run) outcome(b *bench, shown reading, discovered bool) report.Outcome {
	limit, ratio := r.opts.FailAbove, shown.ratio
	switch {
	case discovered && (ratio.Mean-1)*shown.good < leastDifference:
		b.Reason = "slower by less than a clock cycle an operation, which fails nothing"
		return report.IsSlower
	case discovered:
		return report.IsRegression
	case len(b.samples.good) == 0:
		b.Reason = b.outOfTime()
		return report.IsUnknown
	case !known(shown.ratio):
		b.Reason = "its time per operation is not above zero"
		return report.IsUnknown
	case ratio.High < 1:
		return report.IsFaster
	case ratio.High < 1+limit && ratio.Low > 1:
		return report.IsSlower
	case ratio.High < 1+limit:
		return report.IsUnharmed
	case ratio.Low > 1:
		b.Reason = "slower, but whether by more than the limit is not decided"
	case b.nextLook() == 0:
		b.Reason = fmt.Sprintf("not decided by %d pairs: this host is too noisy for so low a limit", looks[len(looks)-1])
	default:
		b.Reason = "not decided within the budget"
	}
	return report.IsUnknown
}

func (r *run) deltaOf(shown reading, s samples) *report.Delta {
	d := &report.Delta{
		Good: shown.good, Bad: shown.bad,
		// The ratio is what decided; the difference is what it makes of good.
		Diff:       report.Interval{Mean: shown.bad - shown.good},
		Confidence: shown.confidence, Unit: "ns/op", Pairs: len(s.good), Layouts: r.layoutsOf(s),
	}
	if known(shown.ratio) {
		at := func(ratio float64) float64 { return (ratio - 1) * shown.good }
		c := shown.ratio
		d.Diff = report.Interval{Mean: at(c.Mean), Low: at(c.Low), High: at(c.High)}
		d.Ratio = &report.Interval{Mean: c.Mean, Low: c.Low, High: c.High}
	} else {
		d.Diff.Low, d.Diff.High = -math.MaxFloat64, math.MaxFloat64
	}
	return d
}

// complete gives the benchmark a report of its own, or the hunt's report the
// samples that led to it.
func (r *run) complete(b *bench) {
	if b.Report == nil {
		b.Report = r.compared(b)
	}
	b.Report.Good, b.Report.Bad = r.report.Good, r.report.Bad
	if s := b.samples; len(s.good) > 0 {
		p := &b.Report.Provenance
		p.Campaigns = append(p.Campaigns,
			report.Campaign{What: "suite", Good: s.good, Bad: s.bad, GoodFirst: s.goodFirst, Layouts: r.seedsOf(s)},
			report.Campaign{What: "suite, mean of all batches", Good: s.goodMean, Bad: s.badMean, GoodFirst: s.goodFirst, Layouts: r.seedsOf(s)})
	}
}

// compared is the report of a benchmark that was not hunted.
func (r *run) compared(b *bench) *report.Report {
	verdicts := map[report.Outcome]report.Verdict{
		report.IsRegression: report.Regression, report.IsSlower: report.NoRegression,
		report.IsUnharmed: report.NoRegression, report.IsFaster: report.Improvement,
	}
	rep := &report.Report{
		Verdict: verdicts[b.Outcome],
		Workload: report.Workload{
			Kind: "bench", Package: b.Package, Pattern: b.workload.Pattern, Name: b.Name, Metric: "time",
		},
		Whole: b.Delta,
		Search: report.Search{
			Alpha: r.opts.Hunt.Alpha, MinEffect: r.opts.FailAbove, Seed: r.opts.Hunt.Seed,
			Processes: 2 * len(b.samples.good),
		},
		Provenance: report.Provenance{
			Pinpoint: r.opts.Hunt.Version, Date: r.start.UTC().Format(time.RFC3339), Commands: b.pkg.set.Commands(),
			Iterations: report.Iterations{Good: b.campaign.N[0], Bad: b.campaign.N[1], Batches: b.campaign.Batches},
		},
	}
	if rep.Verdict == "" {
		rep.Verdict = report.Inconclusive
	}
	rep.Provenance.Host = r.machine.Lines(b.pkg.set.Go().Version)
	rep.Provenance.Environment = harness.Environment(b.campaign.Binaries[1], b.workload)
	return rep
}

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
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/evidence"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/trace"
)

// Options says what to hunt and how. The zero value of a field is its default.
type Options struct {
	Dir       string // where the repository is looked for: any directory of it, or a git directory; default "."
	Good, Bad string // revisions; Bad may be backup.Worktree
	Package   string // directory of the workload's package, relative to Dir; default "."
	Workload  harness.Workload
	Driver    string // a _test.go file to place in the package in both revisions

	Func    string                 // the inspected function; default: the timed body
	Depth   int                    // how many layers to open; 0: no limit
	Exclude func(name string) bool // functions not to dig into
	Finder  string                 // auto, sweep, binary, linear or revert; default auto
	Metric  string                 // one of Metrics; default time

	MinEffect float64       // share of the good whole below which a difference does not count; default 1 %
	Alpha     float64       // bound on the chance of a wrong accusation; default 1 %
	Test      stats.Test    // which interval decides
	Budget    time.Duration // for everything, builds included; default 10 minutes
	Evidence  time.Duration // of the budget, for what is told beside a culprit; default what is left
	Seed      uint64        // of the order of pairs; 0: chosen and reported
	Duet      bool          // run both sides of a pair at the same time, see harness.Campaign

	Tags     string                              // build tags, comma separated
	CacheDir string                              // of the private trees; default the user's cache directory
	Version  string                              // of pinpoint, for the report
	Progress func(phase string, done, total int) // total 0: unknown; default: silent
	Named    func(report.Culprit)                // told as soon as a culprit is proved that makes most of the difference, before how it is reached and its evidence are known; default: silent

	// Opened are both revisions, where the caller has opened them and closes them
	// again; nil: they are opened by what Dir, Package, Good, Bad, Driver and Tags say.
	Opened *revision.Set
}

// Metrics are the quantities that can be searched for.
var Metrics = compare.Names()

// The defaults of Options.
const (
	DefaultMinEffect = 0.01
	DefaultAlpha     = 0.01
	DefaultBudget    = 10 * time.Minute
)

// hunt is one search under way.
type hunt struct {
	opts  Options
	start time.Time
	temp  *harness.TempDir // of profiles and go.mod files
	set   *revision.Set
	sides.Pair

	sampler      *compare.Sampler
	budget       *compare.Budget
	log          *compare.Log
	orders       *compare.Orders
	whole        *compare.Whole // of the unprobed pair
	report       *report.Report
	between      *change.Change                // what lies between the revisions; nil: not asked yet
	lab          *prove.Lab                    // where what differs is put back; nil: not asked yet
	notSource    bool                          // all that differs was put back, and changed nothing
	compositions map[string]*prove.Composition // what was put back for a culprit, by its function
	announced    string                        // the culprit that Options.Named was told of
	recorder     *profile.Recorder             // from when it is known what is timed
	prober       *layers.Prober                // as long
}

// Find compares the revisions and, when bad is slower, finds the call that did
// it. The report is never nil once both revisions are known; an error beside it
// says what could not be done.
func Find(ctx context.Context, opts Options) (*report.Report, error) {
	return run(ctx, opts, (*hunt).search)
}

// Compare holds the two revisions against each other, without a search.
func Compare(ctx context.Context, opts Options) (*report.Report, error) {
	return run(ctx, opts, func(*hunt, context.Context) error { return nil })
}

// run does what Find and Compare share: prepare, compare the whole and, if that
// is slower, go on with next.
func run(ctx context.Context, opts Options, next func(*hunt, context.Context) error) (*report.Report, error) {
	if trace.From(ctx) == nil {
		ctx = trace.Into(ctx, trace.New()) // for the report
	}
	h, err := newHunt(opts)
	if err != nil {
		return nil, err
	}
	defer h.close()
	if err := h.open(ctx); err != nil {
		return nil, err
	}
	ctx = harness.OnWait(ctx, h.log.Wait)
	err = h.prepare(ctx)
	if err == nil {
		err = h.compareWhole(ctx)
	}
	if errors.Is(err, compare.ErrBudget) {
		h.log.Warn("the budget of %v was spent before the first comparison", h.opts.Budget)
		err = nil
	}
	if err == nil && h.whole.Regression() {
		if err = next(h, ctx); err != nil {
			err = h.endedEarly(err)
		}
		if c := h.report.Culprits; len(c) > 0 && c[0].Confirmed && c[0].Function != h.announced {
			h.report.Search.Named = time.Since(h.start).Seconds()
		}
		h.warnOfWrites() // before tests write what they like
		h.budget.Spare(opts.Evidence)
		g := evidence.Gatherer{
			Pair: h.Pair, Set: h.set, Sampler: h.sampler, Whole: h.whole,
			Recorder: h.recorder, Prober: h.prober, Put: h.compositions,
		}
		g.Gather(ctx, h.report.Culprits)
	} else {
		h.warnOfWrites()
	}
	h.finish()
	return h.report, err
}

// endedEarly tells that the search did not end by itself. What the whole says stands,
// whatever went wrong below it; only an interrupt is an error.
func (h *hunt) endedEarly(err error) error {
	if errors.Is(err, compare.ErrBudget) {
		h.log.Warn("the search ended early, as the budget of %v was spent", h.opts.Budget)
		h.log.GoOn(2 * h.opts.Budget)
		return nil
	}
	h.report.Error = err.Error()
	h.log.Warn("the search ended early: %v", harness.FirstLine(err))
	if errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func newHunt(opts Options) (*hunt, error) {
	opts.setDefaults()
	quantity, err := compare.QuantityOf(opts.Metric, opts.Workload.Kind)
	if err != nil {
		return nil, err
	}
	if opts.CacheDir == "" {
		if opts.CacheDir, err = backup.CacheDir(); err != nil {
			return nil, err
		}
	}
	temp, err := harness.NewTempDir()
	if err != nil {
		return nil, err
	}
	h := &hunt{
		temp:         temp,
		opts:         opts,
		start:        time.Now(),
		log:          &compare.Log{Progress: opts.Progress},
		orders:       &compare.Orders{Rand: stream(opts.Seed, linking)},
		compositions: make(map[string]*prove.Composition),
	}
	h.budget = &compare.Budget{Limit: opts.Budget, Start: h.start}
	h.sampler = &compare.Sampler{
		Workload: opts.Workload,
		Quantity: quantity,
		Asked:    compare.Asked{Alpha: opts.Alpha, MinEffect: opts.MinEffect, Test: opts.Test},
		Duet:     opts.Duet,
		Budget:   h.budget,
		Ledger:   &stats.Ledger{Alpha: opts.Alpha},
		Log:      h.log,
		Rand:     stream(opts.Seed, shuffling),
	}
	h.whole = &compare.Whole{Sampler: h.sampler}
	h.report = &report.Report{
		Search: report.Search{Alpha: opts.Alpha, MinEffect: opts.MinEffect, Seed: opts.Seed},
		Workload: report.Workload{
			Kind:    kinds[opts.Workload.Kind],
			Pattern: opts.Workload.Pattern,
			Args:    opts.Workload.Args,
			Driver:  opts.Driver,
			Metric:  opts.Metric,
		},
		Provenance: report.Provenance{Pinpoint: opts.Version, Date: h.start.UTC().Format(time.RFC3339)},
	}
	return h, nil
}

// kinds are the names that reports have for what is run.
var kinds = map[harness.Kind]string{harness.Bench: "bench", harness.Test: "test", harness.Main: "main"}

func (o *Options) setDefaults() {
	if o.Dir == "" {
		o.Dir = "."
	}
	if o.Package == "" {
		o.Package = "."
	}
	if o.Finder == "" {
		o.Finder = "auto"
	}
	if o.Metric == "" {
		o.Metric = "time"
	}
	if o.MinEffect == 0 {
		o.MinEffect = DefaultMinEffect
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Seed == 0 {
		// A seed that reads and types easily; it only orders pairs.
		o.Seed = 1 + rand.Uint64N(1_000_000)
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Named == nil {
		o.Named = func(report.Culprit) {}
	}
}

// guided says whether the user told the search a way to go: then it goes through
// the layers, and what lies off the way is not looked at.
func (o *Options) guided() bool { return o.Func != "" || o.Depth != 0 || o.Exclude != nil }

// close removes what the hunt made. The private trees stay for the next one.
func (h *hunt) close() {
	h.temp.Remove()
	if h.set != nil && h.opts.Opened == nil {
		h.set.Close()
	}
}

// warnOfWrites tells of a workload that writes into its own tree.
func (h *hunt) warnOfWrites() {
	for _, text := range h.set.Writes() {
		h.log.Warn("%s", text)
	}
}

// The purposes of random numbers. Each has its own, so that asking for more of one
// changes none of another.
const (
	shuffling = iota // the order of pairs
	linking          // the order of functions
)

func stream(seed, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }

// recordLog puts what was done into the report.
func (h *hunt) recordLog() {
	r := h.report
	r.Search.Processes, r.Search.Disturbed = h.log.Processes()
	r.Provenance.Campaigns = h.log.Campaigns()
	r.Warnings, r.Continue = append(h.set.Notes(), h.log.Notes()...), h.log.Continue()
	r.Provenance.Commands = h.set.Commands()
	r.Search.Builds = len(r.Provenance.Commands)
	r.Tried = h.tried()
}

// recordPhases tells what the time went into.
func (h *hunt) recordPhases() {
	h.log.Trace.Leave()
	spans := h.log.Trace.Since(h.start)
	for _, s := range spans {
		if s.Kind == trace.Phase {
			h.report.Search.Phases = append(h.report.Search.Phases, report.Phase{What: s.Name, Began: s.Began.Sub(h.start).Seconds(), Seconds: s.Took.Seconds()})
		}
	}
	spent := trace.Spent(spans)
	for _, kind := range slices.Sorted(maps.Keys(spent)) {
		h.report.Search.Spent = append(h.report.Search.Spent, report.Spent{Kind: string(kind), Seconds: spent[kind].Seconds()})
	}
}

// finish fills in the verdict and what the hunt cost.
func (h *hunt) finish() {
	r := h.report
	r.Search.Seconds = time.Since(h.start).Seconds()
	h.recordPhases()
	h.recordLog()
	if p := h.prober; p != nil {
		r.Search.Layers, r.Search.Comparisons, r.Provenance.Refused = p.Opened, r.Search.Comparisons+p.Compared, p.Refused
	}
	switch h.whole.Comparison.Verdict {
	case stats.Same:
		r.Verdict = report.NoRegression
	case stats.Faster:
		r.Verdict = report.Improvement
	case stats.Slower:
		r.Verdict = report.Regression
	case stats.Mixed:
		r.Verdict = report.Mixed
	case stats.Unknown:
		r.Verdict = report.Inconclusive
		if h.whole.NotSlower() {
			r.Verdict, r.NotSlower = report.NoRegression, true
		}
	}
}

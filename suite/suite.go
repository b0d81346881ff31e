// Package suite compares many benchmarks of two revisions within one budget and
// hunts those that got slower. It is what a continuous integration job runs, so
// it promises that noise does not turn a build red.
//
// # What is compared
//
// The benchmarks that the package patterns and the selection name. By default
// these are the ones whose reachable code differs between the revisions (see
// callgraph.Program.ReachPrint), or whose embedded or test data does. A package
// whose test binary is made of the same files in both revisions is neither
// loaded nor built. The others get one build of their test binary per revision,
// and all benchmarks of the package run from it. What only one revision has is
// listed, and not compared.
//
// # When a benchmark is a regression
//
// All comparisons go on side by side, in rounds that double the pairs of
// processes of those that are undecided, until each is decided or the budget
// ends. Three tests of one hypothesis share a benchmark's error: that bad is
// slower by no more than the limit (Options.FailAbove). They are the paired test
// on the logarithms of ratios and the signed ranks, both of the steady batches,
// and the paired test of the mean of all batches, which sees what few batches
// pay. Ratios of pairs are not reached by what drifts during the job. Nothing
// else can look at a benchmark more than once without its error being known, so
// looks are planned, and each has its part (Bonferroni).
//
// What noise must not do is turn a build red, and one false regression among
// hundreds of benchmarks does. Benjamini and Hochberg's procedure ("Controlling
// the false discovery rate", JRSS B 57, 1995) at Options.Hunt.Alpha over all
// benchmarks that are compared gives two promises in one: where nothing is above
// the limit, at most that share of builds turns red, as with Bonferroni's
// division; and where something is, at most that share of what is called a
// regression is false, without the loss of power that Bonferroni's has for the
// many benchmarks that one slow function hits. It needs benchmarks that are
// independent where nothing differs. Nearly so they are: the order within each pair
// is drawn anew, and with it the sign of what disturbs it. What is no noise, such
// as another layout of the same code, is not in these promises; a hunt that finds
// no culprit is what shows of it.
//
// A regression found so is hunted, and the hunt begins with a comparison on
// fresh processes. Where that contradicts, the outcome is unknown.
//
// "Not above the limit" is not a discovery: each is wrong with at most Alpha.
package suite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Options says what to compare and by which rule. The zero value of a field is
// its default.
type Options struct {
	// Hunt has what all benchmarks share: directory, workload (processors,
	// timeout, environment), tags, cache, progress, seed, the budget of the whole
	// job, and what a hunt goes by (MinEffect, Alpha). Good, Bad, Package and the
	// workload's pattern are set here.
	Hunt hunt.Options

	Base     string   // revision to share history with; default: Target's
	Target   string   // name of the branch that head is to go into; default the remote's default branch
	Head     string   // default HEAD; may be backup.Worktree
	Packages []string // patterns as the go command has them, below Hunt.Dir; default ./...

	Bench   *harness.Pattern // nil is all
	Changed bool             // only benchmarks whose reachable code differs

	FailAbove     float64 // share of good by which bad may be slower; default 5 %
	FailOnUnknown bool
	AcceptedFile  string // slash path in the head's tree; default .pinpoint/accepted
	DryRun        bool   // only say what would be compared, and why
}

// DefaultFailAbove and DefaultAccepted are defaults of Options, DefaultBudget is
// that of Options.Hunt.Budget.
const (
	DefaultFailAbove = 0.05
	DefaultAccepted  = ".pinpoint/accepted"
	DefaultBudget    = 20 * time.Minute
)

// run is one job under way.
type run struct {
	opts     Options
	start    time.Time
	repo     *backup.Repo
	head     backup.Revision // as it was when the job began
	rand     *rand.Rand
	set      *revision.Set // of the directory, for lists
	packages []*pkg
	benches  []*bench // those that are compared
	accepted []entry
	report   *report.Suite
	mu       sync.Mutex // guards the progress shown
}

// Run does the job. The suite is never nil once both revisions are known, and
// holds what was learned before an error.
func Run(ctx context.Context, opts Options) (*report.Suite, error) {
	opts.setDefaults()
	r := &run{opts: opts, start: time.Now(), rand: rand.New(rand.NewPCG(opts.Hunt.Seed, 1))}
	r.report = &report.Suite{
		Selection: opts.selection(),
		Rule: report.SuiteRule{
			FailAbove: opts.FailAbove, FailOnUnknown: opts.FailOnUnknown,
			Alpha: opts.Hunt.Alpha, Method: "Benjamini-Hochberg", Looks: looks,
		},
		Cost: report.SuiteCost{Budget: opts.Hunt.Budget.Seconds(), Seed: opts.Hunt.Seed},
	}
	ctx = harness.OnWait(ctx, func() { r.progress("waiting for another pinpoint") })
	if err := r.chooseRevisions(ctx); err != nil {
		return nil, err
	}
	defer r.close()
	err := r.all(ctx)
	if err != nil {
		r.report.Error = err.Error()
	}
	r.finish()
	return r.report, err
}

// all is the job from the lists of packages to the hunts.
func (r *run) all(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	if err := r.readAccepted(ctx); err != nil {
		return err
	}
	if err := r.list(ctx); err != nil {
		return err
	}
	for _, p := range r.packages {
		if err := r.choose(ctx, p); err != nil {
			return err
		}
	}
	if r.opts.DryRun {
		r.listChosen()
		return nil
	}
	for _, p := range r.packages {
		if err := r.build(ctx, p); err != nil {
			return err
		}
	}
	return r.compareAndHunt(ctx)
}

// everything is the default of Options.Packages.
var everything = []string{"./..."}

func (o *Options) setDefaults() {
	h := &o.Hunt
	if h.Dir == "" {
		h.Dir = "."
	}
	if h.Alpha == 0 {
		h.Alpha = hunt.DefaultAlpha
	}
	if h.Budget == 0 {
		h.Budget = DefaultBudget
	}
	if h.Seed == 0 {
		h.Seed = 1 + rand.Uint64N(1_000_000)
	}
	if h.Progress == nil {
		h.Progress = func(string, int, int) {}
	}
	if o.Head == "" {
		o.Head = "HEAD"
	}
	if len(o.Packages) == 0 {
		o.Packages = everything
	}
	if o.FailAbove == 0 {
		o.FailAbove = DefaultFailAbove
	}
	if o.AcceptedFile == "" {
		o.AcceptedFile = DefaultAccepted
	}
}

// selection says in a phrase which benchmarks are compared.
func (o *Options) selection() string {
	what := "all benchmarks"
	if o.Bench != nil {
		what = fmt.Sprintf("benchmarks that match %q", o.Bench)
	}
	if o.Changed {
		what += " whose reachable code differs"
	}
	return what + " in " + strings.Join(o.Packages, " ")
}

// close removes what was built, of all packages.
func (r *run) close() {
	if r.set != nil {
		r.set.Close()
	}
}

// progress tells what is done next. Builds of both sides may tell at the same time.
func (r *run) progress(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Hunt.Progress(fmt.Sprintf(format, args...), 0, 0)
}

// left is how much of the budget there is.
func (r *run) left() time.Duration { return r.opts.Hunt.Budget - time.Since(r.start) }

func (r *run) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.report.Warnings, text) {
		r.report.Warnings = append(r.report.Warnings, text)
	}
}

// open takes the private copies and the toolchain, for lists.
func (r *run) open(ctx context.Context) (err error) {
	o := r.opts.Hunt
	r.set, err = revision.OpenPair(ctx, revision.Spec{
		Dir: o.Dir, Workload: harness.Workload{Kind: harness.Bench}, Tags: o.Tags, CacheDir: o.CacheDir,
	}, change.Pair[string]{Good: r.report.Good.Commit, Bad: r.headRevision()})
	if err != nil {
		return err
	}
	if r.set.Pair().Bad.Key != r.head.Key {
		return errMoved
	}
	for _, note := range r.set.Notes() {
		r.warn("%s", note)
	}
	return nil
}

// errMoved says that the working files are no longer those that the job began with.
var errMoved = errors.New("the working files changed while the job was running: run it again")

// headRevision names the head for whoever resolves it again: its name may mean another
// commit by then. Uncommitted files have no other, see errMoved.
func (r *run) headRevision() string {
	if r.opts.Head == backup.Worktree {
		return backup.Worktree
	}
	return r.head.Commit
}

// openPackage opens a package in both revisions.
func (r *run) openPackage(ctx context.Context, p *pkg) (err error) {
	p.set, err = r.set.In(ctx, p.dir, harness.Workload{Kind: harness.Bench})
	return err
}

// finish puts everything in the report.
func (r *run) finish() {
	s := r.report
	for _, b := range r.benches {
		r.record(b)
	}
	for _, p := range r.packages {
		for _, f := range p.functions {
			if s.Error != "" && !f.looked {
				p.rest = append(p.rest, p.benchmark(r, f, report.IsUnknown, "the job ended before it was compared"))
			}
		}
		s.Benchmarks = append(s.Benchmarks, p.rest...)
	}
	for _, b := range r.benches {
		s.Benchmarks = append(s.Benchmarks, b.Benchmark)
	}
	slices.SortStableFunc(s.Benchmarks, func(a, b report.Benchmark) int {
		return strings.Compare(a.Package+"\x00"+a.Name, b.Package+"\x00"+b.Name)
	})
	r.judgeAccepted()
	s.Cost.Seconds = time.Since(r.start).Seconds()
	s.Failed = s.ExitStatus() != 0
}

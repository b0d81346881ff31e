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
// loaded nor built. What only one revision has is listed, and not compared.
//
// Then each of them is run once in both revisions with counters on what differs (see
// package ran). What runs none of it can't have regressed, and is not compared unless
// that is asked for: hundreds of benchmarks become a handful, and what the linker's
// placing does to the others is nobody's regression. The rest get one build of their
// test binary per revision, and all benchmarks of the package run from it.
//
// A job may be of several modules of one checkout (Options.Modules): the go command runs
// in the directory of each, and one budget and one rule are for the benchmarks of all. One
// that can't be listed is listed itself, as failed.
//
// # When a benchmark is a regression
//
// All comparisons go on side by side, in rounds that double the pairs of
// processes of those that are undecided, until each is decided or the budget
// ends. Where the linker places functions moves code that nobody changed, by 20 %
// in some benchmarks, so pairs are of many orders of the functions, two of each,
// and an order is a level of the comparison (stats.CompareOver): what is said is of
// an order that was not seen. Where bad is twice as slow three orders say so; 24
// are the most.
//
// Two tests of one hypothesis share a benchmark's error: that bad is slower by no
// more than the limit (Options.FailAbove). One is of the steady batches, one of the
// mean of all, which sees what few batches pay. Ratios of pairs are not reached by
// what drifts during the job. Nothing else can look at a benchmark more than once
// without its error being known, so looks are planned, and each has its part
// (Bonferroni).
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
// is drawn anew, and with it the sign of what disturbs it; the orders of functions
// are the same for a package's benchmarks, which dependence of that kind allows.
//
// A regression found so is hunted, and the hunt begins with a comparison on
// fresh processes. Where that contradicts, the outcome is unknown.
//
// "Not above the limit" is not a discovery: each is wrong with at most Alpha.
package suite

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
)

// Run does the job. The suite is never nil once both revisions are known, and
// holds what was learned before an error.
func Run(ctx context.Context, opts Options) (*report.Suite, error) {
	opts.setDefaults()
	if err := opts.onlyAlarms(); err != nil {
		return nil, err
	}
	r := &run{opts: opts, start: time.Now(), machine: harness.Measuring(ctx), kinds: harness.Kinds(ctx), rand: rand.New(rand.NewPCG(opts.Hunt.Seed, 1))}
	r.orders.Rand = rand.New(rand.NewPCG(opts.Hunt.Seed, 2))
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
	if err := r.openHomes(ctx); err != nil {
		return err
	}
	r.everyModule(ctx)
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
	if !r.opts.MeasureAnyway {
		for _, p := range r.packages {
			if err := r.count(ctx, p); err != nil {
				return err
			}
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
	r.byClaim()
	if err := r.compareAndHunt(ctx); err != nil {
		return err
	}
	return r.huntTests(ctx)
}

// close removes what was built, of all packages.
func (r *run) close() {
	for _, set := range r.alone {
		set.Close()
	}
	if r.set != nil {
		r.set.Close()
	}
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
	r.judgeAlarms()
	s.Cost.Seconds = time.Since(r.start).Seconds()
	s.Failed = s.ExitStatus() != 0
}

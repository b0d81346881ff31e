package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// huntFlags are the flags that every command shares which measures two
// revisions.
type huntFlags struct {
	dir, good, bad, pkg string
	bench, main         string
	test                []string // a test's pattern, a statistic's name, or both
	driver, tags, json  string
	metric              string
	minEffect, alpha    string
	input               string
	budget, timeout     time.Duration
	cpu                 int
	duet                bool
	seed                uint64
	env                 []string
}

func (f *huntFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.good, "good", "", "the accepted `revision`")
	fs.StringVar(&f.bad, "bad", "", "the slow `revision`, or WORKTREE for the uncommitted state")
	fs.StringVar(&f.pkg, "pkg", ".", "`directory` of the workload's package")
	fs.StringVar(&f.bench, "bench", "", "the benchmark to run, as a `regexp` like go test's -bench")
	fs.StringArrayVar(&f.test, "test", nil, "the test to run, as a `regexp` like go test's -run;\nor what decides: auto (default), welch, paired or rank")
	fs.StringVar(&f.main, "main", "", "the `directory` of the main program to run; its arguments follow --")
	fs.StringVar(&f.input, "input", "", "`file` that --main reads as its standard input")
	fs.StringVar(&f.driver, "driver", "", "a _test.go `file` to place in the package in both revisions")
	fs.StringVar(&f.metric, "metric", "time", "the `quantity` that is compared: "+strings.Join(hunt.Metrics, ", "))
	fs.StringVar(&f.minEffect, "min-effect", "1%", "`share` of the whole below which a difference does not count")
	fs.StringVar(&f.alpha, "alpha", "1%", "bound on the `chance` that noise alone makes a hunt accuse")
	fs.DurationVar(&f.budget, "budget", hunt.DefaultBudget, "time for everything, builds included")
	fs.DurationVar(&f.timeout, "timeout", 2*time.Minute, "time for one process")
	fs.IntVar(&f.cpu, "cpu", 0, "`number` of processors for the workload (GOMAXPROCS; default all);\nwith 1, a pair shares one, which is quieter and hides contention")
	fs.BoolVar(&f.duet, "duet", false, "run both sides of a pair at the same time, on a processor each;\nnot on a virtual machine")
	fs.StringVar(&f.tags, "tags", "", "build tags, comma separated `list`")
	fs.StringArrayVar(&f.env, "env", nil, "pass the environment variable `name` on to the workload (repeatable)")
	fs.Uint64Var(&f.seed, "seed", 0, "`seed` of the order of pairs (default: chosen and reported)")
	fs.StringVar(&f.json, "json", "", "also write the report as JSON to this `file` (- for standard output)")
	fs.StringVarP(&f.dir, "C", "C", ".", "`directory` of the repository")
}

// options checks the flags and makes a hunt's options of them. args are what
// the command line holds besides flags.
func (f *huntFlags) options(args []string) (hunt.Options, error) {
	opts := hunt.Options{
		Dir: f.dir, Good: f.good, Bad: f.bad, Package: f.pkg, Driver: f.driver,
		Budget: f.budget, Seed: f.seed, Duet: f.duet, Tags: f.tags, Version: version(),
	}
	if f.duet && (runtime.NumCPU() < 2 || f.cpu > 1) {
		return opts, usagef("--duet: each side gets one processor of two; here are %d, and --cpu is %d", runtime.NumCPU(), f.cpu)
	}
	if f.good == "" || f.bad == "" {
		return opts, usagef("two revisions are needed: --good REV and --bad REV (or --bad WORKTREE)")
	}
	if f.budget <= 0 || f.timeout <= 0 || f.cpu < 0 {
		return opts, usagef("--budget %v, --timeout %v, --cpu %d: give times above 0, and no negative number", f.budget, f.timeout, f.cpu)
	}
	if !slices.Contains(hunt.Metrics, f.metric) {
		return opts, usagef("--metric %s: choose one of %s", f.metric, strings.Join(hunt.Metrics, ", "))
	}
	opts.Metric = f.metric
	var err error
	if opts.MinEffect, err = share("--min-effect", f.minEffect); err != nil {
		return opts, err
	}
	if opts.Alpha, err = share("--alpha", f.alpha); err != nil {
		return opts, err
	}
	if opts.Workload, opts.Test, err = f.workload(args); err != nil {
		return opts, err
	}
	if opts.Workload.Kind == harness.Main {
		opts.Package = f.main
	}
	if filepath.IsAbs(opts.Package) {
		return opts, usagef("--pkg %s: give the directory relative to -C, such as ./codec", opts.Package)
	}
	return opts, nil
}

// statistics are the values of --test that say what decides.
var statistics = map[string]stats.Test{
	"auto": stats.TestAuto, "welch": stats.TestWelch, "paired": stats.TestPaired, "rank": stats.TestRank,
}

// workload reads what is to be run. --test is two flags in one: a test's
// pattern and the name of a statistic, which no pattern for a test would be.
func (f *huntFlags) workload(args []string) (harness.Workload, stats.Test, error) {
	w := harness.Workload{CPUs: f.cpu, Timeout: f.timeout, Env: f.env}
	statistic := stats.TestAuto
	test := ""
	for _, t := range f.test {
		if named, ok := statistics[t]; ok {
			statistic = named
			continue
		}
		if test != "" {
			return w, statistic, usagef("--test %s and --test %s: a hunt measures one test", test, t)
		}
		test = t
	}
	given := 0
	for _, s := range []string{f.bench, test, f.main} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return w, statistic, usagef("one workload is needed: --bench REGEXP, --test REGEXP or --main DIR")
	}
	if f.main == "" && len(args) > 0 {
		return w, statistic, usagef("unexpected argument %q: arguments go with --main, after --", args[0])
	}
	if f.input != "" && f.main == "" {
		return w, statistic, usagef("--input goes with --main")
	}
	switch {
	case f.bench != "":
		w.Kind, w.Pattern = harness.Bench, f.bench
	case test != "":
		w.Kind, w.Pattern = harness.Test, test
	default:
		w.Kind, w.Args = harness.Main, args
	}
	if f.input != "" {
		input, err := os.ReadFile(f.input)
		if err != nil {
			return w, statistic, fmt.Errorf("--input: %w", err)
		}
		w.Input = input
	}
	if _, err := regexp.Compile(w.Pattern); err != nil {
		return w, statistic, usagef("the pattern %q: %v", w.Pattern, err)
	}
	return w, statistic, nil
}

// share reads "2%" or "0.02".
func share(flag, s string) (float64, error) {
	number, isPercent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		x /= 100
	}
	if err != nil || !(x > 0 && x < 1) {
		return 0, usagef("%s %s: give a share above 0 %% and below 100 %%, such as 2%%", flag, s)
	}
	return x, nil
}

// finish prints what a hunt gave, also a report that an error cut short, and
// sets the exit status.
func (f *huntFlags) finish(cmd *cobra.Command, r *report.Report, err error, status *int) error {
	if r == nil || (err != nil && r.Whole == nil) {
		return err
	}
	if r.Continue != "" {
		r.Continue = again(os.Args[1:], r.Continue)
	}
	if printErr := f.print(r, cmd.OutOrStdout()); printErr != nil {
		return printErr
	}
	*status = r.ExitStatus()
	return err
}

// again is the command line with another budget.
func again(args []string, budget string) string {
	kept := []string{"pinpoint"}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return harness.Quote(kept) + " " + budget + " " + harness.Quote(args[i:])
		case arg == "--budget":
			i++
		case !strings.HasPrefix(arg, "--budget="):
			kept = append(kept, arg)
		}
	}
	return harness.Quote(kept) + " " + budget
}

// print writes the result: text to stdout, and JSON to where it was asked for.
func (f *huntFlags) print(r *report.Report, stdout io.Writer) error {
	if f.json == "-" {
		return r.WriteJSON(stdout)
	}
	if err := r.WriteText(stdout); err != nil {
		return err
	}
	if f.json != "" {
		return r.SaveJSON(f.json)
	}
	return nil
}

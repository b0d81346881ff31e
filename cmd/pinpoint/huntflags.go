package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// huntFlags are the flags that every command shares which measures two
// revisions.
type huntFlags struct {
	workloadFlags
	good, bad, json  string
	metric           string
	minEffect, alpha string
	statistic        stats.Test
	budget           time.Duration
	cpu              int
	duet             bool
	seed             uint64
}

func (f *huntFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.good, "good", "", "the accepted `revision`")
	fs.StringVar(&f.bad, "bad", "", "the slow `revision`, or WORKTREE for the uncommitted state")
	f.registerWorkload(fs)
	f.statistic = stats.TestAuto
	test := fs.Lookup("test")
	test.Value = &testOrStatistic{Value: test.Value, statistic: &f.statistic}
	test.Usage += ";\nor what decides: auto (default), welch, paired or rank"
	fs.StringVar(&f.metric, "metric", "time", "the `quantity` that is compared: "+strings.Join(hunt.Metrics, ", "))
	fs.StringVar(&f.minEffect, "min-effect", "1%", "`share` of the whole below which a difference does not count")
	fs.StringVar(&f.alpha, "alpha", "1%", "bound on the `chance` that noise alone makes a hunt accuse")
	fs.DurationVar(&f.budget, "budget", hunt.DefaultBudget, "time for everything, builds included")
	fs.IntVar(&f.cpu, "cpu", 0, "`number` of processors for the workload (GOMAXPROCS; default all);\nwith 1, a pair shares one, which is quieter and hides contention")
	fs.BoolVar(&f.duet, "duet", false, "run both sides of a pair at the same time, on a processor each;\nnot on a virtual machine")
	fs.Uint64Var(&f.seed, "seed", 0, "`seed` of the order of pairs (default: chosen and reported)")
	fs.StringVar(&f.json, "json", "", "also write the report as JSON to this `file` (- for standard output)")
}

// testOrStatistic is --test of a hunt, two flags in one: a test's pattern, and the name
// of a statistic, which no pattern for a test would be.
type testOrStatistic struct {
	pflag.Value // the pattern
	statistic   *stats.Test
}

var statistics = map[string]stats.Test{
	"auto": stats.TestAuto, "welch": stats.TestWelch, "paired": stats.TestPaired, "rank": stats.TestRank,
}

func (v *testOrStatistic) Set(text string) error {
	if named, ok := statistics[text]; ok {
		*v.statistic = named
		return nil
	}
	if v.String() != "" {
		return fmt.Errorf("a hunt measures one test, and %s is given, too", v)
	}
	return v.Value.Set(text)
}

// options checks the flags and makes a hunt's options of them. args are what
// the command line holds besides flags.
func (f *huntFlags) options(args []string) (hunt.Options, error) {
	opts := hunt.Options{
		Dir: f.dir, Good: f.good, Bad: f.bad, Driver: f.driver, Metric: f.metric, Test: f.statistic,
		Budget: f.budget, Seed: f.seed, Duet: f.duet, Tags: f.tags, Version: version(),
	}
	if f.duet && (runtime.NumCPU() < 2 || f.cpu > 1) {
		return opts, usagef("--duet: each side gets one processor of two; here are %d, and --cpu is %d", runtime.NumCPU(), f.cpu)
	}
	if f.good == "" || f.bad == "" {
		return opts, usagef("two revisions are needed: --good REV and --bad REV (or --bad WORKTREE)")
	}
	if f.budget <= 0 || f.cpu < 0 {
		return opts, usagef("--budget %v, --cpu %d: give a time above 0, and no negative number", f.budget, f.cpu)
	}
	if !slices.Contains(hunt.Metrics, f.metric) {
		return opts, usagef("--metric %s: choose one of %s", f.metric, strings.Join(hunt.Metrics, ", "))
	}
	var err error
	if opts.MinEffect, err = share("--min-effect", f.minEffect); err != nil {
		return opts, err
	}
	if opts.Alpha, err = share("--alpha", f.alpha); err != nil {
		return opts, err
	}
	if opts.Workload, err = f.workload(args); err != nil {
		return opts, err
	}
	opts.Workload.CPUs = f.cpu
	opts.Package, err = f.where()
	return opts, err
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
		return output.Save(f.json, r.WriteJSON)
	}
	return nil
}

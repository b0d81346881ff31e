package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// huntFlags are the flags that every command shares which measures two
// revisions.
type huntFlags struct {
	workloadFlags
	hunt     hunt.Options // of which flags are set
	json     string
	fleet    fleetFlag
	chooses  bool // a workload, where none is named
	commands bool // that were run are printed
}

func (f *huntFlags) register(fs *pflag.FlagSet, budget time.Duration) {
	h := &f.hunt
	fs.StringVar(&h.Good, "good", "", "the accepted `revision`")
	fs.StringVar(&h.Bad, "bad", "", "the slow `revision`, or WORKTREE for the uncommitted state")
	f.registerWorkload(fs)
	h.Test = stats.TestAuto
	test := fs.Lookup("test")
	test.Value = &testOrStatistic{Value: test.Value, statistic: &h.Test}
	test.Usage += ";\nor what decides: auto (default), welch, paired or rank"
	fs.StringVar(&h.Metric, "metric", "time", "the `quantity` that is compared: "+strings.Join(setup.Metrics, ", ")+",\nor the unit of what the benchmark reports itself, such as hits/op or MB/s")
	ruleFlags(fs, &h.Alpha, &h.MinEffect)
	cpuFlag(fs, &f.process)
	fs.BoolVar(&h.Duet, "duet", false, "run both sides of a pair at the same time, on a processor each;\nnot on a virtual machine")
	effortFlags(fs, &h.Budget, budget, &h.Seed)
	f.fleet.register(fs)
	jsonFlag(fs, &f.json)
	fs.BoolVarP(&f.commands, "commands", "x", false, "print the commands that built what was run, to standard error")
}

// testOrStatistic is --test of a hunt, two flags in one: a test's pattern, and the name
// of a statistic, which no pattern for a test would be.
type testOrStatistic struct {
	pflag.Value // the pattern
	statistic   *stats.Test
}

func (v *testOrStatistic) Set(text string) error {
	if named, err := stats.TestNamed(text); err == nil {
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
func (f *huntFlags) options(args []string) (opts hunt.Options, err error) {
	opts = f.hunt
	opts.Dir, opts.Driver, opts.Tags, opts.Version = f.dir, f.driver, f.tags, version()
	if opts.PGO, err = f.profile(); err != nil {
		return opts, err
	}
	if opts.Toolchains, err = f.ofPair(); err != nil {
		return opts, err
	}
	cpus := f.process.CPUs
	switch {
	case opts.Duet && (runtime.NumCPU() < 2 || cpus > 1):
		return opts, usagef("--duet: each side gets one processor of two; here are %d, and --cpu is %d", runtime.NumCPU(), cpus)
	case opts.Good == "" || opts.Bad == "":
		return opts, usagef("two revisions are needed: --good REV and --bad REV (or --bad WORKTREE)")
	case opts.Budget <= 0 || cpus < 0:
		return opts, usagef("--budget %v, --cpu %d: give a time above 0, and no negative number", opts.Budget, cpus)
	}
	if f.chooses && f.none() {
		opts.Workload = f.process
		return opts, f.alone(args)
	}
	if opts.Workload, err = f.workload(args); err != nil {
		return opts, err
	}
	if opts.Server, err = f.server(args); err != nil {
		return opts, err
	}
	if opts.Server != nil {
		opts.Workload.Round = int64(len(opts.Server.Requests))
	}
	opts.Package, err = f.where()
	return opts, err
}

// finish prints what a hunt gave, also a report that an error cut short, and
// sets the exit status.
func (f *huntFlags) finish(cmd *cobra.Command, r *report.Report, err error, status *int) error {
	if r == nil || (err != nil && r.Whole == nil) {
		return err
	}
	if r.Continue != "" {
		r.Continue = again(os.Args[1:], "--budget", r.Continue)
	}
	if cmd.Flags().Lookup("seed") != nil {
		r.Repeat = again(os.Args[1:], "--seed", fmt.Sprintf("--seed %d", r.Search.Seed))
	}
	keep(cmd.ErrOrStderr(), r.WriteJSON)
	if f.commands {
		for _, command := range r.Provenance.Commands {
			fmt.Fprintln(cmd.ErrOrStderr(), command)
		}
	}
	if printErr := f.print(cmd, r); printErr != nil {
		return printErr
	}
	*status = r.ExitStatus()
	return err
}

// A result is a report, or several put together.
type result interface {
	WriteText(w io.Writer) error
	WriteJSON(w io.Writer) error
}

// print writes the result: text to stdout, and JSON to where it was asked for.
func (f *huntFlags) print(cmd *cobra.Command, r result) error {
	if f.json == "-" {
		return r.WriteJSON(cmd.OutOrStdout())
	}
	if err := r.WriteText(cmd.OutOrStdout()); err != nil || f.json == "" {
		return err
	}
	return output.Save(f.json, r.WriteJSON)
}

// again is the command line with another value of one of its flags.
func again(args []string, flag, with string) string {
	kept := []string{"pinpoint"}
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "--":
			return harness.Quote(kept) + " " + with + " " + harness.Quote(args[i:])
		case arg == flag:
			i++
		case !strings.HasPrefix(arg, flag+"="):
			kept = append(kept, arg)
		}
	}
	return harness.Quote(kept) + " " + with
}

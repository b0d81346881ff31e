package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/measure"
	"github.com/pinpoint-go/pinpoint/stats"
)

// compareFlags are the flags of a comparison of several, besides those that it
// shares with that of two.
type compareFlags struct {
	huntFlags
	several   measureFlags
	measurers string
}

func compareCommand(status *int) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare (--good REV --bad REV | REV REV... | --by KEY)\n      (--bench RE | --test RE | --main DIR -- ARGS)",
		Short: "compare two revisions or more, without a search",
		Long: `Compare holds revisions against each other, without a search.

Two, as --good and --bad, are compared in pairs of processes until it is
decided, as a hunt does first.

Any number, as arguments, take turns in rounds of --processes. An analysis of
variance says whether any differs, the pairs which do; all verdicts of one
benchmark and quantity together are wrong with a chance of --alpha at most. The
first is the accepted one: the exit status is 1 if another is slower or takes
more. --budget, --json and the names of tests are for two.

Benchmarks of one revision, or of the uncommitted state, are compared in the
same way --by a key of their names: the values of alg in
BenchmarkSort/alg=heap/n=10, for each n, the first being the accepted one. They
are of one binary, as it was linked.`,
		Example: `  pinpoint compare --good v1.4.0 --bad HEAD --pkg ./codec --bench '^BenchmarkEncode$'
  pinpoint compare v1.3.0 v1.4.0 HEAD --bench Encode --processes 20 --plot e.svg
  pinpoint compare --by alg --bench 'Sort/alg=.*/n=.*' --plot sort.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			revs, rest := args, []string(nil)
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				revs, rest = args[:dash], args[dash:]
			}
			several := len(revs) >= 2 || len(revs) == 1 && strings.Contains(f.toolchain, ",") || f.several.measure.By != "" && len(revs) <= 1
			if f.hunt.Good == "" && f.hunt.Bad == "" && several {
				for _, name := range forTwo {
					if cmd.Flags().Changed(name) {
						return usagef("--%s is for two revisions, given by --good and --bad", name)
					}
				}
				return f.compareSeveral(cmd, revs, rest, status)
			}
			for _, name := range forSeveral {
				if cmd.Flags().Changed(name) {
					return usagef("--%s goes with revisions as arguments: pinpoint compare REV REV...", name)
				}
			}
			return f.compareTwo(cmd, args, status)
		},
	}
	fs := cmd.Flags()
	f.register(fs, setup.DefaultBudget)
	f.registerToolchains(fs)
	fs.StringVar(&f.measurers, "measure", "RunningTime", "`list` of measurers for several, see pinpoint measure --help")
	f.several.register(fs, "fast")
	return cmd
}

// forTwo are the flags that several have no use for.
var forTwo = []string{"json", "budget", "duet", "toolchain-good", "toolchain-bad", "fleet"}

// forSeveral are the flags that say how several are measured.
var forSeveral = []string{"processes", "measure", "param", "by", "aggregate", "out", "plot", "gnuplot"}

func (f *compareFlags) compareTwo(cmd *cobra.Command, args []string, status *int) error {
	opts, err := f.options(args)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Follower = p.follower()
	on, err := f.fleet.join(cmd, p)
	if err != nil {
		return err
	}
	r, err := hunt.Compare(on.ctx, opts)
	if p.clear(); r != nil {
		r.Search.Fleet = on.report()
	}
	on.leave()
	return f.finish(cmd, r, err, status)
}

// compareSeveral measures the revisions in rounds and compares them.
func (f *compareFlags) compareSeveral(cmd *cobra.Command, revs, args []string, status *int) error {
	opts, against, err := f.severalOptions(args, revs)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	p.unit = "process"
	opts.Progress = p.show
	r, err := measure.Run(cmd.Context(), opts)
	p.clear()
	if err != nil {
		return err
	}
	all := against.Compare(r)
	out := cmd.OutOrStdout()
	if err := r.WriteHead(out); err != nil {
		return err
	}
	if err := measure.WriteComparisons(out, all, measure.Confidence); err != nil {
		return err
	}
	if err := r.WriteRemarks(out); err != nil {
		return err
	}
	if f.several.timing.Aggregate == measure.Fast {
		fmt.Fprintln(out, "\nOf the batches that time a process the fastest eighth counts (--aggregate).")
	}
	*status = severalStatus(all)
	return f.several.save(out, r)
}

// severalOptions takes what the flags of two mean for several.
func (f *compareFlags) severalOptions(args, revs []string) (measure.Options, measure.Against, error) {
	against := measure.Against{Alpha: f.hunt.Alpha, MinEffect: f.hunt.MinEffect}
	if f.hunt.Test != stats.TestAuto {
		return measure.Options{}, against, usagef("--test welch, paired or rank is for two revisions: of several, an analysis of variance decides")
	}
	g := &f.several
	g.workloadFlags, g.confidence, g.timing.Warm.Repeat = f.workloadFlags, measure.Confidence, 1
	g.measure.Seed, g.measure.More = f.hunt.Seed, measure.DefaultMore
	if cpus := f.process.CPUs; cpus > 0 {
		g.measure.CPUs = []int{cpus}
	}
	opts, err := g.options(args, revs, f.measurers)
	if err == nil && opts.IsPattern() {
		err = usagef("--pkg %s: name one directory; pinpoint measure takes a pattern", opts.Package)
	}
	return opts, against, err
}

// severalStatus is 1 if anything got worse than the first revision, 3 if that
// could not be decided of something, else 0.
func severalStatus(all []measure.Comparison) int {
	status := 0
	for _, c := range all {
		switch c.Verdict() {
		case stats.Slower:
			return 1
		case stats.Unknown:
			status = 3
		}
	}
	return status
}

package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/measure"
	"github.com/pinpoint-go/pinpoint/stats"
)

// compareFlags are the flags of a comparison of several, besides those that it
// shares with that of two.
type compareFlags struct {
	huntFlags
	several measureFlags
}

func compareCommand(status *int) *cobra.Command {
	f := &compareFlags{}
	cmd := &cobra.Command{
		Use:   "compare (--good REV --bad REV | REV REV...) (--bench RE | --test RE | --main DIR -- ARGS)",
		Short: "compare two revisions or more, without a search",
		Long: `Compare holds revisions against each other, without a search.

Two, as --good and --bad, are compared in pairs of processes until it is
decided, as a hunt does first.

Any number, as arguments, take turns in rounds of --processes. An analysis of
variance says whether any differs, the pairs which do; all verdicts of one
benchmark and quantity together are wrong with a chance of --alpha at most. The
first is the accepted one: the exit status is 1 if another is slower or takes
more. --budget, --json and the names of tests are for two.`,
		Example: `  pinpoint compare --good v1.4.0 --bad HEAD --pkg ./codec --bench '^BenchmarkEncode$'
  pinpoint compare v1.3.0 v1.4.0 HEAD --bench Encode --processes 20 --plot e.svg`,
		RunE: func(cmd *cobra.Command, args []string) error {
			revs, rest := args, []string(nil)
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				revs, rest = args[:dash], args[dash:]
			}
			if f.good == "" && f.bad == "" && len(revs) >= 2 {
				return f.compareSeveral(cmd, revs, rest, status)
			}
			for _, name := range []string{"processes", "measure", "param", "aggregate", "out", "plot", "gnuplot"} {
				if cmd.Flags().Changed(name) {
					return usagef("--%s goes with revisions as arguments: pinpoint compare REV REV...", name)
				}
			}
			return f.compareTwo(cmd, args, status)
		},
	}
	f.register(cmd)
	fs := cmd.Flags()
	fs.IntVar(&f.several.processes, "processes", measure.DefaultProcesses, "`number` of processes of each revision, of several")
	fs.StringVar(&f.several.measure, "measure", "RunningTime", "`list` of measurers for several, see pinpoint measure --help")
	fs.StringArrayVar(&f.several.params, "param", nil, "an environment variable with its values, `NAME=a,b` (repeatable)")
	fs.StringVarP(&f.several.out, "out", "o", "", "write the values of several in Go's benchmark format to this `file`")
	fs.StringVar(&f.several.aggregate, "aggregate", "fast", "what of its batches a process of several contributes, the `kind` of\nsummary: fast (the fastest eighth: steady, but blind to what few batches pay),\nmean, median or min")
	registerFigure(cmd, &f.several.plot, &f.several.gnuplot)
	return cmd
}

func (f *compareFlags) compareTwo(cmd *cobra.Command, args []string, status *int) error {
	opts, err := f.options(args)
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress = p.show
	r, err := hunt.Compare(cmd.Context(), opts)
	p.clear()
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
	if f.several.aggregate == "fast" {
		fmt.Fprintln(out, "\nOf the batches that time a process the fastest eighth counts (--aggregate).")
	}
	*status = severalStatus(all)
	return f.several.save(r, f.bench, out)
}

// severalOptions takes what the flags of two mean for several.
func (f *compareFlags) severalOptions(args, revs []string) (measure.Options, measure.Against, error) {
	var against measure.Against
	g := &f.several
	g.workloadFlags = f.workloadFlags
	g.seed, g.confidence, g.repeat, g.more = f.seed, "95%", 1, measure.DefaultMore
	if f.cpu > 0 {
		g.cpu = fmt.Sprint(f.cpu)
	}
	if f.statistic != stats.TestAuto {
		return measure.Options{}, against, usagef("--test welch, paired or rank is for two revisions: of several, an analysis of variance decides")
	}
	var err error
	if against.Alpha, err = share("--alpha", f.alpha); err != nil {
		return measure.Options{}, against, err
	}
	if against.MinEffect, err = share("--min-effect", f.minEffect); err != nil {
		return measure.Options{}, against, err
	}
	opts, err := g.options(args, revs, g.measure)
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

package main

import (
	"errors"
	"regexp"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/measure"
	"github.com/pinpoint-go/pinpoint/report"
)

func findCommand(status *int) *cobra.Command {
	f := &findFlags{}
	dryRun := false
	cmd := &cobra.Command{
		Use:   "find --good REV --bad REV\n      (--func NAME | --profile-good FILE --profile-bad FILE |\n      --bench RE | --test RE | --main DIR -- ARGS)",
		Short: "compare two revisions and find the call that got slower",
		Example: `  pinpoint find --good v1.4.0 --bad HEAD --func '(*Encoder).Encode'
  pinpoint find --good v1.4.0 --bad HEAD --pkg ./codec --bench '^BenchmarkEncode$'
  pinpoint find --good main --bad WORKTREE --bench 'BenchmarkSort/size=1000'
  pinpoint find --good HEAD~3 --bad HEAD --main ./cmd/tool --input big.txt -- -v`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.chooses = f.hunt.Func != "" || f.profiles.given()
			opts, err := f.options(args)
			if err != nil {
				return err
			}
			switch {
			case f.allWorkloads && !(f.chooses && f.none()):
				return usagef("--all-workloads goes with --func alone")
			case f.profiles.given() && (!f.none() || f.hunt.Func != "" || dryRun || f.profiles.files.Good == "" || f.profiles.files.Bad == ""):
				return usagef("--profile-good and --profile-bad go together, and without --func, --bench, --test, --main and --dry-run")
			case f.profiles.given():
				return f.findGrown(cmd, opts, status)
			case f.none():
				return f.findFunction(cmd, opts, dryRun, status)
			case dryRun:
				return printPlan(cmd, opts)
			}
			_, err = f.find(cmd, opts, status)
			return err
		},
	}
	f.register(cmd.Flags(), setup.DefaultBudget)
	f.registerToolchains(cmd.Flags())
	cmd.Flags().BoolVar(&f.allWorkloads, "all-workloads", false, "with --func alone: hunt in the best three workloads that run it, and say where\nthey agree")
	measureAnywayFlag(cmd.Flags(), &f.hunt.MeasureAnyway)
	f.profiles.register(cmd.Flags())
	dryRunFlag(cmd.Flags(), &dryRun)
	resumable(cmd, status)
	return cmd
}

// findFlags are the flags of a search, besides those of a comparison.
type findFlags struct {
	huntFlags
	allWorkloads bool
	profiles     profileFlags
}

func (f *findFlags) register(fs *pflag.FlagSet, budget time.Duration) {
	f.huntFlags.register(fs, budget)
	functionFlag(fs, &f.hunt.Func, "\n(default: the timed body of the benchmark; without --bench, --test and --main the\nworkload is chosen that runs it most)")
	fs.IntVar(&f.hunt.Depth, "depth", 0, "how `many` layers to open (default: no limit)")
	fs.Func("exclude", "do not dig into functions whose name matches this `regexp`", func(text string) error {
		re, err := regexp.Compile(text)
		if err == nil {
			f.hunt.Exclude = re.MatchString
		}
		return err
	})
	finderFlag(fs, &f.hunt.Finder)
	fs.Func("param", "an environment variable that the workload is given, `NAME=value` (repeatable)", func(text string) error {
		p, err := measure.ParseParam(text)
		if err == nil && len(p.Values) != 1 {
			err = errors.New("a hunt measures one workload: give one value")
		}
		if err == nil {
			f.process.Set = append(f.process.Set, text)
		}
		return err
	})
	evidenceFlags(fs, &f.hunt.Evidence)
}

func finderFlag(fs *pflag.FlagSet, finder *string) {
	choiceFlag(fs, finder, "finder", "auto", "how a layer is narrowed, the `kind` of search: ", []string{"auto", "sweep", "binary", "linear", "revert"})
}

func (f *findFlags) options(args []string) (hunt.Options, error) {
	if f.hunt.Depth < 0 {
		return f.hunt, usagef("--depth %d: give the number of layers to open, or 0 for no limit", f.hunt.Depth)
	}
	return f.huntFlags.options(args)
}

// find hunts and prints what it found.
func (f *findFlags) find(cmd *cobra.Command, opts hunt.Options, status *int) (*report.Report, error) {
	r, err := f.hunted(cmd, opts)
	return r, f.finish(cmd, r, err, status)
}

// hunted hunts, and shows how far it is.
func (f *findFlags) hunted(cmd *cobra.Command, opts hunt.Options) (*report.Report, error) {
	p := newProgress(cmd.ErrOrStderr())
	defer p.clear()
	opts.Follower, opts.Named, opts.Reached = p.follower(), p.found, p.reached
	on, err := f.fleet.join(cmd, p)
	if err != nil {
		return nil, err
	}
	defer on.leave()
	r, err := hunt.Find(on.ctx, opts)
	if r != nil {
		r.Search.Fleet = on.report()
	}
	return r, err
}

// printPlan prints what a hunt would go through.
func printPlan(cmd *cobra.Command, opts hunt.Options) error {
	p := newProgress(cmd.ErrOrStderr())
	opts.Progress = p.show
	plan, err := hunt.DryRun(cmd.Context(), opts)
	p.clear()
	if err != nil {
		return err
	}
	return plan.WriteText(cmd.OutOrStdout())
}

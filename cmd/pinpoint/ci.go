package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/gate"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/suite"
)

// ciFlags are the flags of the job that compares many benchmarks.
type ciFlags struct {
	codeFlags
	fleet                        fleetFlag
	suite                        suite.Options // of which flags are set
	all, changed                 bool
	json, markdown, sarif, junit string
	comment                      string
	failed                       []string
	annotations                  string
}

func ciCommand(status *int) *cobra.Command {
	f := &ciFlags{}
	cmd := &cobra.Command{
		Use:   "ci [--base REV] [--changed | --all | --bench RE]",
		Short: "compare a branch's benchmarks with its base, and hunt regressions",
		Long: `Ci compares the benchmarks of a branch with the commit it started from, hunts
each regression, and exits with 1 when one is above --fail-above.

By default it compares the benchmarks whose reachable code differs, and that run
some of it: each is run once in both revisions, with counters on what differs.
What did not run can't have got slower, and is not compared. Each of the others
is compared in pairs of processes until it is decided or the budget ends; false
discoveries are controlled over all of them. A regression counts when the lower
end of its interval is above --fail-above, so that noise turns no build red. It
is then hunted on fresh processes; one that these contradict doesn't count.

A regression that is wanted is entered in .pinpoint/accepted, one a line, fields
set off by spaces: the benchmark, the culprit's function, the commit that
brought it, and the reason. Culprit and commit may be * for any.

    BenchmarkEncode  example.com/m/codec.sum  3f2a9c1  records have checksums

Entries that match nothing any more are reported as stale.

Behind another gate, --failed takes what that left, and only what it called
slower is compared, the worst first. What pairs of processes do not find slower
is said to be a false alarm, with the interval. Of JUnit, tests that failed are
hunted, too: one that takes too long in the head and not in the base is a
regression.

Exit status: 0 no regression above the limit, 1 a regression, 2 the job could
not be done (a benchmark of the head does not build or run), 3 not decided, with
--fail-on-unknown only.`,
		Example: `  pinpoint ci
  pinpoint ci --base origin/release-2 --fail-above 10% --markdown summary.md
  pinpoint ci --head WORKTREE --bench '^BenchmarkEncode'
  pinpoint ci --failed base.txt --failed head.txt
  pinpoint ci --all --budget 40m --sarif pinpoint.sarif --junit pinpoint.xml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, status) },
	}
	f.register(cmd.Flags())
	resumable(cmd, status)
	return cmd
}

func (f *ciFlags) register(fs *pflag.FlagSet) {
	o := &f.suite
	fs.StringVar(&o.Base, "base", "", "`revision` that the head is to go into: the merge base with it is compared\n(default: the target branch that CI names, else origin's default branch)")
	fs.StringVar(&o.Head, "head", "HEAD", "`revision` to judge, or WORKTREE for the uncommitted state")
	fs.StringArrayVar(&o.Packages, "pkg", nil, "`pattern` of packages, below -C (repeatable; default ./...)")
	fs.StringArrayVar(&o.Modules, "module", nil, "`directory` of a module below -C, or ./... for all of them (repeatable): --pkg is in each")
	fs.BoolVar(&f.changed, "changed", false, "only benchmarks whose reachable code differs (the default without\n--all and --bench)")
	fs.BoolVar(&f.all, "all", false, "all benchmarks")
	fs.Func("bench", "only these benchmarks, as a `regexp` like go test's -bench", func(text string) (err error) {
		o.Bench, err = harness.ParsePattern(text)
		return err
	})
	fs.StringArrayVar(&f.failed, "failed", nil, "only what another gate complained of in this `file` (repeatable): two outputs of\ngo test -bench, benchstat's text or CSV, github-action-benchmark's or\ngobenchdata's JSON, JUnit, or a list of names")
	shareFlag(fs, &o.FailAbove, "fail-above", suite.DefaultFailAbove, "`share` by which a benchmark may be slower")
	measureAnywayFlag(fs, &o.MeasureAnyway)
	fs.BoolVar(&o.FailOnUnknown, "fail-on-unknown", false, "exit with 3 when a benchmark is not decided")
	fs.StringVar(&o.AcceptedFile, "accepted", suite.DefaultAccepted, "`file` of accepted regressions, in the head's tree")
	h := &o.Hunt
	ruleFlags(fs, &h.Alpha, &h.MinEffect)
	processFlags(fs, &h.Workload, time.Minute)
	sandboxByDefault(fs)
	cpuFlag(fs, &h.Workload)
	effortFlags(fs, &h.Budget, suite.DefaultBudget, &h.Seed)
	f.fleet.register(fs)
	evidenceFlags(fs, &h.Evidence)
	fs.StringVar(&f.markdown, "markdown", "", "write a summary for the job's page to this `file`")
	fs.StringVar(&f.comment, "comment", "", "write a shorter one, for a comment, to this `file`")
	fs.StringVar(&f.sarif, "sarif", "", "write SARIF 2.1.0 to this `file`")
	fs.StringVar(&f.junit, "junit", "", "write JUnit XML to this `file`")
	jsonFlag(fs, &f.json)
	choiceFlag(fs, &f.annotations, "annotations", "auto", "print workflow commands that GitHub shows beside the code (auto: in GitHub Actions): `when` of ", []string{"always", "never", "auto"})
	fs.BoolVar(&o.DryRun, "dry-run", false, "say what would be compared and why, and compare nothing")
	f.registerCode(fs)
}

func (f *ciFlags) run(cmd *cobra.Command, status *int) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Hunt.Progress, opts.Hunt.Named = p.show, p.found
	where := f.fleet
	if opts.DryRun {
		where = ""
	}
	on, err := where.join(cmd, p)
	if err != nil {
		return err
	}
	s, err := suite.Run(on.ctx, opts)
	if p.clear(); s != nil {
		s.Cost.Fleet = on.report()
	}
	on.leave()
	if s == nil {
		return err
	}
	keep(cmd.ErrOrStderr(), s.WriteJSON)
	if writeErr := f.write(cmd.OutOrStdout(), s); writeErr != nil {
		return errors.Join(err, writeErr)
	}
	*status = s.ExitStatus()
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

func (f *ciFlags) options() (suite.Options, error) {
	opts, h := f.suite, &f.suite.Hunt
	if f.all && f.changed {
		return opts, usagef("--all and --changed contradict each other")
	}
	if h.Budget <= 0 || h.Workload.Timeout <= 0 || h.Workload.CPUs < 0 {
		return opts, usagef("--budget %v, --timeout %v, --cpu %d: give times above 0, and no negative number", h.Budget, h.Workload.Timeout, h.Workload.CPUs)
	}
	if len(f.failed) > 0 {
		if f.all || f.changed || opts.Bench != nil {
			return opts, usagef("--failed names what is compared: --all, --changed and --bench don't go with it")
		}
		var err error
		if opts.Alarms, err = gate.Read(f.failed, opts.FailAbove); err != nil {
			return opts, fmt.Errorf("--failed %w", err)
		}
		if len(opts.Alarms) == 0 {
			return opts, fmt.Errorf("--failed %s: no test failed there, and nothing is slower by more than %g %% (--fail-above): there is nothing to compare", strings.Join(f.failed, " "), 100*opts.FailAbove)
		}
	}
	opts.Target = cmp.Or(os.Getenv("GITHUB_BASE_REF"), os.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"))
	opts.Changed = f.changed || !f.all && opts.Bench == nil
	opts.Hunt.Dir, opts.Hunt.Tags, opts.Hunt.Version, opts.Hunt.Test = f.dir, f.tags, version(), stats.TestAuto
	return opts, nil
}

// write writes everything that was asked for. What can't be written keeps nothing
// else from being.
func (f *ciFlags) write(stdout io.Writer, s *report.Suite) error {
	var errs []error
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{f.markdown, s.WriteMarkdown}, {f.comment, s.WriteComment},
		{f.sarif, s.WriteSARIF}, {f.junit, s.WriteJUnit},
	} {
		if file.name != "" {
			errs = append(errs, output.Save(file.name, file.write))
		}
	}
	if f.json == "-" {
		errs = append(errs, s.WriteJSON(stdout))
		return errors.Join(errs...)
	}
	if f.json != "" {
		errs = append(errs, output.Save(f.json, s.WriteJSON))
	}
	errs = append(errs, s.WriteText(stdout))
	if f.annotations == "always" || f.annotations == "auto" && os.Getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprintln(stdout)
		errs = append(errs, s.WriteAnnotations(stdout))
	}
	return errors.Join(errs...)
}

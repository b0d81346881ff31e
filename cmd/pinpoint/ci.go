package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/suite"
)

// ciFlags are the flags of the job that compares many benchmarks.
type ciFlags struct {
	dir, base, head              string
	packages                     []string
	bench                        string
	all, changed                 bool
	failAbove, alpha, minEffect  string
	failOnUnknown, dryRun        bool
	accepted                     string
	budget, timeout              time.Duration
	cpu                          int
	tags                         string
	env                          []string
	seed                         uint64
	json, markdown, sarif, junit string
	comment                      string
	annotations                  string
}

func ciCommand(status *int) *cobra.Command {
	f := &ciFlags{}
	cmd := &cobra.Command{
		Use:   "ci [--base REV] [--changed | --all | --bench RE]",
		Short: "compare the benchmarks of a branch with its base, and hunt what got slower",
		Long: `Ci compares the benchmarks of a branch with the commit it started from, hunts
each regression, and exits with 1 when one is above --fail-above.

By default it compares the benchmarks whose reachable code differs. Each one is
compared in pairs of processes until it is decided or the budget ends; false
discoveries are controlled over all of them. A regression counts when the lower
end of its interval is above --fail-above, so that noise turns no build red. It
is then hunted on fresh processes; one that these contradict doesn't count.

A regression that is wanted is entered in .pinpoint/accepted, one a line, fields
set off by spaces: the benchmark, the culprit's function, the commit that
brought it, and the reason. Culprit and commit may be * for any.

    BenchmarkEncode  example.com/m/codec.sum  3f2a9c1  records have checksums

Entries that match nothing any more are reported as stale.

Exit status: 0 no regression above the limit, 1 a regression, 2 the job could
not be done (a benchmark of the head does not build or run), 3 not decided, with
--fail-on-unknown only.`,
		Example: `  pinpoint ci
  pinpoint ci --base origin/release-2 --fail-above 10% --markdown summary.md
  pinpoint ci --head WORKTREE --bench '^BenchmarkEncode'
  pinpoint ci --all --budget 40m --sarif pinpoint.sarif --junit pinpoint.xml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, status) },
	}
	f.register(cmd)
	return cmd
}

func (f *ciFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringVar(&f.base, "base", "", "`revision` that the head is to go into: the merge base with it is compared\n(default: the target branch that CI names, else origin's default branch)")
	fs.StringVar(&f.head, "head", "HEAD", "`revision` to judge, or WORKTREE for the uncommitted state")
	fs.StringArrayVar(&f.packages, "pkg", nil, "`pattern` of packages, below -C (repeatable; default ./...)")
	fs.BoolVar(&f.changed, "changed", false, "only benchmarks whose reachable code differs (the default without\n--all and --bench)")
	fs.BoolVar(&f.all, "all", false, "all benchmarks")
	fs.StringVar(&f.bench, "bench", "", "only these benchmarks, as a `regexp` like go test's -bench")
	fs.StringVar(&f.failAbove, "fail-above", "5%", "`share` by which a benchmark may be slower")
	fs.BoolVar(&f.failOnUnknown, "fail-on-unknown", false, "exit with 3 when a benchmark is not decided")
	fs.StringVar(&f.accepted, "accepted", suite.DefaultAccepted, "`file` of accepted regressions, in the head's tree")
	fs.StringVar(&f.alpha, "alpha", "1%", "bound on the `share` of false regressions among those reported")
	fs.StringVar(&f.minEffect, "min-effect", "1%", "`share` of the whole below which a hunt counts no difference")
	fs.DurationVar(&f.budget, "budget", suite.DefaultBudget, "time for everything, builds and hunts included")
	fs.DurationVar(&f.timeout, "timeout", time.Minute, "time for one process")
	fs.IntVar(&f.cpu, "cpu", 0, "`number` of processors for the benchmarks (GOMAXPROCS; default all)")
	fs.StringVar(&f.tags, "tags", "", "build tags, comma separated `list`")
	fs.StringArrayVar(&f.env, "env", nil, "pass the environment variable `name` on to the benchmarks (repeatable)")
	fs.Uint64Var(&f.seed, "seed", 0, "`seed` of the order of pairs (default: chosen and reported)")
	fs.StringVar(&f.markdown, "markdown", "", "write a summary for the job's page to this `file`")
	fs.StringVar(&f.comment, "comment", "", "write a shorter one, for a comment, to this `file`")
	fs.StringVar(&f.sarif, "sarif", "", "write SARIF 2.1.0 to this `file`")
	fs.StringVar(&f.junit, "junit", "", "write JUnit XML to this `file`")
	fs.StringVar(&f.json, "json", "", "write JSON (pinpoint/suite/v1) to this `file` (- for standard output)")
	fs.StringVar(&f.annotations, "annotations", "auto", "print workflow commands that GitHub shows beside the code: `when`\n(always, never, or auto: in GitHub Actions)")
	fs.BoolVar(&f.dryRun, "dry-run", false, "say which benchmarks would be compared and why, and run nothing")
	fs.StringVarP(&f.dir, "C", "C", ".", "`directory` of the repository: the module's")
}

func (f *ciFlags) run(cmd *cobra.Command, status *int) error {
	opts, err := f.options()
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr())
	opts.Hunt.Progress, opts.Hunt.Named = p.show, p.found
	s, err := suite.Run(cmd.Context(), opts)
	p.clear()
	if s == nil {
		return err
	}
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
	opts := suite.Options{
		Base: f.base, Head: f.head, Packages: f.packages,
		Target:        cmp.Or(os.Getenv("GITHUB_BASE_REF"), os.Getenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")),
		Changed:       f.changed || !f.all && f.bench == "",
		FailOnUnknown: f.failOnUnknown,
		DryRun:        f.dryRun,
		AcceptedFile:  f.accepted,
		Hunt: hunt.Options{
			Dir: f.dir, Budget: f.budget, Seed: f.seed, Tags: f.tags, Version: version(), Test: stats.TestAuto,
			Workload: harness.Workload{CPUs: f.cpu, Timeout: f.timeout, Env: f.env},
		},
	}
	if f.all && f.changed {
		return opts, usagef("--all and --changed contradict each other")
	}
	if f.budget <= 0 || f.timeout <= 0 || f.cpu < 0 {
		return opts, usagef("--budget %v, --timeout %v, --cpu %d: give times above 0, and no negative number", f.budget, f.timeout, f.cpu)
	}
	switch f.annotations {
	case "always", "never", "auto":
	default:
		return opts, usagef("--annotations %s: choose always, never or auto", f.annotations)
	}
	if f.bench != "" {
		pattern, err := harness.ParsePattern(f.bench)
		if err != nil {
			return opts, usagef("--bench: %v", err)
		}
		opts.Bench = pattern
	}
	var err error
	for _, s := range []struct {
		flag, text string
		to         *float64
	}{{"--fail-above", f.failAbove, &opts.FailAbove}, {"--alpha", f.alpha, &opts.Hunt.Alpha}, {"--min-effect", f.minEffect, &opts.Hunt.MinEffect}} {
		if *s.to, err = share(s.flag, s.text); err != nil {
			return opts, err
		}
	}
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

package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/measure"
)

func measureCommand() *cobra.Command {
	f := &measureFlags{}
	var revs []string
	mode, list, executor := "", "", ""
	cmd := &cobra.Command{
		Use:   "measure [--rev REV]...\n      (--bench RE | --test RE | --main DIR -- ARGS)",
		Short: "measure benchmarks: time, memory, counts",
		Long: `Measure runs scenarios, all combinations of benchmarks, parameters, numbers of
processors and revisions, each in processes of its own that take turns, and
prints each quantity as its mean over processes with a confidence interval.

What is measured is a list of measurers, or a mode that stands for one:

  steady   RunningTime
  startup  Startup
  memory   MemoryFootprint,PeakRSS,Allocs,Bytes
  counts   Allocs,Bytes,GCCycles,BoxingCount,Statements

The measurers; those with a + are joined to a RunningTime with it, as in
IgnoringGC+OutlierElimination:

` + indent(measure.Names) + `

Time and counts are never taken from the same process. A count is exact when all
its processes agree. Functions, fields and statements are counted in the main
module's code; conversions wherever the runtime allocates for one: not for
pointers, constants, bytes, words below 256, empty strings, or what does not
outlive its function.

Files that -o writes are in Go's benchmark format, one line a process: benchstat
reads them. Between files, benchstat -ignore date,seed,commit,rev compares them;
between revisions of one, benchstat -col rev -ignore commit.

What options of SBS, executors, warmers and measurers of ScalaMeter, Caliper's
parameters and Sestoft's Mark are here: docs/ancestors.md, at
https://github.com/pinpoint-go/pinpoint/blob/main/docs/ancestors.md`,
		Example: `  pinpoint measure --bench 'BenchmarkEncode/size' --pkg ./codec -o new.txt
  pinpoint measure --pkg ./... --bench . -o all.txt
  pinpoint measure --rev v1.4.0 --rev HEAD --bench Encode --cpu 1,2 --plot e.svg
  pinpoint measure --bench Encode --measure 'Allocs,MethodInvocationCount=(*Encoder)'
  pinpoint measure --bench Encode --processes 3 --lengths 1,0.5,1.5 --deviation 1%`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if list == "" {
				list = measure.ModeMeasurers(mode)
			}
			f.measure.Local = executor == "local"
			opts, err := f.options(args, revs, list)
			if err != nil {
				return err
			}
			run := f.run
			if opts.IsPattern() {
				run = f.runEach
			}
			err = run(cmd, opts)
			if len(f.results) == 0 {
				return err
			}
			return errors.Join(err, f.save(cmd.OutOrStdout(), f.results...))
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&revs, "rev", nil, "the `revision` (repeatable; default WORKTREE, the uncommitted state)")
	f.registerWorkload(fs)
	fs.Lookup("pkg").Usage = "`directory` of the workload's package, relative to -C; or a pattern such as\n./..., for every package that has what is to be run"
	fs.Func("cpu", "`list` of numbers of processors, such as 1,2 (GOMAXPROCS; default all)", func(list string) (err error) {
		f.measure.CPUs, err = numbers(list)
		return err
	})
	choiceFlag(fs, &mode, "mode", "steady", "the `kind` of measurement: ", measure.Modes())
	fs.StringVar(&list, "measure", "", "`list` of measurers, instead of a mode's")
	choiceFlag(fs, &executor, "executor", "separate", "whether values are of separate processes or the batches of one (local), the `kind` of executor: ", []string{"separate", "local"})
	f.register(fs, "mean")
	f.registerToolchain(fs)
	f.registerHow(fs)
	return cmd
}

// registerHow adds the flags that only this command has: what a process runs, how many
// run, and how sure the intervals are.
func (f *measureFlags) registerHow(fs *pflag.FlagSet) {
	m, warm := &f.measure, &f.timing.Warm
	fs.Func("lengths", "the processes' batches are of these lengths in turn, a `list` of multiples\nsuch as 1,0.5,1.5: time that isn't paid per operation shows", func(list string) (err error) {
		m.Lengths, err = measure.ParseLengths(list)
		return err
	})
	shareFlag(fs, &m.Deviation, "deviation", 0, "run more processes of a scenario while their standard deviation is above\nthis `share` of the mean, such as 1%")
	fs.IntVar(&m.More, "more", measure.DefaultMore, "with --deviation: so many more `processes` at most")
	shareFlag(fs, &warm.CoV, "warm-cov", 0, "wait for the steady state: a coefficient of variation below this `share`\n(default: leave out the first tenth)")
	fs.IntVar(&warm.Window, "warm-window", 0, "`number` of batches that --warm-cov looks at (default: as many as are kept)")
	fs.IntVar(&warm.Repeat, "warm-repeat", 5, "warm up for so many `times` the kept batches at most")
	fs.Int64Var(&m.Iterations, "iterations", 0, "`number` of operations of a batch (default: calibrated)")
	fs.IntVar(&m.Batches, "measurements", 0, "`number` of batches that are kept of a process (default: calibrated)")
	seedFlag(fs, &m.Seed)
	shareFlag(fs, &f.confidence, "confidence", measure.Confidence, "confidence of the intervals, a `share`")
	sheetFlag(fs, &f.json)
	fs.StringVar(&f.batches, "batches", "", "write every batch in Go's benchmark format to this `file`")
}

// run measures and prints, also what there is when it ends early.
func (f *measureFlags) run(cmd *cobra.Command, opts measure.Options) error {
	p := newProgress(cmd.ErrOrStderr())
	p.unit = "process"
	opts.Progress = p.show
	r, err := measure.Run(cmd.Context(), opts)
	p.clear()
	if r == nil {
		return err
	}
	if f.out != "-" {
		if printErr := r.WriteText(cmd.OutOrStdout(), f.confidence); printErr != nil {
			return printErr
		}
	}
	f.results = append(f.results, r)
	return err
}

// runEach does so with one package after the other of those that a pattern stands for. One
// that fails is told of, and the others are measured all the same.
func (f *measureFlags) runEach(cmd *cobra.Command, opts measure.Options) error {
	if f.driver != "" || f.plot != "" || f.gnuplot != "" || opts.By != "" {
		return usagef("--driver, --by, --plot and --gnuplot are for one package, and --pkg %s is a pattern", opts.Package)
	}
	all, some, err := measure.Packages(cmd.Context(), opts)
	if err != nil {
		return err
	}
	for _, dir := range some {
		fmt.Fprintf(cmd.ErrOrStderr(), "pinpoint: not measured, since not all revisions have what is to be run: %s\n", dir)
	}
	var failed []error
	for i, dir := range all {
		if i > 0 && f.out != "-" {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		opts.Package = dir
		err := f.run(cmd, opts)
		if ctxErr := cmd.Context().Err(); ctxErr != nil {
			return err
		}
		// The pattern's first element is there, and what is below it not.
		if none := (*measure.NoneError)(nil); err != nil && !(errors.As(err, &none) && len(all) > 1) {
			failed = append(failed, fmt.Errorf("%s: %w", dir, err))
		}
	}
	if len(f.results) == 0 && failed == nil {
		return &measure.NoneError{Kind: opts.Workload.Kind.String(), Package: f.pkg, Pattern: opts.Workload.Pattern}
	}
	return errors.Join(failed...)
}

// indent puts two blanks before every line.
func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}

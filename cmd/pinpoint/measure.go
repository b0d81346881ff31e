package main

import (
	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/measure"
)

func measureCommand() *cobra.Command {
	f := &measureFlags{}
	var revs []string
	cmd := &cobra.Command{
		Use:   "measure [--rev REV]... (--bench RE | --test RE | --main DIR -- ARGS)",
		Short: "measure benchmarks: time, memory, counts",
		Long: `Measure runs scenarios, all combinations of benchmarks, parameters, numbers of
processors and revisions, each in processes of its own that take turns, and
prints each quantity as its mean over processes with a confidence interval.

What is measured is a list of measurers, or a mode that stands for one:

  steady   RunningTime
  startup  Startup
  memory   MemoryFootprint,PeakRSS,Allocs,Bytes
  counts   Allocs,Bytes,GCCycles,BoxingCount,Statements,PackageInits

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
between revisions of one, benchstat -col rev -ignore commit.`,
		Example: `  pinpoint measure --bench 'BenchmarkEncode/size' --pkg ./codec -o new.txt
  pinpoint measure --rev v1.4.0 --rev HEAD --bench Encode --cpu 1,2 --plot e.svg
  pinpoint measure --bench Encode --measure 'Allocs,MethodInvocationCount=(*Encoder)'
  pinpoint measure --bench Encode --processes 3 --lengths 1,0.5,1.5 --deviation 1%`,
		RunE: func(cmd *cobra.Command, args []string) error {
			list, err := f.measurers()
			if err != nil {
				return err
			}
			opts, err := f.options(args, revs, list)
			if err != nil {
				return err
			}
			return f.run(cmd, opts)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.StringArrayVar(&revs, "rev", nil, "the `revision` (repeatable; default WORKTREE, the uncommitted state)")
	f.registerWhat(cmd)
	fs.StringVar(&f.mode, "mode", "steady", "steady, startup, memory or counts: the `kind` of measurement")
	fs.StringVar(&f.measure, "measure", "", "`list` of measurers, instead of a mode's")
	fs.StringVar(&f.executor, "executor", "separate", "separate processes, or local: the batches of one process are the values,\nthe `kind` of executor")
	f.registerHow(cmd)
	return cmd
}

// measurers is the list that is asked for, by name or by mode.
func (f *measureFlags) measurers() (string, error) {
	if f.measure != "" {
		return f.measure, nil
	}
	list, err := measure.ModeMeasurers(f.mode)
	if err != nil {
		return "", usagef("--mode: %v", err)
	}
	return list, nil
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
		if printErr := r.WriteText(cmd.OutOrStdout(), f.level()); printErr != nil {
			return printErr
		}
	}
	if saveErr := f.save(r, f.bench, cmd.OutOrStdout()); err == nil {
		err = saveErr
	}
	return err
}

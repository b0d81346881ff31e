package main

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pinpoint-go/pinpoint/figure"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/measure"
)

// measureFlags are the flags that commands share which measure scenarios.
type measureFlags struct {
	workloadFlags
	mode, measure, aggregate, cpu, executor string
	warmCoV, confidence                     string
	lengths, deviation                      string
	more                                    int
	params                                  []string
	processes, batches, window, repeat      int
	iterations                              int64
	seed                                    uint64
	out, batchesOut, plot, gnuplot          string
}

// registerWhat adds the flags that say what runs.
func (f *measureFlags) registerWhat(cmd *cobra.Command) {
	fs := cmd.Flags()
	f.registerWorkload(fs)
	fs.StringVar(&f.cpu, "cpu", "", "`list` of numbers of processors, such as 1,2 (GOMAXPROCS; default all)")
	fs.StringArrayVar(&f.params, "param", nil, "an environment variable with its values, `NAME=a,b` (repeatable)")
}

// registerHow adds the flags that say how.
func (f *measureFlags) registerHow(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.IntVar(&f.processes, "processes", measure.DefaultProcesses, "`number` of processes of each scenario; counts take 3")
	fs.StringVar(&f.lengths, "lengths", "", "the processes' batches are of these lengths in turn, a `list` of multiples\nsuch as 1,0.5,1.5: time that isn't paid per operation shows")
	fs.StringVar(&f.deviation, "deviation", "", "run more processes of a scenario while their standard deviation is above\nthis `share` of the mean, such as 1%")
	fs.IntVar(&f.more, "more", measure.DefaultMore, "with --deviation: so many more `processes` at most")
	fs.StringVar(&f.aggregate, "aggregate", "mean", "what of its batches a process contributes, the `kind` of summary:\nmean, median, min, or fast (the fastest eighth)")
	fs.StringVar(&f.warmCoV, "warm-cov", "", "wait for the steady state: a coefficient of variation below this `share`\n(default: leave out the first tenth)")
	fs.IntVar(&f.window, "warm-window", 0, "`number` of batches that --warm-cov looks at (default: as many as are kept)")
	fs.IntVar(&f.repeat, "warm-repeat", 5, "warm up for so many `times` the kept batches at most")
	fs.Int64Var(&f.iterations, "iterations", 0, "`number` of operations of a batch (default: calibrated)")
	fs.IntVar(&f.batches, "measurements", 0, "`number` of batches that are kept of a process (default: calibrated)")
	fs.Uint64Var(&f.seed, "seed", 0, "`seed` of the order of processes and of noise (default: chosen and reported)")
	fs.StringVar(&f.confidence, "confidence", "95%", "confidence of the intervals, a `share`")
	fs.StringVarP(&f.out, "out", "o", "", "write the processes' values in Go's benchmark format to this `file`\n(- for standard output)")
	fs.StringVar(&f.batchesOut, "batches", "", "write every batch in Go's benchmark format to this `file`")
	registerFigure(cmd, &f.plot, &f.gnuplot)
}

// registerFigure adds the flags for drawing.
func registerFigure(cmd *cobra.Command, plot, gnuplot *string) {
	cmd.Flags().StringVar(plot, "plot", "", "draw the means with their intervals to this `file`, .svg or .png")
	cmd.Flags().StringVar(gnuplot, "gnuplot", "", "write the same as columns for gnuplot to this `file`")
}

// options checks the flags. list are the measurers.
func (f *measureFlags) options(args, revs []string, list string) (measure.Options, error) {
	opts := measure.Options{
		Dir: f.dir, Revs: revs, Driver: f.driver, Tags: f.tags, Seed: f.seed, Version: version(),
		Processes: f.processes, Iterations: f.iterations, Batches: f.batches, More: f.more,
	}
	if f.processes < 1 || f.more < 1 || f.iterations < 0 || f.batches < 0 || f.window < 0 || f.repeat < 1 {
		return opts, usagef("--processes, --more and --warm-repeat need values above 0; no number may be negative")
	}
	if _, err := share("--confidence", f.confidence); err != nil {
		return opts, err
	}
	if err := checkOutputs(f.plot, f.gnuplot, f.out, f.batchesOut); err != nil {
		return opts, err
	}
	var err error
	if opts.Workload, err = f.workload(args); err != nil {
		return opts, err
	}
	if opts.Package, err = f.where(); err != nil {
		return opts, err
	}
	if f.lengths != "" {
		if opts.Lengths, err = measure.ParseLengths(f.lengths); err != nil {
			return opts, usagef("--lengths: %v", err)
		}
	}
	if f.deviation != "" {
		if opts.Deviation, err = share("--deviation", f.deviation); err != nil {
			return opts, err
		}
	}
	if opts.CPUs, err = numbers(f.cpu); err != nil {
		return opts, err
	}
	for _, text := range f.params {
		p, err := measure.ParseParam(text)
		if err != nil {
			return opts, usagef("--param %v", err)
		}
		opts.Params = append(opts.Params, p)
	}
	timing, err := f.timing()
	if err != nil {
		return opts, err
	}
	if opts.Measurers, err = measure.ParseMeasurers(list, timing); err != nil {
		return opts, usagef("--measure: %v", err)
	}
	switch f.executor {
	case "", "separate":
	case "local":
		opts.Local = true
	default:
		return opts, usagef("--executor %s: choose separate or local", f.executor)
	}
	return opts, nil
}

// checkOutputs finds files that can't be written before anything is measured.
func checkOutputs(plot string, names ...string) error {
	if plot != "" {
		if err := figure.CheckName(plot); err != nil {
			return usagef("--plot: %v", err)
		}
	}
	for _, name := range append(names, plot) {
		if name == "" || name == "-" {
			continue
		}
		if st, err := os.Stat(filepath.Dir(name)); err != nil || !st.IsDir() {
			return usagef("%s: there is no directory %s", name, filepath.Dir(name))
		}
	}
	return nil
}

// timing is what all measurers of running time have in common.
func (f *measureFlags) timing() (measure.Timing, error) {
	t := measure.Timing{Warm: measure.Warmer{Window: f.window, Repeat: f.repeat}}
	var err error
	if f.warmCoV != "" {
		if t.Warm.CoV, err = share("--warm-cov", f.warmCoV); err != nil {
			return t, err
		}
	}
	if t.Aggregate, err = measure.ParseAggregator(f.aggregate); err != nil {
		return t, usagef("--aggregate: %v", err)
	}
	return t, nil
}

func numbers(list string) ([]int, error) {
	var ns []int
	for part := range strings.SplitSeq(list, ",") {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 {
			return nil, usagef("--cpu %s: give numbers of processors, such as 1,2", list)
		}
		ns = append(ns, n)
	}
	return ns, nil
}

// level is the confidence of the intervals, which options has checked.
func (f *measureFlags) level() float64 {
	x, _ := share("--confidence", f.confidence)
	return x
}

// save writes what was asked for besides the table.
func (f *measureFlags) save(r *measure.Result, title string, stdout io.Writer) error {
	if f.out == "-" {
		if err := r.WriteBenchfmt(stdout); err != nil {
			return err
		}
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{{f.out, r.WriteBenchfmt}, {f.batchesOut, r.WriteBatches}} {
		if file.name == "" || file.name == "-" {
			continue
		}
		if err := output.Save(file.name, file.write); err != nil {
			return err
		}
	}
	if f.plot == "" && f.gnuplot == "" {
		return nil
	}
	return saveFigure(measure.Figure(r, f.level(), title), f.plot, f.gnuplot)
}

func saveFigure(fig figure.Figure, plot, gnuplot string) error {
	if plot != "" {
		if err := fig.Save(plot); err != nil {
			return err
		}
	}
	if gnuplot != "" {
		return output.Save(gnuplot, fig.WriteGnuplot)
	}
	return nil
}

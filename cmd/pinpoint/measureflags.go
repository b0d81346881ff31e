package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/pinpoint-go/pinpoint/figure"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/measure"
)

// measureFlags are the flags that commands share which measure scenarios.
type measureFlags struct {
	workloadFlags
	measure    measure.Options // of which flags are set
	timing     measure.Timing  // what all measurers of running time have in common
	confidence float64
	out        string
	batches    string            // file for every batch
	json       string            // file for what pinpoint report draws
	results    []*measure.Result // of one package after the other
	figureFlags
}

// register adds the flags that every such command has; what is aggregated is so by
// aggregate unless it is asked for.
func (f *measureFlags) register(fs *pflag.FlagSet, aggregate string) {
	m := &f.measure
	fs.IntVar(&m.Processes, "processes", measure.DefaultProcesses, "`number` of processes of each scenario; counts take 3")
	fs.Func("param", "an environment variable with its values, `NAME=a,b` (repeatable)", func(text string) error {
		p, err := measure.ParseParam(text)
		m.Params = append(m.Params, p)
		return err
	})
	fs.StringVar(&m.By, "by", "", "hold the values of this `key` against each other, alg of BenchmarkX/alg=heap or a\n--param, and draw a line for each; default the revisions")
	f.timing.Aggregate, _ = measure.ParseAggregator(aggregate)
	fs.Func("aggregate", "what of its batches a process contributes, the `kind` of summary: mean, median, min, or fast (the fastest eighth: steady, but blind to what few batches pay); default "+aggregate, func(text string) (err error) {
		f.timing.Aggregate, err = measure.ParseAggregator(text)
		return err
	})
	fs.StringVarP(&f.out, "out", "o", "", "write the processes' values in Go's benchmark format to this `file`\n(- for standard output)")
	f.registerFigure(fs)
}

// figureFlags are for drawing.
type figureFlags struct{ plot, gnuplot string }

func (f *figureFlags) registerFigure(fs *pflag.FlagSet) {
	fs.StringVar(&f.plot, "plot", "", "draw the means with their intervals to this `file`, .svg or .png")
	fs.StringVar(&f.gnuplot, "gnuplot", "", "write the same as columns for gnuplot to this `file`")
}

// check finds files that can't be written before anything is measured, names among
// them.
func (f *figureFlags) check(names ...string) error {
	if f.plot != "" {
		if err := figure.CheckName(f.plot); err != nil {
			return usagef("--plot: %v", err)
		}
	}
	for _, name := range append(names, f.plot, f.gnuplot) {
		if name == "" || name == "-" {
			continue
		}
		if st, err := os.Stat(filepath.Dir(name)); err != nil || !st.IsDir() {
			return usagef("%s: there is no directory %s", name, filepath.Dir(name))
		}
	}
	return nil
}

// saveFigure draws what was asked for.
func (f *figureFlags) saveFigure(draw func() figure.Figure) error {
	if f.plot != "" {
		if err := draw().Save(f.plot); err != nil {
			return err
		}
	}
	if f.gnuplot != "" {
		return output.Save(f.gnuplot, draw().WriteGnuplot)
	}
	return nil
}

// options checks the flags. list are the measurers.
func (f *measureFlags) options(args, revs []string, list string) (opts measure.Options, err error) {
	opts = f.measure
	opts.Dir, opts.Revs, opts.Driver, opts.Tags, opts.Version = f.dir, revs, f.driver, f.tags, version()
	if opts.PGO, err = f.profile(); err != nil {
		return opts, err
	}
	if opts.Toolchains, err = f.ofAll(); err != nil {
		return opts, err
	}
	warm := f.timing.Warm
	if opts.Processes < 1 || opts.More < 1 || opts.Iterations < 0 || opts.Batches < 0 || warm.Window < 0 || warm.Repeat < 1 {
		return opts, usagef("--processes, --more and --warm-repeat need values above 0; no number may be negative")
	}
	if err := f.check(f.out, f.batches, f.json); err != nil {
		return opts, err
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
	if opts.Package, err = f.where(); err != nil {
		return opts, err
	}
	if opts.Measurers, err = measure.ParseMeasurers(list, f.timing); err != nil {
		return opts, usagef("--measure: %v", err)
	}
	return opts, nil
}

// save writes what was asked for besides the table.
func (f *measureFlags) save(stdout io.Writer, all ...*measure.Result) error {
	r := measure.Results(all)
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{{f.out, r.WriteBenchfmt}, {f.batches, r.WriteBatches}} {
		var err error
		switch file.name {
		case "":
		case "-":
			err = file.write(stdout)
		default:
			err = output.Save(file.name, file.write)
		}
		if err != nil {
			return err
		}
	}
	if f.json != "" {
		sheet, err := r.Sheet(f.confidence)
		if err == nil {
			err = output.Save(f.json, sheet.WriteJSON)
		}
		if err != nil {
			return err
		}
	}
	return f.saveFigure(func() figure.Figure { return measure.Figure(all[0], f.confidence, f.bench) })
}

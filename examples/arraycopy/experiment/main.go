// Experiment reproduces the experiment of the thesis on the Scala Benchmarking
// Suite (3.4.3) in Go: a benchmark that clones arrays 41 times an operation is
// accepted; then it does so 45 times, and 41 times again. Is the regression
// noticed, and is it not when there is none? First by the confidence interval of
// the difference from one history, then by an analysis of variance over two.
//
//	go run ./examples/arraycopy/experiment [-o DIR] [-processes 13] [-measurements 600] [-attempts 4]
//		[-size 48] [-fresh] [-apart]
//
// Since the series take turns, values of one round are pairs, too: what pinpoint
// itself makes of them is printed below what the thesis's tests say.
//
// It draws what the thesis draws: all measurements of a process with its warm-up
// (figure 3.7), and the series that are compared (3.8 to 3.11).
//
// The thesis measures one series after the other. What the machine did meanwhile
// is then a difference between them, and on a busy machine it is larger than that
// between 41 and 45. Here the five series take turns; -apart measures them as the
// thesis did. A value is a process, of which the fastest measurement counts: what
// the machine can do when nobody is in the way. The slices have 48 elements, not
// 48000, and a clone takes the memory of the one before: else what is measured is
// up to the memory that all programs of the machine share, and to the collector.
// For a quiet machine there is -size 48000 -fresh, which is the thesis's.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/pinpoint-go/pinpoint/figure"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/measure"
	"github.com/pinpoint-go/pinpoint/stats"
)

var (
	outDir    = flag.String("o", "examples/arraycopy", "directory for the figures")
	processes = flag.Int("processes", 13, "processes of a series")
	attempts  = flag.Int("attempts", 4, "how often series are measured that are not precise")
	batches   = flag.Int("measurements", 600, "measurements of a process, of about a millisecond")
	size      = flag.Int("size", 48, "elements of a slice")
	fresh     = flag.Bool("fresh", false, "allocate every clone")
	apart     = flag.Bool("apart", false, "measure one series after the other")
)

// The series, in the order of the thesis.
var (
	counts = []string{"41", "45", "41", "45", "41"}
	titles = []string{"41, first history", "45", "41, second history", "45 again", "41 again"}
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := experiment(ctx); err != nil {
		log.Fatal("experiment: ", err)
	}
}

func experiment(ctx context.Context) error {
	if err := warmUp(ctx); err != nil {
		return err
	}
	series, err := preciseSeries(ctx)
	if err != nil {
		return err
	}
	for i, s := range series {
		iv := stats.Summarize(s).Interval(0.99)
		fmt.Printf("%-18s  %.6f ms  [%.6f; %.6f] at 99 %%, %d processes\n", titles[i], iv.Mean/1e6, iv.Low/1e6, iv.High/1e6, len(s))
	}
	fmt.Println()
	if err := byInterval("figure-3.8.svg", series, 1); err != nil {
		return err
	}
	if err := byInterval("figure-3.9.svg", series, 2); err != nil {
		return err
	}
	if err := byVariance("figure-3.10.svg", series, 3); err != nil {
		return err
	}
	return byVariance("figure-3.11.svg", series, 4)
}

// options are what all measurements have in common: the module's working tree, one
// processor.
func options(timing measure.Timing) (measure.Options, error) {
	m, err := measure.ParseMeasurers("RunningTime", timing)
	return measure.Options{
		Package: "examples/arraycopy", Measurers: m, CPUs: []int{1},
		Workload: harness.Workload{
			Kind: harness.Bench, Pattern: "^BenchmarkArrayCopy$", Timeout: time.Minute,
			Set: []string{fmt.Sprintf("SIZE=%d", *size), fmt.Sprintf("FRESH=%d", map[bool]int{true: 1}[*fresh])},
		},
		Progress: progress,
	}, err
}

// progress tells of every tenth process.
func progress(phase string, done, total int) {
	if total > 0 && done%10 == 0 {
		fmt.Fprintf(os.Stderr, "%s: %d of %d\n", phase, done, total)
	}
}

// warmUp draws every measurement of one process, and says where it got steady.
func warmUp(ctx context.Context) error {
	opts, err := options(measure.Timing{Warm: measure.Warmer{CoV: 0.02, Window: 13}})
	if err != nil {
		return err
	}
	opts.Local, opts.Batches, opts.Processes = true, 13, 1
	r, err := measure.Run(ctx, opts)
	if err != nil {
		return err
	}
	all := figure.Series{Name: "measurements", Line: true}
	for i, b := range r.Batches[0].Batches {
		ms := b.NS / float64(b.N) / 1e6
		all.Points = append(all.Points, figure.Point{X: float64(i + 1), Mean: ms, Low: ms, High: ms})
	}
	fmt.Printf("one process: %d measurements ran, of which 13 are kept\n", len(all.Points))
	for _, note := range r.Notes() {
		fmt.Println("note:", note)
	}
	return save("figure-3.7.svg", figure.Figure{
		Title: "All measurements of one process", X: "measurement", Y: "ms per operation", Series: []figure.Series{all},
	})
}

// preciseSeries measures again, as the thesis does (3.4.1), while the mean of a
// series is not known to 2 %: a process that was slow as a whole is then among
// them. Which series is slower has no say in that. Each series is the first that
// was precise, else the last.
func preciseSeries(ctx context.Context) ([][]float64, error) {
	var series [][]float64
	for range *attempts {
		again, err := measureAll(ctx)
		if err != nil {
			return nil, err
		}
		all := true
		for i, s := range again {
			if series == nil {
				series = make([][]float64, len(again))
			}
			if series[i] != nil && precise(series[i]) {
				continue
			}
			series[i] = s
			all = all && precise(s)
		}
		if all {
			return series, nil
		}
	}
	fmt.Printf("not all series are known to 2 %% after %d attempts\n", *attempts)
	return series, nil
}

// measureAll gives the values of the five series.
func measureAll(ctx context.Context) ([][]float64, error) {
	opts, err := options(measure.Timing{Aggregate: measure.Min})
	if err != nil {
		return nil, err
	}
	opts.Processes, opts.Batches = *processes, *batches
	runs := [][]string{counts}
	if *apart {
		runs = nil
		for _, n := range counts {
			runs = append(runs, []string{n})
		}
	}
	var series [][]float64
	for _, values := range runs {
		opts.Params = []measure.Param{{Name: "ITERATIONS", Values: values}}
		r, err := measure.Run(ctx, opts)
		if err != nil {
			return nil, err
		}
		for _, m := range r.Metrics() {
			series = append(series, m.Values)
		}
	}
	return series, nil
}

// byInterval holds one series against the first history (thesis, 2.3.4).
func byInterval(name string, series [][]float64, fresh int) error {
	iv, confidence, differ, err := climb(series[0], series[fresh])
	if err != nil {
		return err
	}
	fmt.Printf("%s against %s: difference [%.6f; %.6f] ms at %.0f %%: %s\n",
		titles[fresh], titles[0], iv.Low/1e6, iv.High/1e6, 100*confidence, said(differ))
	if !*apart {
		rule := stats.Rule{Alpha: 0.01, MinEffect: 0.01 * stats.Summarize(series[0]).Mean, Test: stats.TestAuto}
		c := rule.Compare(series[0], series[fresh])
		fmt.Printf("\tby pairs: %+.1f %% [%+.1f; %+.1f]: %v\n", 100*(c.Ratio.Mean-1), 100*(c.Ratio.Low-1), 100*(c.Ratio.High-1), c.Verdict)
	}
	return draw(name, series, 0, fresh)
}

// byVariance holds one series against both histories (thesis, 2.3.5).
func byVariance(name string, series [][]float64, fresh int) error {
	v, err := stats.ANOVA(series[0], series[2], series[fresh])
	if err != nil {
		return err
	}
	fmt.Printf("%s against both histories: F(%d; %d) = %.2f, p = %.2g: %s\n",
		titles[fresh], v.Between, v.Error, v.F, v.P, said(v.P < 0.01))
	if !*apart {
		if v, err = measure.Blocks(series[0], series[2], series[fresh]); err != nil {
			return err
		}
		fmt.Printf("\twith the rounds taken out: F(%d; %d) = %.2f, p = %.2g: %s\n", v.Between, v.Error, v.F, v.P, said(v.P < 0.01))
	}
	return draw(name, series, 0, 2, fresh)
}

func said(differs bool) string {
	if differs {
		return "they differ"
	}
	return "no difference found"
}

// draw shows series value by value, as the thesis does.
func draw(name string, series [][]float64, which ...int) error {
	f := figure.Figure{Title: "ArrayCopy", X: "process", Y: "ms per operation"}
	for _, i := range which {
		s := figure.Series{Name: titles[i], Line: true}
		for k, v := range series[i] {
			s.Points = append(s.Points, figure.Point{X: float64(k + 1), Mean: v / 1e6, Low: v / 1e6, High: v / 1e6})
		}
		f.Series = append(f.Series, s)
	}
	return save(name, f)
}

func save(name string, f figure.Figure) error { return f.Save(filepath.Join(*outDir, name)) }

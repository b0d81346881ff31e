// Table prints Sestoft's table: Mark0 to Mark7 on the same function, each better
// than the one before. Then it measures binary search over the size of the array
// as pinpoint does, in processes of their own that take turns, and draws it.
//
//	go run ./examples/sestoft/table [-o DIR] [-processes 5]
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/examples/sestoft"
	"github.com/pinpoint-go/pinpoint/figure"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/measure"
)

var (
	outDir    = flag.String("o", "examples/sestoft", "directory for the figure and its columns")
	processes = flag.Int("processes", 5, "processes of each size")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	table()
	if err := search(ctx); err != nil {
		log.Fatal("table: ", err)
	}
}

func table() {
	systemInfo()
	for _, mark := range []struct {
		title string
		run   func()
	}{
		{"Mark0: one operation. Useless", mark0},
		{"Mark1: many, and nobody uses the result", mark1},
		{"Mark2: many, and the result is used", mark2},
		{"Mark3: several times", mark3},
		{"Mark4: mean and standard deviation", mark4},
		{"Mark5: the count is found by doubling", mark5},
		{"Mark6: for any function", func() { mark6("multiply", sestoft.Multiply) }},
		{"Mark7: only the last", mark7s},
	} {
		fmt.Println("\n" + mark.title)
		mark.run()
	}
	runtime.KeepAlive(dummy)
}

func mark7s() {
	mark7("multiply", sestoft.Multiply)
	mark7("pow", func(i int) float64 { return math.Pow(10, 0.1*float64(i&0xFF)) })
	mark7("exp", func(i int) float64 { return math.Exp(0.1 * float64(i&0xFF)) })
	mark7("log", func(i int) float64 { return math.Log(0.1 + 0.1*float64(i&0xFF)) })
	mark7("sin", func(i int) float64 { return math.Sin(0.1 * float64(i&0xFF)) })
	mark7("atan", func(i int) float64 { return math.Atan(float64(i&0xFF) / 256) })
}

// search measures binary search, prints the table and draws it.
func search(ctx context.Context) error {
	m, err := measure.ParseMeasurers("RunningTime", measure.Timing{Aggregate: measure.Fast})
	if err != nil {
		return err
	}
	r, err := measure.Run(ctx, measure.Options{
		Package: "examples/sestoft", Measurers: m, CPUs: []int{1}, Processes: *processes,
		Workload: harness.Workload{Kind: harness.Bench, Pattern: "^BenchmarkSearch$", Timeout: time.Minute},
		Progress: func(phase string, done, total int) {
			if done%30 == 0 {
				fmt.Fprintf(os.Stderr, "%s: %d of %d\n", phase, done, total)
			}
		},
	})
	if err != nil {
		return err
	}
	fmt.Println("\nMark8: over the size of the problem, each process the fastest eighth of its batches")
	if err := r.WriteText(os.Stdout, measure.Confidence); err != nil {
		return err
	}
	f := draw(r)
	if err := f.Save(filepath.Join(*outDir, "binary-search.svg")); err != nil {
		return err
	}
	return output.Save(filepath.Join(*outDir, "binary-search.dat"), f.WriteGnuplot)
}

// draw gives a line to each kind of item. Names are
// BenchmarkSearch/item=KIND/size=N.
func draw(r *measure.Result) figure.Figure {
	f := figure.Figure{Title: "Binary search", X: "size", Y: "ns per search", LogX: true, FromZero: true}
	for _, c := range r.Config {
		f.Source = append(f.Source, c.Name+": "+c.Value)
	}
	at := map[string]int{}
	for _, m := range r.Metrics() {
		parts := strings.Split(r.Scenarios[m.Scenario].Name(), "/")
		kind := strings.TrimPrefix(parts[1], "item=")
		size, _ := strconv.ParseFloat(strings.TrimPrefix(parts[2], "size="), 64)
		i, ok := at[kind]
		if !ok {
			i = len(f.Series)
			at[kind] = i
			f.Series = append(f.Series, figure.Series{Name: kind + " item", Line: true})
		}
		iv := m.Interval(measure.Confidence)
		f.Series[i].Points = append(f.Series[i].Points, figure.Point{X: size, Mean: iv.Mean, Low: iv.Low, High: iv.High})
	}
	return f
}

package main

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/pinpoint-go/pinpoint/examples/sestoft"
	"github.com/pinpoint-go/pinpoint/harness"
)

// What Sestoft's measurements run, and for how long at least.
const (
	repeats = 10
	many    = 20_000_000
	enough  = 250 * time.Millisecond
)

// dummy keeps the compiler from dropping what is measured.
var dummy float64

// systemInfo says on what is measured, in lines that gnuplot skips.
func systemInfo() {
	f := harness.Host()
	fmt.Printf("# OS:   %s; %s; %s\n", f.OS, f.Kernel, f.Arch)
	fmt.Printf("# Go:   %s\n", runtime.Version())
	fmt.Printf("# CPU:  %s; %d cores; governor %s; %s\n", f.CPU, f.Cores, or(f.Governor, "unknown"), or(f.Virtual, "no hypervisor"))
	fmt.Printf("# Date: %s\n", time.Now().Format(time.RFC3339))
}

func or(s, without string) string {
	if s == "" {
		return without
	}
	return s
}

// mark0 measures one operation: of the clock and of first times, mostly.
func mark0() {
	start := time.Now()
	dummy += sestoft.Multiply(10)
	fmt.Printf("  %8.1f ns\n", float64(time.Since(start)))
}

// mark1 measures many operations, but nobody uses what they compute. Go's compiler
// drops what it inlined then.
func mark1() {
	start := time.Now()
	for i := range many {
		//lint:ignore SA4017 that nobody uses the result is the point
		sestoft.Multiply(i)
	}
	fmt.Printf("  %8.1f ns\n", perCall(start, many))
}

// mark2 uses what they compute.
func mark2() { fmt.Printf("  %8.1f ns\n", once(sestoft.Multiply, many)) }

// mark3 does it several times, to show the variation.
func mark3() {
	for range repeats {
		mark2()
	}
}

// mark4 computes mean and standard deviation instead.
func mark4() {
	mean, sd := several(sestoft.Multiply, many)
	fmt.Printf("  %8.1f ns +/- %8.3f\n", mean, sd)
}

// mark5 doubles the number of operations until that takes long enough, and shows
// how mean and deviation settle.
func mark5() {
	doubling(sestoft.Multiply, func(mean, sd float64, n int) { fmt.Printf("  %8.1f ns +/- %10.2f %10d\n", mean, sd, n) })
}

// mark6 is mark5 for any function, in columns.
func mark6(name string, f func(int) float64) {
	doubling(f, func(mean, sd float64, n int) { columns(name, mean, sd, n) })
}

// mark7 shows only where it ends.
func mark7(name string, f func(int) float64) {
	mean, sd, n := doubling(f, func(float64, float64, int) {})
	columns(name, mean, sd, n)
}

func columns(name string, mean, sd float64, n int) {
	fmt.Printf("  %-16s %12.1f %10.2f %10d\n", name, mean, sd, n)
}

// once is the time of one call, over n.
func once(f func(int) float64, n int) float64 {
	sum := 0.0
	start := time.Now()
	for i := range n {
		sum += f(i)
	}
	ns := perCall(start, n)
	dummy += sum
	return ns
}

func perCall(start time.Time, n int) float64 { return float64(time.Since(start)) / float64(n) }

// several repeats once.
func several(f func(int) float64, n int) (mean, sd float64) {
	var sum, squares float64
	for range repeats {
		t := once(f, n)
		sum += t
		squares += t * t
	}
	mean = sum / repeats
	return mean, math.Sqrt(max(0, squares-mean*mean*repeats) / (repeats - 1))
}

// doubling gives the last mean, deviation and count, and shows each.
func doubling(f func(int) float64, show func(mean, sd float64, n int)) (mean, sd float64, n int) {
	for n = 2; ; n *= 2 {
		mean, sd = several(f, n)
		show(mean, sd, n)
		if mean*float64(n) >= float64(enough) || n > math.MaxInt32/2 {
			return mean, sd, n
		}
	}
}

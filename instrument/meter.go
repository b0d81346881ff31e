package instrument

import (
	"embed"
	"fmt"
	"path/filepath"
	"strings"
)

// A Meter is what the probes' clock counts.
type Meter int

const (
	// MeterTime is the processor's cycle counter, or what comes nearest.
	MeterTime Meter = iota
	// MeterCPU is the CPU time of the process, of all its threads: what runs beside a
	// region, such as the collector, is counted to it. A read is a system call
	// of some hundred nanoseconds.
	MeterCPU
	// MeterCalls is how many functions were entered that count themselves (see
	// [CountEntries]), on all goroutines.
	MeterCalls
)

//go:embed meter
var meterSource embed.FS

var meterFiles = map[Meter]string{MeterCPU: "cpu", MeterCalls: "calls"}

// metered replaces the clock in the runtime's files, which are keyed by path.
func metered(files map[string][]byte, dir string, m Meter) error {
	if m == MeterTime {
		return nil
	}
	src, err := meterSource.ReadFile("meter/" + meterFiles[m] + ".go.txt")
	if err != nil {
		return fmt.Errorf("reading the probes' clock: %w", err)
	}
	for name := range files {
		if filepath.Dir(name) == dir && strings.HasPrefix(filepath.Base(name), "clock_") {
			delete(files, name)
		}
	}
	files[filepath.Join(dir, "clock.go")] = src
	return nil
}

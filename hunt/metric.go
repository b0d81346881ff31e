package hunt

import (
	"fmt"
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// metric is the quantity that a hunt compares. The search is the same for all of
// them; what differs is where the numbers are read.
type metric struct {
	name  string
	unit  string
	meter instrument.Meter
	// of is a batch's quantity; nil for its time.
	of func(harness.Batch) float64
	// step is what a value per operation is rounded to. What the runtime does
	// now and then by itself, spread over all operations, is less; what is
	// left is then the program's own, and exact.
	step float64
	// profiled says that the parts are read off an allocation profile, which is
	// exact, and not off probes.
	profiled bool
}

// metrics are the values of Options.Metric.
var metrics = map[string]metric{
	"time":   {name: "time", unit: "ns/op"},
	"cpu":    {name: "cpu", unit: "CPU-ns/op", meter: instrument.MeterCPU, of: metered},
	"calls":  {name: "calls", unit: "calls/op", meter: instrument.MeterCalls, of: metered, step: 0.01},
	"allocs": {name: "allocs", unit: "allocs/op", of: func(b harness.Batch) float64 { return float64(b.Allocs) }, step: 0.01, profiled: true},
	"bytes":  {name: "bytes", unit: "B/op", of: func(b harness.Batch) float64 { return float64(b.Bytes) }, step: 1, profiled: true},
}

func metered(b harness.Batch) float64 { return b.Metered }

// Metrics are the quantities that can be searched for.
var Metrics = []string{"time", "cpu", "allocs", "bytes", "calls"}

// metric finds the metric of the options and checks that the workload has it.
func (o *Options) metric() (metric, error) {
	m, ok := metrics[o.Metric]
	switch {
	case !ok:
		return m, fmt.Errorf("there is no metric %q", o.Metric)
	case o.Workload.Kind != harness.Bench && m.of != nil && m.meter != instrument.MeterCPU:
		return m, fmt.Errorf("--metric %s is counted per operation of a benchmark: name one with --bench", o.Metric)
	}
	return m, nil
}

// counts says whether the metric counts what happens. Time of either kind is
// measured instead.
func (m metric) counts() bool { return m.step != 0 }

// summary is what a process contributes: of a time the steady part, of what is
// counted all.
func (m metric) summary() summary {
	switch {
	case m.of == nil:
		return harness.Process.Sample
	case !m.counts():
		return func(p harness.Process) harness.Sample { return p.By(m.of).Sample() }
	}
	return m.mean()
}

// mean is the same of all batches.
func (m metric) mean() summary {
	if m.of == nil {
		return harness.Process.Mean
	}
	return func(p harness.Process) harness.Sample {
		s := p.By(m.of).Mean()
		s.Whole = m.round(s.Whole)
		return s
	}
}

func (m metric) round(x float64) float64 {
	if m.step == 0 {
		return x
	}
	return math.Round(x/m.step) * m.step
}

// looks are the numbers of pairs at which a comparison of the metric is looked at.
// What is counted may be exact: then three processes of a side agree, and that is
// all there is to see.
func (m metric) looks(planned []int) []int {
	if !m.counts() {
		return planned
	}
	return append([]int{exactPairs}, planned...)
}

const exactPairs = 3

// countedBatches is how many batches a process runs whose operations are counted, and
// countedBatch how long they are: many would only count the same, and in short ones what
// a batch does once would count.
const (
	countedBatches = 10
	countedBatch   = 3 * time.Millisecond
)

// countEntries lays counting functions over a side for the metric of calls: all
// those of the main module.
func (h *hunt) countEntries(s *side, laid map[string][]byte) error {
	if h.metric.meter != instrument.MeterCalls {
		return nil
	}
	for _, pkg := range s.prog.Packages() {
		if pkg.Module == nil || !pkg.Module.Main {
			continue
		}
		for _, name := range pkg.GoFiles {
			src, ok := laid[name]
			if !ok {
				src = s.prog.Contents(name)
			}
			if src == nil { // not read: cgo made another file of it
				continue
			}
			counted, err := instrument.CountEntries(name, src)
			if err != nil {
				return fmt.Errorf("%s: %w", s.label, err)
			}
			laid[name] = counted
		}
	}
	return nil
}

package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/internal/unit"
)

// Quantity is what a hunt compares. The search is the same for all of them; what
// differs is where the numbers are read.
type Quantity struct {
	Name  string
	Unit  string
	Meter instrument.Meter
	// Gauges are what package testing reads for it.
	Gauges []instrument.Gauge
	// Profiled says that the parts are read off an allocation profile, which is
	// exact, and not off probes.
	Profiled bool
	// Reported says that it is a figure of the benchmark's own, by b.ReportMetric or
	// b.SetBytes: whole batches have it, and none of their parts. Note says what is
	// compared where that is not the figure itself; "" otherwise.
	Reported bool
	Note     string
	// of is a batch's quantity; nil for its time.
	of func(harness.Batch) float64
	// counted says that it counts what happens.
	counted bool
	// step is what a value per operation is rounded to. What the runtime does
	// now and then by itself, spread over all operations, is less; what is
	// left is then the program's own, and exact.
	step float64
}

// quantities are those that can be searched for, as --metric lists them.
var quantities = []Quantity{
	{Name: "time", Unit: "ns/op"},
	{Name: "cpu", Unit: "CPU-ns/op", Meter: instrument.MeterCPU, of: metered},
	{Name: "allocs", Unit: "allocs/op", of: allocs, counted: true, step: 0.01, Profiled: true},
	{Name: "bytes", Unit: "B/op", of: bytes, counted: true, step: 1, Profiled: true},
	{Name: "calls", Unit: "calls/op", Meter: instrument.MeterCalls, of: metered, counted: true, step: 0.01},
	gauged("gc-ns/op", instrument.GaugeGCTime),
	gauged("live-B", instrument.GaugeLive),
}

// gauged is what package testing reports as if the benchmark had, in a unit. It is of the
// memory that is asked for, as counts are: where the linker places code does not move it,
// and it may be none at all.
func gauged(unit string, g instrument.Gauge) Quantity {
	q := reported(unit)
	q.Gauges, q.counted = []instrument.Gauge{g}, true
	return q
}

func metered(b harness.Batch) float64 { return b.Metered }
func allocs(b harness.Batch) float64  { return float64(b.Allocs) }
func bytes(b harness.Batch) float64   { return float64(b.Bytes) }

// Names are the quantities that can be searched for.
func Names() []string {
	var names []string
	for _, q := range quantities {
		names = append(names, q.Name)
	}
	return names
}

// QuantityOf finds a quantity by its name, and checks that workloads of a kind have it. A
// name that is none of Names is the unit of what a benchmark reports itself.
func QuantityOf(name string, kind harness.Kind) (Quantity, error) {
	q := reported(name)
	for _, known := range quantities {
		if known.Name == name {
			q = known
		}
	}
	if kind != harness.Bench && q.of != nil && q.Meter != instrument.MeterCPU {
		return q, fmt.Errorf("--metric %s is counted per operation of a benchmark: name one with --bench", name)
	}
	return q, nil
}

// reported is what a benchmark reports itself in a unit. Of a rate more is better: it is
// turned over, so that what is more is worse in every quantity. What is made of a time
// varies as time does; the rest counts something, and may be exact.
func reported(name string) Quantity {
	q := Quantity{Name: name, Unit: name, Reported: true, counted: !unit.IsTime(name)}
	turn, factor := unit.MoreIsBetter(name), 1.0
	if turn {
		q.Unit, factor = unit.Reciprocal(name)
		q.Note = fmt.Sprintf("more %s is better: %s is what is compared", name, q.Unit)
	}
	q.of = func(b harness.Batch) float64 {
		v := b.Reported[name]
		if turn {
			v = factor / v
		}
		return v * float64(b.N) // as all quantities, of the whole batch
	}
	return q
}

// Check says why a process can't be compared by this quantity: what it does not report,
// or a rate of nothing.
func (q Quantity) Check(p harness.Process) error {
	if !q.Reported {
		return nil
	}
	for _, b := range p.Batches {
		if _, ok := b.Reported[q.Name]; !ok {
			others := slices.Concat(Names(), slices.Sorted(maps.Keys(b.Reported)))
			return fmt.Errorf("%s reports nothing in %q, by b.ReportMetric or b.SetBytes; --metric can be %s", b.Bench, q.Name, strings.Join(others, ", "))
		}
		if v := q.of(b); math.IsInf(v, 0) {
			return fmt.Errorf("%s reports %v %s, of which there is no ratio", b.Bench, b.Reported[q.Name], q.Name)
		}
	}
	return nil
}

// Counts says whether the quantity counts what happens. Time of either kind is
// measured instead.
func (q Quantity) Counts() bool { return q.counted }

// ByMean says whether it is known of all batches alike: the fast ones have no more
// to say of what a benchmark reports than the others.
func (q Quantity) ByMean() bool { return q.Reported }

// IsTime says whether it is the time that passes.
func (q Quantity) IsTime() bool { return q.of == nil }

// InBytes says whether what is allocated is weighed and not counted.
func (q Quantity) InBytes() bool { return q.Unit == "B/op" }

// summary is what a process contributes: a sample made of some of its batches or
// of all of them.
type summary func(harness.Process) harness.Sample

// steady is the summary of a time's steady part; of what is counted, of all.
func (q Quantity) steady() summary {
	switch {
	case q.of == nil:
		return harness.Process.Sample
	case !q.Counts():
		return func(p harness.Process) harness.Sample { return p.By(q.of).Sample() }
	}
	return q.mean()
}

// mean is the same of all batches.
func (q Quantity) mean() summary {
	if q.of == nil {
		return harness.Process.Mean
	}
	return func(p harness.Process) harness.Sample {
		s := p.By(q.of).Mean()
		s.Whole = q.Round(s.Whole)
		return s
	}
}

// Round rounds a value per operation to what is exact of it.
func (q Quantity) Round(x float64) float64 {
	if q.step == 0 {
		return x
	}
	return math.Round(x/q.step) * q.step
}

// ExactPairs is how many pairs tell a count of which all processes of a side agree.
const ExactPairs = 3

// Looks are the numbers of pairs at which a comparison of the quantity is looked at.
// What is counted may be exact: then three processes of a side agree, and that is
// all there is to see.
func (q Quantity) Looks(planned []int) []int {
	if !q.Counts() {
		return planned
	}
	return append([]int{ExactPairs}, planned...)
}

// countedBatches is how many batches a process runs whose operations are counted, and
// countedBatch how long they are: many would only count the same, and in short ones what
// a batch does once would count. The collector comes in few that are short.
const (
	countedBatches = 10
	countedBatch   = 3 * time.Millisecond
	gaugedBatch    = 30 * time.Millisecond
)

// plan is a plan as the quantity needs it.
func (q Quantity) plan(p harness.Plan) harness.Plan {
	if q.Counts() {
		length := countedBatch
		if q.Gauges != nil {
			length = gaugedBatch
		}
		p = p.Longer(length)
		p.Batches = min(p.Batches, countedBatches)
	}
	return p
}

// blind says why what was read tells nothing, "" where it does: the collector's time is
// known at the end of a collection, and a batch that none ended in reads 0.
func (q Quantity) blind(pairs []harness.Pair) string {
	if !slices.Contains(q.Gauges, instrument.GaugeGCTime) || slices.ContainsFunc(pairs, func(p harness.Pair) bool {
		return slices.ContainsFunc(slices.Concat(p.Good.Batches, p.Bad.Batches), func(b harness.Batch) bool { return b.Reported[q.Name] > 0 })
	}) {
		return ""
	}
	return "no collection ended within a batch of either side, and its time is known at its end only: 0 is not that there is no garbage. " +
		"--metric bytes counts it exactly; GOGC=10 in the environment and --env GOGC have it collected oftener"
}

// allocating says whether the two sides of pairs allocate differently.
func allocating(pairs []harness.Pair) bool {
	differ := func(of func(harness.Batch) float64, least float64) bool {
		var good, bad float64
		for _, p := range pairs {
			good += p.Good.By(of).Mean().Whole
			bad += p.Bad.By(of).Mean().Whole
		}
		return math.Abs(bad-good)/float64(max(1, len(pairs))) >= least
	}
	return differ(allocs, 0.1) || differ(bytes, 8)
}

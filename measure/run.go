package measure

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// A run is a kind of process: how it is built, what it is asked for, what is read
// from it. Measurers whose runs have one key share processes.
type run struct {
	key     string
	timing  *Timing // nil: not a measurement of time by batches
	meter   instrument.Meter
	gauges  []instrument.Gauge
	count   *counting // what the code is rewritten for; nil: nothing
	counts  bool      // values are counts: few processes do, and may be exact
	single  bool      // the process runs the operation once
	discard int       // processes that run first and don't count
	anyKind bool      // tests and programs can be measured too
	reports bool      // what the benchmark reports itself is read, too
	read    func(r reading) ([]Value, []string)
}

// A reading is what a process gives, with what was ordered.
type reading struct {
	process harness.Process
	wanted  int      // batches
	units   []int    // of a counting: what each probe counts, see rewritten
	funcs   []string // the same, where each counts the calls of a function
}

// A counting is what code is rewritten for, or the runtime, so that it can be
// counted.
type counting struct {
	matcher Matcher
	class   string // of BoxingCount: one of instrument.BoxClasses, "" for all
	typ     string // of FieldAccess
	field   string
	rewrite func(ctx context.Context, c *counting, code code) (rewritten, error)
	units   []string // of the values, see sums
}

// code is what is rewritten.
type code struct {
	prog  *callgraph.Program
	gocmd string
}

// rewritten is the outcome: files by absolute path, and what each probe counts, as
// an index of the counting's units; -1 is none.
type rewritten struct {
	files map[string][]byte
	unit  []int    // by probe ID
	funcs []string // by probe ID: whose calls it counts; nil where it counts others
	notes []string
	boxes bool // the runtime counts; files are none
}

// refuse notes the reasons why something is not counted.
func (w *rewritten) refuse(refused []instrument.Refusal) {
	for _, r := range refused {
		w.notes = append(w.notes, "not counted: "+r.Text+": "+r.Reason)
	}
}

// order is what a process of the run is asked for.
func (r run) order(n int64, batches, probes int) harness.Order {
	o := harness.Order{N: n, Batches: batches}
	switch {
	case r.timing != nil:
		return r.timing.order(n, batches)
	case r.single:
		o = harness.Order{N: 1, Batches: 1}
	case r.count != nil:
		// A batch of one would be the operation that warms up.
		o = harness.Order{N: min(max(n, 2), countingN), Batches: 1}
	case r.counts:
		o = harness.Order{N: min(max(n, 2), allocationN), Batches: allocationBatches}
	default:
		o.Batches = Warmer{}.batches(batches)
	}
	on := make([]int, probes)
	for id := range on {
		on[id] = id
	}
	o.On = [][]int{on}
	return o
}

// calibrated reports whether the run depends on how long an operation takes.
func (r run) calibrated() bool { return !r.single }

// probes is how many IDs the gauges need.
func (r run) probes() int {
	if slices.ContainsFunc(r.gauges, func(g instrument.Gauge) bool { return g != instrument.CollectBefore }) {
		return instrument.GaugeProbes
	}
	return 0
}

// processes is how many are asked for.
func (r run) processes(asked int) int {
	if r.counts {
		return min(cmp.Or(asked, exactProcesses), exactProcesses)
	}
	return asked
}

// allocationBatches is how many batches of a fixed size a process runs: of a few, the
// median is rid of what the runtime allocates beside.
const (
	allocationBatches = 5
	allocationN       = 100
)

// countingN bounds the iterations that are counted.
const countingN = 10

// iterationsOf is how many a batch of a length has, where one of length 1 has n.
func iterationsOf(n int64, length float64) int64 {
	return max(1, int64(math.Round(float64(n)*length)))
}

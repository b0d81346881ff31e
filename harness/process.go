package harness

import "github.com/pinpoint-go/pinpoint/instrument"

// Process is what one process did.
type Process struct {
	Batches    []Batch // as ordered; of a calibrating process all, whatever their count
	Timed      instrument.Place
	Parallel   instrument.Place
	Benchmarks []string
	Clock      instrument.Clock
	Totals     []instrument.Part // by probe ID, of the whole process; nil where no probe is known
	Unguarded  int64             // activations of recursive functions that were counted twice, see instrument.Board
	Seconds    float64           // from exec to exit
	Usage      Usage
	Executed   Executed
	Command    []string // the binary and its arguments
	Env        []string // the whole environment
}

// Batch is one timed run of N iterations. Tests and main programs have one,
// of N = 1.
type Batch struct {
	Bench         string // its name; "" of tests and programs
	N             int64
	NS            float64           // of the whole batch
	Allocs, Bytes int64             // of the whole batch; benchmarks only
	Metered       float64           // what the probes' clock counted in the whole batch, where that is no time, see instrument.Meter; of a test or program its CPU time
	Mask          int               // which of Order.On was in force
	Parts         []instrument.Part // by probe ID, of the whole batch, not corrected

	Reported map[string]float64 // what the benchmark reports itself, by unit, as it reports it; see instrument.Record
}

// spareRecords is room on the board for what nobody ordered: the single
// iteration before the batches has its own, and a pattern that matches many
// benchmarks must be seen to.
const spareRecords = 256

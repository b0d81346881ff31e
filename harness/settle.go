package harness

import (
	"gonum.org/v1/gonum/stat"
)

// What a steady process looks like (Georges, Buytaert, Eeckhout, OOPSLA 2007): a
// few batches in a row that hardly vary. Processes of one binary that sorts and
// one that decodes JSON all had five within 10 % on a machine in heavy use, and
// half of them ten within 5 %.
const (
	steadyWindow  = 5
	steadyCoV     = 0.1
	steadyBatches = 4 * steadyWindow // of fewer nothing can be said
)

// Settled returns the first batch of the first five in a row whose times per
// operation have a coefficient of variation below 10 %. A process for which ok is
// false never settled: it is a sample all the same, since to leave it out would
// be to select. One with fewer than 20 batches counts as settled.
//
// [Process.Sample] does not wait for that: on a busy machine the fastest batches
// are steadier than those that happen to follow a steady few.
func (p Process) Settled() (from int, ok bool) {
	if len(p.Batches) < steadyBatches {
		return 0, true
	}
	perOp := make([]float64, len(p.Batches))
	for i, b := range p.Batches {
		perOp[i] = b.perOp()
	}
	for i := range len(perOp) - steadyWindow + 1 {
		mean, sd := stat.MeanStdDev(perOp[i:i+steadyWindow], nil)
		if sd < steadyCoV*mean {
			return i, true
		}
	}
	return 0, false
}

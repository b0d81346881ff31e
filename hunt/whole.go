package hunt

import (
	"context"
	"fmt"

	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// compareWhole compares the unprobed pair. What is known of it when it fails is
// in the report all the same.
func (h *hunt) compareWhole(ctx context.Context) error {
	w, err := h.Sampler.Whole(ctx, h.Good.Entrant(), h.Bad.Entrant(), h.Orders)
	if err == nil {
		err = w.HoldMachines(ctx, h.Orders)
	}
	h.whole, h.Sampler = w, w.Sampler
	plan := h.Sampler.Plan
	h.Report.Provenance.Iterations = report.Iterations{Good: plan.GoodN, Bad: plan.BadN, Batches: plan.Batches}
	h.Report.Workload.Name = plan.BadBench
	if err != nil {
		return err
	}
	if note := h.Sampler.Quantity.Note; note != "" {
		h.Log.Warn("%s", note)
	}
	h.recordProcessors()
	h.Report.Whole, h.Report.WholeMean = h.Sampler.Delta(w.Comparison), h.Sampler.Delta(w.Mean)
	h.Report.Work = workOf(w)
	if w.Memory != nil {
		h.Report.PeakMemory = h.Sampler.Delta(*w.Memory)
		h.Report.PeakMemory.Unit = "B"
	}
	if w.Comparison.Verdict == stats.Mixed {
		h.Report.Whole = h.Sampler.Delta(w.Typical)
	}
	h.Report.Whole.Machines = w.Machines()
	for _, k := range w.Kinds {
		if k.Machines.Class == h.Sampler.On {
			h.Report.Provenance.Host = k.Machines.Facts.Lines(h.Set.Go().Version)
		}
	}
	if w.RuledOut > 0 {
		h.Report.Search.MinEffect = w.RuledOut
	}
	return nil
}

// workOf is what the processor counted, for the report.
func workOf(w *compare.Whole) *report.Work {
	if w.Work == nil {
		return nil
	}
	out := &report.Work{Instructions: compare.Interval(w.Work.Instructions), Cycles: compare.Interval(w.Work.Cycles)}
	if w.Regression() {
		out.Says = w.Work.Words()
	}
	return out
}

// recordProcessors puts into the report what the workload had to run on.
func (h *hunt) recordProcessors() {
	line := "gomaxprocs: as many as there are processors"
	n, plan := h.Sampler.Workload.CPUs, h.Sampler.Plan
	if (n == 1 || h.Options.Duet) && (plan.Good.Shared || plan.Bad.Shared) {
		h.Log.Warn("the benchmark runs in parallel, but has one processor: what waits for others there is not seen")
	}
	switch {
	case h.Options.Duet:
		line = "gomaxprocs: 1, the processes of a pair at the same time on two processors"
	case n == 1:
		line = "gomaxprocs: 1, both processes of a pair on one processor"
	case n > 1:
		line = fmt.Sprintf("gomaxprocs: %d", n)
	}
	h.Report.Provenance.Host = append(h.Report.Provenance.Host, line)
}

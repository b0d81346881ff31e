package hunt

import (
	"context"
	"fmt"

	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// compareWhole compares the unprobed pair. What is known of it when it fails is
// in the report all the same.
func (h *hunt) compareWhole(ctx context.Context) error {
	w, err := h.sampler.Whole(ctx, h.Good.Entrant(), h.Bad.Entrant(), h.orders)
	h.whole, h.sampler, h.opts.Workload = w, w.Sampler, w.Sampler.Workload
	plan := h.sampler.Plan
	h.report.Provenance.Iterations = report.Iterations{Good: plan.GoodN, Bad: plan.BadN, Batches: plan.Batches}
	h.report.Workload.Name = plan.BadBench
	if err != nil {
		return err
	}
	h.recordProcessors()
	h.report.Whole, h.report.WholeMean = h.sampler.Delta(w.Comparison), h.sampler.Delta(w.Mean)
	if w.Comparison.Verdict == stats.Mixed {
		h.report.Whole = h.sampler.Delta(w.Typical)
	}
	if w.RuledOut > 0 {
		h.report.Search.MinEffect = w.RuledOut
	}
	return nil
}

// recordProcessors puts into the report what the workload had to run on.
func (h *hunt) recordProcessors() {
	line := "gomaxprocs: as many as there are processors"
	n, plan := h.opts.Workload.CPUs, h.sampler.Plan
	if (n == 1 || h.opts.Duet) && (plan.Good.Shared || plan.Bad.Shared) {
		h.log.Warn("the benchmark runs in parallel, but has one processor: what waits for others there is not seen")
	}
	switch {
	case h.opts.Duet:
		line = "gomaxprocs: 1, the processes of a pair at the same time on two processors"
	case n == 1:
		line = "gomaxprocs: 1, both processes of a pair on one processor"
	case n > 1:
		line = fmt.Sprintf("gomaxprocs: %d", n)
	}
	h.report.Provenance.Host = append(h.report.Provenance.Host, line)
}

package hunt

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A benchmark that allocates varies less on one processor, where the collector does
// not come beside it from another; what waits for other goroutines is only seen on
// several. So the whole is compared on all of them, and where that leaves it open, on
// one. The hunt goes on where it was decided.

// hasOtherWay says whether a workload can be compared on one processor too.
func (h *hunt) hasOtherWay(processors int) bool {
	w := h.opts.Workload
	shared := h.plan.Good.Shared || h.plan.Bad.Shared
	return w.Kind == harness.Bench && w.CPUs == 0 && processors > 1 && !h.opts.Duet && !shared && h.metric.name == "time" && !h.unmatched
}

// compareOnOne compares an undecided whole on one processor. A difference that is
// seen there is what the hunt then looks for, and there; that none is seen says
// nothing about several processors.
func (h *hunt) compareOnOne(ctx context.Context) error {
	if h.whole.Verdict != stats.Unknown || !h.hasOtherWay(runtime.GOMAXPROCS(0)) {
		return nil
	}
	c := h.unprobedPair()
	c.Workload.CPUs = 1
	looks := h.metric.looks(searching)
	alpha := h.ledger.Open(stats.Whole, len(looks), 1)
	compare := func(pairs []harness.Pair) stats.Comparison {
		good, bad := h.wholes(pairs)
		return h.rule(alpha, good).Compare(good, bad)
	}
	var one stats.Comparison
	const what = "comparing the whole on one processor"
	pairs, err := h.sample(ctx, what, c, nil, looks, func(pairs []harness.Pair) bool {
		one = compare(pairs)
		if len(c.Aside) > 0 {
			doubtDisturbed(&one, compare(append(pairs[:len(pairs):len(pairs)], c.Aside...)))
		}
		return one.Verdict != stats.Unknown
	})
	h.recordWhole("whole, on one processor", pairs)
	switch {
	case errors.Is(err, errBudget):
		return nil
	case err != nil:
		return err
	case one.Verdict == stats.Slower || one.Verdict == stats.Faster:
		h.whole = one
		h.opts.Workload.CPUs = 1
		h.warn("on all processors the whole was not decided, on one it is: the hunt goes on there, as with --cpu 1")
	case one.Verdict == stats.Same:
		h.warn("on one processor there is no difference above %.3g %%; on all of them it was not decided", 100*h.opts.MinEffect)
	}
	return nil
}

// recordProcessors puts into the report what the workload had to run on.
func (h *hunt) recordProcessors() {
	line := "gomaxprocs: as many as there are processors"
	n := h.opts.Workload.CPUs
	if (n == 1 || h.opts.Duet) && (h.plan.Good.Shared || h.plan.Bad.Shared) {
		h.warn("the benchmark runs in parallel, but has one processor: what waits for others there is not seen")
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

package hunt

import (
	"fmt"
	"time"

	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// summary is the report of a hunt that is over: what was compared, if that was done, what
// was found, the verdict, and what it cost.
func (h *hunt) summary(compared bool, found findings) *report.Report {
	r := h.Report
	r.Idle, r.NotSlower = h.idle, h.idle != "" || h.whole.NotSlower()
	r.Verdict = verdicts[h.whole.Comparison.Verdict]
	if r.NotSlower {
		r.Verdict = report.NoRegression
	}
	plan := h.Sampler.Plan
	r.Provenance.Iterations, r.Workload.Name = report.Iterations{Good: plan.GoodN, Bad: plan.BadN, Batches: plan.Batches}, plan.BadBench
	if compared {
		h.tellWhole(r)
	}
	r.Culprits, r.Undecided, r.ProbeEffect = found.culprits, found.undecided, found.effect
	r.Search.Comparisons, r.Search.Named = found.comparisons, h.announced.after.Seconds()
	if r.Error = found.failed; found.inspected != "" {
		r.Workload.Func, r.Search.Finder = found.inspected, h.Options.Finder
	}
	if found.comparisons > 0 || len(found.culprits) > 0 {
		left := found.unexplained()
		r.Unexplained = &left
	}
	r.Tried = h.tried()
	if p := h.prober; p != nil {
		r.Search.Layers, r.Search.Comparisons, r.Provenance.Refused = p.Opened, r.Search.Comparisons+p.Compared, p.Refused
	}
	r.Search.Seconds = time.Since(h.Start).Seconds()
	h.RecordPhases()
	h.RecordLog()
	return r
}

// verdicts are what a comparison of the whole says to a user.
var verdicts = map[stats.Verdict]report.Verdict{
	stats.Same:    report.NoRegression,
	stats.Faster:  report.Improvement,
	stats.Slower:  report.Regression,
	stats.Mixed:   report.Mixed,
	stats.Unknown: report.Inconclusive,
}

// tellWhole puts into a report how the whole compares.
func (h *hunt) tellWhole(r *report.Report) {
	w := h.whole
	r.Whole, r.WholeMean, r.Work = h.Sampler.Delta(w.Comparison), h.Sampler.Delta(w.Mean), workOf(w)
	if w.Memory != nil {
		r.PeakMemory = h.Sampler.Delta(*w.Memory)
		r.PeakMemory.Unit = "B"
	}
	if w.Comparison.Verdict == stats.Mixed {
		r.Whole = h.Sampler.Delta(w.Typical)
	}
	r.Whole.Machines = w.Machines()
	for _, k := range w.Kinds {
		if k.Machines.Class == h.Sampler.On {
			r.Provenance.Host = k.Machines.Facts.Lines(h.Set.Go().Version)
		}
	}
	r.Provenance.Host = append(r.Provenance.Host, h.processors())
	if w.RuledOut > 0 {
		r.Search.MinEffect = w.RuledOut
	}
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

// processors says what the workload had to run on.
func (h *hunt) processors() string {
	switch n := h.Sampler.Workload.CPUs; {
	case h.Options.Duet:
		return "gomaxprocs: 1, the processes of a pair at the same time on two processors"
	case n == 1:
		return "gomaxprocs: 1, both processes of a pair on one processor"
	case n > 1:
		return fmt.Sprintf("gomaxprocs: %d", n)
	}
	return "gomaxprocs: as many as there are processors"
}

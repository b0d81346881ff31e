package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/trace"
)

// side is one revision as the hunt knows it.
type side struct {
	*revision.Revision
	prog     *callgraph.Program
	layout   uint64 // of a link; 0: as the linker has it
	unprobed harness.Binary
	timed    *callgraph.Function // what the benchmark times; found when it has run
}

// spec is what is opened of both revisions.
func (o *Options) spec(q instrument.Meter) revision.Spec {
	return revision.Spec{
		Dir: o.Dir, Package: o.Package, Workload: o.Workload, Driver: o.Driver,
		Tags: o.Tags, Meter: q, CacheDir: o.CacheDir,
	}
}

// open opens both revisions, if the caller has not, and tells what they are.
func (h *hunt) open(ctx context.Context) (err error) {
	h.log.Trace = trace.From(ctx)
	h.set = h.opts.Opened
	if h.set == nil {
		h.log.Phase("taking private copies of both revisions")
		names := change.Pair[string]{Good: h.opts.Good, Bad: h.opts.Bad}
		if h.set, err = revision.OpenPair(ctx, h.opts.spec(h.sampler.Quantity.Meter), names); err != nil {
			return err
		}
	}
	p := h.set.Pair()
	h.good, h.bad = &side{Revision: p.Good}, &side{Revision: p.Bad}
	h.report.Good = report.Revision{Rev: h.opts.Good, Commit: p.Good.Commit}
	h.report.Bad = report.Revision{Rev: h.opts.Bad, Commit: p.Bad.Commit}
	h.report.Workload.Carried, h.report.Workload.CarriedFiles = h.set.Carried()
	return nil
}

// prepare builds both sides unprobed and loads their code.
func (h *hunt) prepare(ctx context.Context) error {
	h.log.Phase("building and loading both revisions")
	bins, err := h.set.Prepare(ctx)
	if err != nil {
		return err
	}
	h.good.unprobed, h.bad.unprobed = bins.Good, bins.Bad
	if err := h.load(ctx); err != nil {
		return err
	}
	h.report.Workload.Package, _ = h.bad.prog.Package()
	h.recordHost()
	return nil
}

func (h *hunt) load(ctx context.Context) error {
	progs, err := h.set.LoadPair(ctx)
	h.good.prog, h.bad.prog = progs.Good, progs.Bad
	return err
}

// build makes one binary of the side with files laid over the tree.
func (h *hunt) build(ctx context.Context, s *side, files map[string][]byte, probes int) (harness.Binary, error) {
	return s.Build(ctx, revision.Build{Files: files, Probes: probes, Layout: s.layout})
}

package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/trace"
)

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
	h.Good, h.Bad = &sides.Side{Revision: p.Good}, &sides.Side{Revision: p.Bad, Which: change.Bad}
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
	h.Good.Unprobed, h.Bad.Unprobed = bins.Good, bins.Bad
	if err := h.load(ctx); err != nil {
		return err
	}
	h.report.Workload.Package, _ = h.Bad.Prog.Package()
	h.recordHost()
	return nil
}

func (h *hunt) load(ctx context.Context) error {
	progs, err := h.set.LoadPair(ctx)
	h.Good.Prog, h.Bad.Prog = progs.Good, progs.Bad
	return err
}

package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
)

// search looks for what made bad slower, once the whole is known to be.
func (h *hunt) search(ctx context.Context) error {
	inspected, err := h.inspect()
	if err != nil {
		return err
	}
	h.Report.Workload.Func = inspected.Bad.Name
	h.Report.Search.Finder = h.Options.Finder
	narrow := finder.Sweep
	switch h.Options.Finder {
	case "binary":
		narrow = finder.Binary
	case "linear":
		narrow = finder.Linear
	case "revert":
		answered, err := h.direct(ctx)
		if err == nil && !answered {
			h.Log.Warn("no function that differs brought most of the difference back when good's code was put in its place")
		}
		return err
	case "auto":
		// Nothing was said of the way.
		if !h.Options.Guided() {
			answered, err := h.direct(ctx)
			switch {
			case err != nil && (answered || compare.Ends(ctx, err)):
				return err
			case err != nil:
				h.Log.Warn("going to what differs failed, so the layers were gone through: %s", harness.FirstLine(err))
			case answered:
				return h.holdProbes(ctx)
			}
		}
	}
	if q := h.Sampler.Quantity; q.Reported {
		h.Log.Warn("what differs was put back, and layers were not opened: what a benchmark reports in %s, its parts have no share in", q.Name)
		return nil
	}
	if h.Good.Serves && h.Options.Func == "" {
		h.Log.Warn("what differs was put back, and layers were not opened: they begin at what sends the requests, and not in the server; name a function of it with --func")
		return nil
	}
	if err := h.throughLayers(ctx, inspected, narrow); err != nil {
		return err
	}
	return h.holdProbes(ctx)
}

// throughLayers opens layers from the inspected function down, and puts good's code back
// for what that accuses.
func (h *hunt) throughLayers(ctx context.Context, inspected change.Functions, narrow finder.Narrow) error {
	aroundBody := h.bodyProbed(inspected.Bad)
	root, err := h.prober.Open(ctx, inspected, aroundBody)
	if err != nil {
		return err
	}
	search := h.prober.Search(narrow, h.Options.Depth)
	if !aroundBody {
		search.Known = h.whole.Comparison // the timed body is the whole operation
	}
	result, err := search.Run(ctx, root)
	if err != nil {
		return err
	}
	h.assemble(ctx, result)
	if result.Err != nil {
		return result.Err
	}
	return h.confirm(ctx)
}

// holdProbes says what probing did to the difference. Beside what probes have made of the
// whole, the numbers of a culprit that was proved without any would mislead.
func (h *hunt) holdProbes(ctx context.Context) error {
	effect, err := h.prober.Effect(ctx)
	h.Report.ProbeEffect = effect
	if effect != nil && effect.Finding != "" {
		for i := range h.Report.Culprits {
			withoutProbed(&h.Report.Culprits[i])
		}
	}
	return err
}

// withoutProbed takes the numbers of probes out of the chain of a culprit that was proved
// without any: beside what they have made of the whole, they would mislead.
func withoutProbed(c *report.Culprit) {
	last := len(c.Chain) - 1
	if c.Reverted == nil || last < 0 {
		return
	}
	for i := range c.Chain {
		c.Chain[i].Delta, c.Chain[i].Share = nil, 0
	}
	if c.Kind == report.AddedCall || c.Kind == report.RemovedCall {
		return // which is so whatever it takes
	}
	c.Chain[last], c.Kind, c.Call = ownStep(c), report.OwnCode, ""
}

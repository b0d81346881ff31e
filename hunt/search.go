package hunt

import (
	"context"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
)

// search looks for what made bad slower, once the whole is known to be. What was found is
// given beside an error.
func (h *hunt) search(ctx context.Context) (found findings, err error) {
	inspected, err := h.inspect()
	if err != nil {
		return found, err
	}
	found.inspected = inspected.Bad.Name
	narrow := finder.Sweep
	switch h.Options.Finder {
	case "binary":
		narrow = finder.Binary
	case "linear":
		narrow = finder.Linear
	case "revert":
		direct, err := h.direct(ctx)
		found = found.and(direct)
		if err == nil && len(found.culprits) == 0 {
			h.Log.Warn("no function that differs brought most of the difference back when good's code was put in its place")
		}
		return found, err
	case "auto":
		// Nothing was said of the way.
		if !h.Options.Guided() {
			direct, err := h.direct(ctx)
			found = found.and(direct)
			answered := len(found.culprits) > 0
			switch {
			case err != nil && (answered || compare.Ends(ctx, err)):
				return found, err
			case err != nil:
				h.Log.Warn("going to what differs failed, so the layers were gone through: %s", harness.FirstLine(err))
			case answered:
				return h.holdProbes(ctx, found)
			}
		}
	}
	if q := h.Sampler.Quantity; q.Reported {
		h.Log.Warn("what differs was put back, and layers were not opened: what a benchmark reports in %s, its parts have no share in", q.Name)
		return found, nil
	}
	if h.Good.Serves && h.Options.Func == "" {
		h.Log.Warn("what differs was put back, and layers were not opened: they begin at what sends the requests, and not in the server; name a function of it with --func")
		return found, nil
	}
	deeper, err := h.throughLayers(ctx, inspected, narrow)
	if found = found.and(deeper); err != nil {
		return found, err
	}
	return h.holdProbes(ctx, found)
}

// throughLayers opens layers from the inspected function down, and puts good's code back
// for what that accuses.
func (h *hunt) throughLayers(ctx context.Context, inspected change.Functions, narrow finder.Narrow) (findings, error) {
	aroundBody := h.bodyProbed(inspected.Bad)
	root, err := h.prober.Open(ctx, inspected, aroundBody)
	if err != nil {
		return findings{}, err
	}
	search := h.prober.Search(narrow, h.Options.Depth)
	if !aroundBody {
		search.Known = h.whole.Comparison // the timed body is the whole operation
	}
	result, err := search.Run(ctx, root)
	if err != nil {
		return findings{}, err
	}
	found := h.assemble(ctx, result)
	if result.Err != nil {
		return found.suspected(), result.Err
	}
	found, err = h.confirm(ctx, found)
	found, impossible := found.withoutImpossible(h.Sampler.Delta(h.whole.Comparison).Diff)
	if len(impossible) > 0 {
		h.Log.Warn("nothing is said of %s: probes there show more than twice the whole difference, which is what they cost themselves", strings.Join(impossible, " and "))
	}
	return found, err
}

// holdProbes says what probing did to the difference. Beside what probes have made of the
// whole, the numbers of a culprit that was proved without any would mislead.
func (h *hunt) holdProbes(ctx context.Context, found findings) (findings, error) {
	effect, err := h.prober.Effect(ctx)
	found.effect = effect
	if effect != nil && effect.Finding != "" {
		for i := range found.culprits {
			withoutProbed(&found.culprits[i])
		}
	}
	return found, err
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
	c.Chain[last], c.Kind, c.Call, c.Elsewhere = ownStep(c), report.OwnCode, "", false
}

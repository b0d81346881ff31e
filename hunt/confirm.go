package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// confirm puts good's code back for what a search through layers accuses. Probes show
// where a cost is paid, not always where it is caused: confirmed is who was put back
// and the difference was gone. The others are suspected, by probes; code that is the same
// in both revisions always is, unless all that differs was put back and changed nothing.
func (h *hunt) confirm(ctx context.Context, found findings) (findings, error) {
	if len(found.culprits) == 0 {
		return found, nil
	}
	if err := h.openLab(ctx); err != nil {
		return found, err
	}
	var kept []report.Culprit
	var ended error
	for _, c := range found.culprits {
		keep, err := h.confirmOne(ctx, &c)
		if ended == nil {
			ended = err
		}
		if keep {
			h.nameAdded(ctx, &c)
			kept = append(kept, c)
		}
	}
	found.culprits = kept
	return found.onlyProved(), ended
}

// nameAdded names what a culprit was changed to ask for, if only bad has that.
func (h *hunt) nameAdded(ctx context.Context, c *report.Culprit) {
	bad := h.Bad.LookUp(c.Function)
	if bad == nil || c.Kind != report.AddedCall {
		return
	}
	good, _ := h.change().InGood(bad)
	h.nameCalled(ctx, c, change.Functions{Good: good, Bad: bad})
}

// confirmOne says whether a culprit is one, or still suspected.
func (h *hunt) confirmOne(ctx context.Context, c *report.Culprit) (keep bool, err error) {
	probed := c.Confirmed
	c.Confirmed, c.How = false, report.ByProbes
	bad := h.Bad.LookUp(c.Function)
	if bad == nil {
		return true, nil
	}
	i := h.lab.Element(bad)
	if i < 0 {
		c.Confirmed = probed && (len(h.lab.Elements) == 0 || h.notSource)
		return true, nil
	}
	comp, says, err := h.lab.Confirm(ctx, i, c.Share)
	switch {
	case prove.IsCannot(err):
		return true, nil
	case err != nil:
		return true, err
	case says == finder.Refutes:
		h.Log.Warn("%s takes longer, but bad is as slow with good's code for it: the cost is only paid there", c.Function)
		return false, nil
	}
	h.testify(c, comp, finder.Finding{Blame: finder.Alone, Sets: [][]int{{i}}, Share: comp.Trial.Share}, i)
	if says == finder.Confirms || says == finder.ConfirmsPart && len(comp.Set) == 1 {
		// Measured without any probe, this is the better figure.
		c.Confirmed, c.How, c.Share = true, report.ByPutBack, comp.Trial.Share.Mean
	}
	return true, nil
}

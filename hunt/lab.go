package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
)

// openLab finds what differs and may be put back, once.
func (h *hunt) openLab(ctx context.Context) error {
	if h.lab != nil {
		return nil
	}
	h.Log.Phase("finding what differs")
	if _, err := h.openChanged(ctx); err != nil {
		return err
	}
	reach := prove.Reach{Timed: h.ReachedWhileTimed(), All: h.Reached(), Data: h.UsedData()}
	h.lab = prove.New(prove.Lab{
		Whole: h.whole, Orders: h.Orders, Composer: prove.In(h.change(), h.Bad.Revision, h.Temp.Path),
		Elements: append(prove.Elements(h.change(), reach, h.change().Modules()), prove.Settings(h.Set)...),
	})
	h.lab.Refine()
	return nil
}

// weigh orders what differs by what profiles of both sides see it gain, where there is
// something to choose between.
func (h *hunt) weigh(ctx context.Context) error {
	list := h.lab.Elements
	if len(list) < 2 || !h.whole.Sampler.Quantity.IsTime() {
		return nil
	}
	if _, err := h.recorder.Both(ctx); err != nil {
		return err
	}
	gained := h.gained(len(list), change.Pair[func(int, *callgraph.Function) bool]{
		Good: func(i int, fn *callgraph.Function) bool { return list[i].HasGood(fn) },
		Bad:  func(i int, fn *callgraph.Function) bool { return list[i].Has(fn) },
	})
	for i := range list {
		list[i].Gained = gained[i]
	}
	return nil
}

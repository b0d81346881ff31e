package finder

import (
	"context"
	"fmt"
	"slices"
)

// dig goes below a single guilty call and, when there is nothing to be found,
// answers with the call itself.
func (h *hunt) dig(ctx context.Context, l *level, p Part) {
	switch {
	case p.Own:
		h.answer(ctx, l, p, StopOwnCode)
		return
	case h.Err != nil:
		h.answer(ctx, l, p, StopFailed)
		return
	case p.Region.Len() > 1:
		h.answer(ctx, l, p, h.stopOf(l))
		return
	}
	below, stop, err := h.below(ctx, l, p)
	if err != nil {
		h.fail(err)
		stop = StopFailed
	}
	if below == nil {
		h.trace(Event{Kind: Stopped, Part: p, Stop: stop})
		if stop != StopShared {
			h.answer(ctx, l, p, stop)
		}
		return
	}
	h.trace(Event{Kind: Dug, Layer: below.Layer, Part: p})
	if len(below.Calls) == 0 {
		h.leaf(ctx, below, p)
		return
	}
	first, err := h.measure(ctx, h.Measure, below.Layer, below.all(), h.split(below.all()))
	if err != nil {
		h.fail(err)
		h.answer(ctx, l, p, StopFailed)
		return
	}
	if !h.inspect(ctx, below, first) {
		stop := h.stopOf(below)
		h.trace(Event{Kind: Stopped, Part: p, Stop: stop})
		h.answer(ctx, l, p, stop)
	}
}

// below returns the layer under a call, or why it is not inspected.
func (h *hunt) below(ctx context.Context, l *level, p Part) (*level, Stop, error) {
	if h.Depth > 0 && len(l.chain)+1 >= h.Depth || h.Dig == nil {
		return nil, StopDepth, nil
	}
	if l.Calls[p.Region.From].Side != Both {
		return nil, StopOneSided, nil
	}
	layer, stop, err := h.Dig(ctx, l.Layer, p.Region.From)
	if err != nil {
		return nil, StopFailed, fmt.Errorf("digging %s of %s: %w", l.Calls[p.Region.From].Name, l.Name, err)
	}
	if layer == nil {
		return nil, stop, nil
	}
	if _, ok := h.inspected[layer.Name]; ok {
		if !l.within(layer.Name) && h.credit(layer.Name, p) {
			return nil, StopShared, nil
		}
		return nil, StopInspected, nil
	}
	h.inspected[layer.Name] = p.Share
	return &level{
		Layer: *layer,
		chain: append(slices.Clone(l.chain), p),
		share: p.Share,
		diff:  p.Delta.Diff.Mean,
	}, StopNone, nil
}

// within reports whether a function is being inspected in l or above it.
func (l *level) within(name string) bool {
	return l.Name == name || slices.ContainsFunc(l.chain, func(p Part) bool { return p.Layer.Name == name })
}

// credit gives the share of another guilty call to what was found below the
// same function before, and reports whether anything was. A function is
// measured over all its calls, so that the second call would find the same.
func (h *hunt) credit(name string, p Part) bool {
	had := h.inspected[name]
	credited := false
	for i, c := range h.Culprits {
		below := slices.IndexFunc(c.Chain, func(step Part) bool { return step.Layer.Name == name })
		if below < 0 {
			continue
		}
		for k := range c.Chain[below:] {
			c.Chain[below+k].Share *= (had + p.Share) / had
		}
		h.Culprits[i].Also = append(c.Also, p)
		credited = true
	}
	if credited {
		h.inspected[name] = had + p.Share
	}
	return credited
}

// leaf answers with a function that calls nothing: all that the call above it
// was measured to spend is own code, and needs no second measurement to say so.
func (h *hunt) leaf(ctx context.Context, l *level, above Part) {
	h.Layers++
	h.answer(ctx, l, Part{Layer: l.Layer, Own: true, Delta: above.Delta, Share: above.Share}, StopOwnCode)
}

func (h *hunt) stopOf(l *level) Stop {
	switch {
	case h.Err != nil:
		return StopFailed
	case len(l.Calls) == 0:
		return StopOwnCode
	case l.conflict:
		return StopConflict
	default:
		return StopNoPart
	}
}

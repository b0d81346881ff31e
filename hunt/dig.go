package hunt

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
)

// stopBudget ends the way down where there is no time for the next layer.
const stopBudget finder.Stop = "no time to go deeper"

// dig opens the layer below a guilty part, or says why the search ends there.
func (h *hunt) dig(ctx context.Context, l finder.Layer, call int) (*finder.Layer, finder.Stop, error) {
	f := h.frames[l.Name]
	p := f.parts[call]
	if stop, err := h.openBelow(ctx, h.good, h.bad, p); stop != finder.StopNone || err != nil {
		return nil, stop, err
	}
	pairs := h.callees(p)
	if len(pairs) == 0 {
		return nil, finder.StopNoSource, nil
	}
	// A function that is active all along the chain would be counted for that,
	// not for being reached from here.
	pairs = slices.DeleteFunc(pairs, func(q part) bool { return f.descendsFrom(q) })
	if len(pairs) == 0 {
		return nil, finder.StopInspected, nil
	}
	if h.sameBelow(slices.Concat(pairs, h.handedOver(p))) {
		return nil, finder.StopSameCode, nil
	}
	for _, q := range pairs {
		if h.opts.Exclude != nil && h.opts.Exclude(q.function().Name) {
			return nil, finder.StopExcluded, nil
		}
	}
	var next *frame
	var err error
	if len(pairs) == 1 {
		next, err = h.newFrame(f, call, pairs[0].goodFunc, pairs[0].badFunc)
	} else {
		next = h.dispatchFrame(f, call, pairs)
	}
	if err != nil { // one revision has it in assembly, or not at all
		return nil, finder.StopNoSource, nil
	}
	next.gates = h.gatesOf(next)
	if known := h.frames[h.key(next)]; known != nil {
		layer := h.layer(known) // the finder knows what it found there
		return &layer, finder.StopNone, nil
	}
	if len(next.parts) > 0 && !h.budget.AffordsLayer(h.whole.Orders) {
		h.log.Warn("the budget of %v has no time to go into %s and to prove what is found there", h.opts.Budget, next.name)
		h.log.GoOn(2 * h.opts.Budget)
		return nil, stopBudget, nil
	}
	h.frames[h.key(next)] = next
	if len(next.parts) > 0 {
		if err := h.buildFrame(ctx, next); err != nil {
			return nil, finder.StopFailed, err
		}
	}
	layer := h.layer(next)
	return &layer, finder.StopNone, nil
}

// descendsFrom says whether the chain to f goes through the function of q.
func (f *frame) descendsFrom(q part) bool {
	for ; f != nil; f = f.parent {
		if !f.dispatch() && (f.good == q.goodFunc || f.bad == q.badFunc) {
			return true
		}
	}
	return false
}

// dispatchFrame lists the candidates of a call that may reach several functions.
func (h *hunt) dispatchFrame(parent *frame, via int, pairs []part) *frame {
	return &frame{
		name:   parent.name + " → " + parent.parts[via].text(),
		parent: parent,
		via:    via,
		parts:  pairs,
	}
}

// callees pairs up the functions with source that a part leads to in good and in
// bad, by name, and, where one is left over on each side, those two: what was
// renamed still stands at the same place.
func (h *hunt) callees(p part) []part {
	if p.goodFunc != nil || p.badFunc != nil {
		if p.goodFunc == nil || p.badFunc == nil {
			return nil
		}
		return []part{h.unwrap(part{goodFunc: p.goodFunc, badFunc: p.badFunc})}
	}
	if p.goodCall == nil || p.badCall == nil {
		return nil
	}
	return h.pairUp(targets(p.goodCall), targets(p.badCall))
}

// handedOver pairs up the functions that a call hands over: what it reaches may run
// them by way of code that is not loaded.
func (h *hunt) handedOver(p part) []part {
	if p.goodCall == nil || p.badCall == nil {
		return nil
	}
	return h.pairUp(p.goodCall.Literals, p.badCall.Literals)
}

// targets are the functions with source that a call may run: its callees or,
// where these have none, the functions handed to it.
func targets(c *callgraph.Call) []*callgraph.Function {
	for _, fns := range [][]*callgraph.Function{c.Callees, c.Literals} {
		var list []*callgraph.Function
		for _, fn := range fns {
			if fn.HasBody() {
				list = append(list, fn)
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

func (h *hunt) pairUp(good, bad []*callgraph.Function) (list []part) {
	for _, p := range h.change().Matched(good, bad) {
		list = append(list, part{goodFunc: p.Good, badFunc: p.Bad})
	}
	return list
}

// unwrap looks through a wrapper that one side has put around the function.
func (h *hunt) unwrap(p part) part {
	code := h.change().Unwrap(change.Functions{Good: p.goodFunc, Bad: p.badFunc})
	return part{goodFunc: code.Good, badFunc: code.Bad}
}

// sameBelow says whether everything that the functions reach is the same code in
// both revisions. Digging on would then blame code for being asked more.
func (h *hunt) sameBelow(pairs []part) bool {
	var list []change.Functions
	for _, p := range pairs {
		list = append(list, change.Functions{Good: p.goodFunc, Bad: p.badFunc})
	}
	return h.change().SameBelow(list)
}

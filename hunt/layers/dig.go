package layers

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/finder"
)

// stopBudget ends the way down where there is no time for the next layer.
const stopBudget finder.Stop = "no time to go deeper"

// dig opens the layer below a guilty part, or says why the search ends there.
func (pr *Prober) dig(ctx context.Context, l finder.Layer, call int) (*finder.Layer, finder.Stop, error) {
	f := pr.layers[l.Name]
	p := f.Parts[call]
	if stop, err := pr.openBelow(ctx, p); stop != finder.StopNone || err != nil {
		return nil, stop, err
	}
	pairs := pr.Callees(p)
	if len(pairs) == 0 {
		return nil, finder.StopNoSource, nil
	}
	// A function that is active all along the chain would be counted for that,
	// not for being reached from here.
	pairs = slices.DeleteFunc(pairs, func(q Part) bool { return f.DescendsFrom(q) })
	if len(pairs) == 0 {
		return nil, finder.StopInspected, nil
	}
	if pr.SameBelow(slices.Concat(pairs, pr.handedOver(p))) {
		return nil, finder.StopSameCode, nil
	}
	for _, q := range pairs {
		if pr.Exclude != nil && pr.Exclude(q.Function().Name) {
			return nil, finder.StopExcluded, nil
		}
	}
	var next *Layer
	var err error
	if len(pairs) == 1 {
		next, err = pr.Align(f, call, pairs[0].Func)
	} else {
		next = pr.dispatchLayer(f, call, pairs)
	}
	if err != nil { // one revision has it in assembly, or not at all
		return nil, finder.StopNoSource, nil
	}
	next.gates = pr.gatesOf(next)
	if known := pr.layers[pr.key(next)]; known != nil {
		layer := pr.layer(known) // the finder knows what it found there
		return &layer, finder.StopNone, nil
	}
	if len(next.Parts) > 0 && !pr.Sampler.Budget.AffordsLayer(pr.Whole.Orders) {
		pr.Sampler.Log.Warn("the budget of %v has no time to go into %s and to prove what is found there", pr.Sampler.Budget.Limit, next.Name)
		pr.Sampler.Log.GoOn(2 * pr.Sampler.Budget.Limit)
		return nil, stopBudget, nil
	}
	pr.layers[pr.key(next)] = next
	if len(next.Parts) > 0 {
		if err := pr.build(ctx, next); err != nil {
			return nil, finder.StopFailed, err
		}
	}
	layer := pr.layer(next)
	return &layer, finder.StopNone, nil
}

// DescendsFrom says whether the chain to f goes through the function of q.
func (f *Layer) DescendsFrom(q Part) bool {
	for ; f != nil; f = f.Parent {
		if !f.Dispatch() && (f.Code.Good == q.Func.Good || f.Code.Bad == q.Func.Bad) {
			return true
		}
	}
	return false
}

// Below is the layer that was opened for a part of another; nil if none was.
func (pr *Prober) Below(f *Layer, id int) *Layer {
	for _, g := range pr.layers {
		if g.Parent == f && g.Via == id {
			return g
		}
	}
	return nil
}

// ComesRound reports whether a part of a layer leads back to a function that the
// chain to the layer goes through. Its time is then all that the cycle takes, and
// says nothing about that function.
func (pr *Prober) ComesRound(f *Layer, p Part) bool {
	return slices.ContainsFunc(pr.Callees(p), f.DescendsFrom)
}

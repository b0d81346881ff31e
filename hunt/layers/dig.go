package layers

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

// dispatchLayer lists the candidates of a call that may reach several functions.
func (pr *Prober) dispatchLayer(parent *Layer, via int, pairs []Part) *Layer {
	return &Layer{
		Name:   parent.Name + " → " + parent.Parts[via].Text(),
		Parent: parent,
		Via:    via,
		Parts:  pairs,
	}
}

// Callees pairs up the functions with source that a part leads to in good and in
// bad, by name, and, where one is left over on each side, those two: what was
// renamed still stands at the same place.
func (pr *Prober) Callees(p Part) []Part {
	if p.Func.Good != nil || p.Func.Bad != nil {
		if p.Func.Good == nil || p.Func.Bad == nil {
			return nil
		}
		return []Part{Part{Func: pr.Change.Unwrap(p.Func)}}
	}
	if p.Calls.Good == nil || p.Calls.Bad == nil {
		return nil
	}
	return pr.pairUp(targets(p.Calls.Good), targets(p.Calls.Bad))
}

// handedOver pairs up the functions that a call hands over: what it reaches may run
// them by way of code that is not loaded.
func (pr *Prober) handedOver(p Part) []Part {
	if p.Calls.Good == nil || p.Calls.Bad == nil {
		return nil
	}
	return pr.pairUp(p.Calls.Good.Literals, p.Calls.Bad.Literals)
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

func (pr *Prober) pairUp(good, bad []*callgraph.Function) (list []Part) {
	for _, p := range pr.Change.Matched(good, bad) {
		list = append(list, Part{Func: p})
	}
	return list
}

// SameBelow says whether everything that the functions reach is the same code in
// both revisions. Digging on would then blame code for being asked more.
func (pr *Prober) SameBelow(pairs []Part) bool {
	var list []change.Functions
	for _, p := range pairs {
		list = append(list, p.Func)
	}
	return pr.Change.SameBelow(list)
}

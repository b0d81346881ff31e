package layers

import (
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

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

package layers

import (
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
)

// What is measured is measured on its path: a function that is also called from
// elsewhere counts only for the calls that come through the chain. The calls of
// the chain that have to be watched for that are its gates. Their probes are on
// with those of the function, which count while all of them are open on the same
// goroutine.

// gatesOf are the gates of what a frame has, innermost first. A call that hands its
// work to another goroutine is none, and what lies above can't be seen from there.
func (pr *Prober) gatesOf(f *Layer) []Part {
	var gates []Part
	for f.Parent != nil {
		pairs := []Part{{Func: f.Code}}
		if f.Dispatch() {
			pairs = f.Parts
		} else if f.Parent.Dispatch() {
			f = f.Parent // the call that leads to the candidate
		}
		via := f.Parent.Parts[f.Via]
		if !enters(via, pairs) {
			break
		}
		if !pr.onlyWay(via, pairs) {
			gates = append(gates, via)
		}
		f = f.Parent
	}
	return gates
}

// enters says whether a call runs functions on its own goroutine.
func enters(p Part, to []Part) bool {
	if p.Calls.Good == nil || p.Calls.Bad == nil {
		return false
	}
	for _, q := range to {
		if q.Func.Good != nil && !p.Calls.Good.Enters(q.Func.Good) || q.Func.Bad != nil && !p.Calls.Bad.Enters(q.Func.Bad) {
			return false
		}
	}
	return true
}

// onlyWay says whether functions are reached through a call only.
func (pr *Prober) onlyWay(p Part, to []Part) bool {
	only := func(s *sides.Side, fn *callgraph.Function) bool {
		call, in := p.Calls.Of(s.Which), p.In.Of(s.Which)
		return fn == nil || s.Prog.Only(s.Timed, in, call, fn)
	}
	for _, q := range to {
		if !only(pr.Good, q.Func.Good) || !only(pr.Bad, q.Func.Bad) {
			return false
		}
	}
	return true
}

// key is by which the finder knows a frame: on another path the same function is
// another layer.
func (pr *Prober) key(f *Layer) string {
	if len(f.gates) == 0 {
		return f.Name
	}
	var from []string
	for _, g := range f.gates {
		from = append(from, pr.Position(g.Call().Pos))
	}
	return f.Name + " from " + strings.Join(from, " from ")
}

// gated says whether the call that leads to a frame is the innermost of its gates.
func (f *Layer) gated() bool {
	return len(f.gates) > 0 && f.gates[0].Calls.Bad == f.Parent.Parts[f.Via].Calls.Bad
}

// gateID is the probe ID of gate k.
func (f *Layer) gateID(k int) int {
	if k == 0 && f.gated() {
		return f.enclosing()
	}
	return f.outermost() + 1 + k
}

// gateBelow is within which call of bad those count that a step of a chain leads to.
func (pr *Prober) gateBelow(step Part, fn *callgraph.Function, above *callgraph.Call) *callgraph.Call {
	to := []Part{{Func: change.Functions{Bad: fn}}}
	if good, ok := pr.Change.InGood(fn); ok {
		to[0].Func.Good = good
	}
	switch {
	case !enters(step, to):
		return nil
	case pr.onlyWay(step, to):
		return above
	}
	return step.Calls.Bad
}

// gateOf is the part of a frame within which part id counts: an index of gates or,
// where parts may lie within each other, of parts; -1 if it counts everywhere.
func (f *Layer) gateOf(id int) int {
	if !f.nested {
		return min(len(f.gates), 1) - 1
	}
	gate := f.Parts[id].gate
	for i, p := range f.Parts {
		if gate != nil && p.Calls.Bad == gate {
			return i
		}
	}
	return -1 // there is none, or it was refused
}

// isGate says whether other parts of a nested frame count within part id.
func (f *Layer) isGate(id int) bool {
	return slices.ContainsFunc(f.Parts, func(p Part) bool { return p.gate != nil && p.gate == f.Parts[id].Calls.Bad })
}

// pathOf are the gates that part id lies within, outermost first.
func (f *Layer) pathOf(id int) []Part {
	path := slices.Clone(f.gates)
	if f.nested {
		for gate := f.gateOf(id); gate >= 0; gate = f.gateOf(gate) {
			path = append(path, f.Parts[gate])
		}
	}
	slices.Reverse(path)
	return path
}

// chain are the gates of a frame and the call that leads to it, outermost first.
func (f *Layer) chain() []Part {
	path := slices.Clone(f.gates)
	slices.Reverse(path)
	if !f.gated() {
		path = append(path, f.Parent.Parts[f.Via])
	}
	return path
}

// layer is the frame as the finder sees it.
func (pr *Prober) layer(f *Layer) finder.Layer {
	l := finder.Layer{Name: pr.key(f)}
	for _, p := range f.Parts {
		l.Calls = append(l.Calls, finder.Call{Name: p.Text(), Side: p.Side()})
	}
	return l
}

package hunt

import (
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// What is measured is measured on its path: a function that is also called from
// elsewhere counts only for the calls that come through the chain. The calls of
// the chain that have to be watched for that are its gates. Their probes are on
// with those of the function, which count while all of them are open on the same
// goroutine.

// gatesOf are the gates of what a frame has, innermost first. A call that hands its
// work to another goroutine is none, and what lies above can't be seen from there.
func (h *hunt) gatesOf(f *frame) []part {
	var gates []part
	for f.parent != nil {
		pairs := []part{{goodFunc: f.good, badFunc: f.bad}}
		if f.dispatch() {
			pairs = f.parts
		} else if f.parent.dispatch() {
			f = f.parent // the call that leads to the candidate
		}
		via := f.parent.parts[f.via]
		if !enters(via, pairs) {
			break
		}
		if !h.onlyWay(via, pairs) {
			gates = append(gates, via)
		}
		f = f.parent
	}
	return gates
}

// enters says whether a call runs functions on its own goroutine.
func enters(p part, to []part) bool {
	if p.goodCall == nil || p.badCall == nil {
		return false
	}
	for _, q := range to {
		if q.goodFunc != nil && !p.goodCall.Enters(q.goodFunc) || q.badFunc != nil && !p.badCall.Enters(q.badFunc) {
			return false
		}
	}
	return true
}

// onlyWay says whether functions are reached through a call only.
func (h *hunt) onlyWay(p part, to []part) bool {
	only := func(s *side, fn *callgraph.Function) bool {
		call, in := s.call(p)
		return fn == nil || s.prog.Only(s.timed, in, call, fn)
	}
	for _, q := range to {
		if !only(h.good, q.goodFunc) || !only(h.bad, q.badFunc) {
			return false
		}
	}
	return true
}

// key is by which the finder knows a frame: on another path the same function is
// another layer.
func (h *hunt) key(f *frame) string {
	if len(f.gates) == 0 {
		return f.name
	}
	var from []string
	for _, g := range f.gates {
		from = append(from, h.position(g.call().Pos))
	}
	return f.name + " from " + strings.Join(from, " from ")
}

// gated says whether the call that leads to a frame is the innermost of its gates.
func (f *frame) gated() bool {
	return len(f.gates) > 0 && f.gates[0].badCall == f.parent.parts[f.via].badCall
}

// gateID is the probe ID of gate k.
func (f *frame) gateID(k int) int {
	if k == 0 && f.gated() {
		return f.enclosing()
	}
	return f.outermost() + 1 + k
}

// gateBelow is within which call of bad those count that a step of a chain leads to.
func (h *hunt) gateBelow(step part, fn *callgraph.Function, above *callgraph.Call) *callgraph.Call {
	to := []part{{badFunc: fn}}
	if good, ok := h.change().InGood(fn); ok {
		to[0].goodFunc = good
	}
	switch {
	case !enters(step, to):
		return nil
	case h.onlyWay(step, to):
		return above
	}
	return step.badCall
}

// gateOf is the part of a frame within which part id counts: an index of gates or,
// where parts may lie within each other, of parts; -1 if it counts everywhere.
func (f *frame) gateOf(id int) int {
	if !f.nested {
		return min(len(f.gates), 1) - 1
	}
	gate := f.parts[id].gate
	for i, p := range f.parts {
		if gate != nil && p.badCall == gate {
			return i
		}
	}
	return -1 // there is none, or it was refused
}

// isGate says whether other parts of a nested frame count within part id.
func (f *frame) isGate(id int) bool {
	return slices.ContainsFunc(f.parts, func(p part) bool { return p.gate != nil && p.gate == f.parts[id].badCall })
}

// pathOf are the gates that part id lies within, outermost first.
func (f *frame) pathOf(id int) []part {
	path := slices.Clone(f.gates)
	if f.nested {
		for gate := f.gateOf(id); gate >= 0; gate = f.gateOf(gate) {
			path = append(path, f.parts[gate])
		}
	}
	slices.Reverse(path)
	return path
}

// chain are the gates of a frame and the call that leads to it, outermost first.
func (f *frame) chain() []part {
	path := slices.Clone(f.gates)
	slices.Reverse(path)
	if !f.gated() {
		path = append(path, f.parent.parts[f.via])
	}
	return path
}

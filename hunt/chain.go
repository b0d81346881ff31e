package hunt

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// pathTo is how the timed function leads to fn: as it was seen at run time, or
// else the shortest way that the source allows.
func (h *hunt) pathTo(ctx context.Context, fn *callgraph.Function) ([]site, error) {
	if err := h.lookAround(ctx); err != nil {
		return nil, err
	}
	if path := pathTo(h.stacks.Bad, fn); path != nil {
		return path, nil
	}
	return h.shortestPath(fn), nil
}

// measureWay measures the chain that leads to a function, and the function's calls.
func (h *hunt) measureWay(ctx context.Context, to part) ([]report.Step, chainGains, error) {
	path, err := h.pathTo(ctx, to.badFunc)
	if err != nil {
		return nil, chainGains{}, err
	}
	return h.measureChain(ctx, path, to)
}

// measureChain probes every call on a path and, where a function is given that
// the path leads to, every call of that function, in both revisions and all at
// once. It gives the steps of the chain, and which part of the function gained
// most. A step that good does not have in the same place is named, but not
// measured.
func (h *hunt) measureChain(ctx context.Context, path []site, to part) ([]report.Step, chainGains, error) {
	f := &frame{name: "the chain", nested: true, shows: true, parallel: h.parallel()}
	var chain []report.Step
	var steps []part         // of each step
	var gate *callgraph.Call // of bad, within which what follows counts
	for i := 0; i+1 < len(path); i++ {
		p, call := h.stepAt(path[i], path[i+1].fn)
		p.gate = gate
		step := report.Step{Function: path[i].fn.Name}
		if call != nil {
			step.Call, step.Position = call.Text, h.position(call.Pos)
		}
		chain, steps = append(chain, step), append(steps, p)
		if p.side() == finder.Both && p.badCall != nil {
			f.parts = append(f.parts, p)
		}
		gate = h.gateBelow(p, path[i+1].fn, gate)
	}
	if to.badFunc != nil {
		below, err := h.newFrame(nil, 0, to.goodFunc, to.badFunc)
		if err != nil {
			return chain, chainGains{}, err
		}
		for _, p := range below.parts {
			p.gate = gate
			f.parts = append(f.parts, p)
		}
	}
	if len(f.parts) == 0 {
		return chain, chainGains{}, nil
	}
	h.frames[f.name] = f
	if err := h.buildFrame(ctx, f); err != nil {
		return chain, chainGains{}, err
	}
	reading, err := h.measure(stats.Search)(ctx, h.layer(f), finder.Region{To: len(f.parts)}, singles(len(f.parts)))
	if err != nil {
		return chain, chainGains{}, err
	}
	h.report.Search.Comparisons++
	h.lastFrame = f
	g := chainGains{part: h.largestGain(f, to, reading)}
	for i, p := range steps {
		// A step may have been refused when it was built.
		id := slices.IndexFunc(f.parts, func(q part) bool { return q.badCall == p.badCall && q.goodCall == p.goodCall })
		if id < 0 || p.side() != finder.Both {
			continue
		}
		if good, bad := h.seen[f].calls(id); good == 0 && bad == 0 && !h.sampler.Quantity.Profiled {
			g.idle = true
		}
		if reading.Parts[id].Bad.Mean == 0 {
			continue
		}
		chain[i].Delta = h.delta(reading.Parts[id])
		chain[i].Share = number(reading.Parts[id].Diff.Mean / reading.Whole.Diff.Mean)
		if i == len(steps)-1 {
			g.callsGood, g.callsBad = h.seen[f].calls(id)
		}
	}
	return chain, g, nil
}

// chainGains is what measuring a chain says about the function at its end.
type chainGains struct {
	part                *gain   // nil when none was proved to have gained
	callsGood, callsBad float64 // of the function, per operation, by way of the chain
	idle                bool    // a call of the chain is made in neither revision while the timer runs
}

// gain is the part of a function that gained most, of those that were proved to
// have gained.
type gain struct {
	part       part
	comparison stats.Comparison
	share      float64 // of the whole operation's difference
	good, bad  float64 // calls per operation
}

func (h *hunt) largestGain(f *frame, in part, r finder.Reading) *gain {
	var best *gain
	for id, p := range f.parts {
		c := r.Parts[id]
		inside := in.badFunc != nil && (p.badIn == in.badFunc || p.goodIn == in.goodFunc)
		if !inside || h.calledAgain(p) || f.moved(id, r) || c.Verdict != stats.Slower || best != nil && c.Diff.Mean <= best.comparison.Diff.Mean {
			continue
		}
		best = &gain{part: p, comparison: c, share: number(c.Diff.Mean / r.Whole.Diff.Mean)}
		best.good, best.bad = h.seen[f].calls(id)
	}
	return best
}

// moved reports whether what a call gained another one of the same text lost, most of
// it: the two are one call that is made in another place.
func (f *frame) moved(id int, r finder.Reading) bool {
	for other, p := range f.parts {
		if other != id && p.text() == f.parts[id].text() && -r.Parts[other].Diff.Mean > r.Parts[id].Diff.Mean/2 {
			return true
		}
	}
	return false
}

// calledAgain reports whether a call may lead back to the function that makes it.
// It then takes as long as that function does, whatever in it is slow.
func (h *hunt) calledAgain(p part) bool {
	return p.badCall != nil && slices.ContainsFunc(p.badCall.Callees, func(fn *callgraph.Function) bool {
		return slices.Contains(h.bad.prog.Reach(fn), p.badIn)
	})
}

// singles are the regions of one call each.
func singles(n int) []finder.Region {
	var list []finder.Region
	for i := range n {
		list = append(list, finder.Region{From: i, To: i + 1})
	}
	return list
}

// stepAt finds the call at a site that leads to the next function, with its twin
// in good.
func (h *hunt) stepAt(at site, next *callgraph.Function) (part, *callgraph.Call) {
	bad, err := h.bad.prog.Layer(at.fn)
	if err != nil {
		return part{}, nil
	}
	index := callAt(bad, at.line, next)
	if index < 0 {
		return part{}, nil
	}
	p := part{badIn: at.fn, badCall: bad.Calls[index]}
	twin, ok := h.change().InGood(at.fn)
	if !ok {
		return p, p.badCall
	}
	good, err := h.good.prog.Layer(twin)
	if err != nil {
		return p, p.badCall
	}
	for _, q := range change.Align(good, bad) {
		if q.Bad == index && q.Good >= 0 {
			p.goodIn, p.goodCall = twin, good.Calls[q.Good]
		}
	}
	return p, p.badCall
}

// callAt is the index of the call of a layer that leads to next: of those on the
// line that was seen, or of all when the line is not known, one that can reach it.
func callAt(l *callgraph.Layer, line int, next *callgraph.Function) int {
	leads := func(c *callgraph.Call) bool { return slices.Contains(reached(c), next) }
	onLine := -1
	for i, c := range l.Calls {
		if line != 0 && c.Pos.Line != line {
			continue
		}
		if leads(c) {
			return i
		}
		if onLine < 0 && line != 0 {
			onLine = i
		}
	}
	return onLine
}

// shortestPath goes through the layers of bad, breadth first, from the timed
// function to fn.
func (h *hunt) shortestPath(fn *callgraph.Function) []site {
	from := map[*callgraph.Function]*callgraph.Function{h.bad.timed: nil}
	todo := []*callgraph.Function{h.bad.timed}
	for len(todo) > 0 && from[fn] == nil && fn != h.bad.timed {
		at := todo[0]
		todo = todo[1:]
		layer, err := h.bad.prog.Layer(at)
		if err != nil {
			continue
		}
		for _, c := range layer.Calls {
			for _, next := range reached(c) {
				if _, seen := from[next]; !seen && next.HasBody() {
					from[next] = at
					todo = append(todo, next)
				}
			}
		}
	}
	if from[fn] == nil {
		return nil
	}
	var path []site
	for at := fn; at != nil; at = from[at] {
		path = append([]site{{fn: at}}, path...)
	}
	return path
}

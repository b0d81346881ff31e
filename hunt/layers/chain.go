package layers

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Way measures the chain that leads from the timed function to another, and the calls of
// that. A step that good does not have in the same place is named, but not measured.
func (pr *Prober) Way(ctx context.Context, to change.Functions) ([]report.Step, Gains, error) {
	stacks, err := pr.Recorder.Both(ctx)
	if err != nil {
		return nil, Gains{}, err
	}
	path := profile.PathTo(stacks.Bad, to.Bad)
	if path == nil { // never seen: the shortest way that the source allows
		path = pr.shortestPath(to.Bad)
	}
	return pr.measureChain(ctx, path, to)
}

// measureChain probes every call on a path and, where a function is given that
// the path leads to, every call of that function, in both revisions and all at
// once. It gives the steps of the chain, and which part of the function gained
// most.
func (pr *Prober) measureChain(ctx context.Context, path []profile.Site, to change.Functions) ([]report.Step, Gains, error) {
	f := &Layer{Name: "the chain", nested: true, shows: true, parallel: pr.Parallel}
	var chain []report.Step
	var steps []Part         // of each step
	var gate *callgraph.Call // of bad, within which what follows counts
	for i := 0; i+1 < len(path); i++ {
		p, call := pr.stepAt(path[i], path[i+1].Func)
		p.gate, p.depth = gate, i
		step := report.Step{Function: path[i].Func.Name}
		if call != nil {
			step.Call, step.Position = call.Text, pr.Position(call.Pos)
		}
		chain, steps = append(chain, step), append(steps, p)
		if p.Side() == finder.Both && p.Calls.Bad != nil {
			f.Parts = append(f.Parts, p)
		}
		gate = pr.gateBelow(p, path[i+1].Func, gate)
	}
	if pr.Sampler.Quantity.Reported { // of which parts have none
		return chain, Gains{}, nil
	}
	if to.Bad != nil {
		below, err := pr.Align(nil, 0, to)
		if err != nil {
			return chain, Gains{}, err
		}
		for _, p := range below.Parts {
			p.gate, p.depth = gate, len(path)
			f.Parts = append(f.Parts, p)
		}
	}
	if len(f.Parts) == 0 {
		return chain, Gains{}, nil
	}
	pr.layers[f.Name] = f
	if err := pr.build(ctx, f); err != nil {
		return chain, Gains{}, err
	}
	reading, err := pr.measure(stats.Search)(ctx, pr.layer(f), finder.Region{To: len(f.Parts)}, singles(len(f.Parts)))
	if err != nil {
		return chain, Gains{}, err
	}
	pr.Compared++
	pr.last = f
	g := Gains{Part: pr.largestGain(f, to, reading)}
	if to.Bad != nil {
		g.Called = pr.Called(f, to)
	}
	read := pr.seen[f]
	above := read.operation()
	for i, p := range steps {
		// A step may have been refused when it was built.
		id := slices.IndexFunc(f.Parts, func(q Part) bool { return q.Calls.Bad == p.Calls.Bad && q.Calls.Good == p.Calls.Good })
		if id < 0 || p.Side() != finder.Both {
			continue
		}
		good, bad := read.calls(id)
		if good == 0 && bad == 0 && !pr.Sampler.Quantity.Profiled {
			g.Idle = true
		}
		if i == len(steps)-1 && len(p.Calls.Bad.Callees) == 1 { // of what may reach others, not all calls are its own
			g.CallsGood, g.CallsBad = good, bad
		}
		c := reading.Parts[id]
		switch {
		case c.Bad.Mean == 0:
			continue
		case pr.instead(read, id, above):
			g.Instead = &chain[i]
			continue
		}
		chain[i].Delta, chain[i].Share = pr.inWhole(c, reading.Whole)
		above = read.probe(id)
	}
	return chain, g, nil
}

// Gains is what measuring a chain says about the function at its end.
type Gains struct {
	Part                *Gain        // nil when none was proved to have gained
	CallsGood, CallsBad float64      // of the function, per operation, by way of the chain; 0 where that can't be told
	Called              []Called     // what the function calls
	Idle                bool         // a call of the chain is made in neither revision while the timer runs
	Instead             *report.Step // a call that good never makes and that takes surely more than what makes it gained; nil when there is none
}

// instead says that good does otherwise what part id does: it never makes it, and it gained
// surely more than what it lies in.
func (pr *Prober) instead(r readings, id int, in series) bool {
	good, _ := r.calls(id)
	return good == 0 && pr.surelyMore(r.probe(id), in)
}

// surelyMore says that a part gained more than what it lies in, in the same processes.
func (pr *Prober) surelyMore(part, in series) bool {
	rest := in.minus(part)
	return pr.Sampler.Accusing(pr.searchAlpha(), in.good).Compare(rest.good, rest.bad).Ratio.High < 1
}

// inWhole is what a part of the operation gained in processes with probes, and its share of
// what the operation gained in them. The amount is at the scale of the unprobed difference:
// the machine may be another one by now, and the probed code is compiled otherwise.
func (pr *Prober) inWhole(part, operation stats.Comparison) (d *report.Delta, share float64) {
	d, share = pr.Sampler.Delta(part), compare.Number(part.Diff.Mean/operation.Diff.Mean)
	if unprobed := pr.Whole.Comparison.Diff.Mean; !pr.Sampler.Quantity.Counts() && unprobed > 0 && operation.Diff.Low > 0 {
		d = compare.Scaled(*d, unprobed/operation.Diff.Mean)
	}
	return d, share
}

// Gain is the part of a function that gained most, of those that were proved to
// have gained.
type Gain struct {
	Part      Part
	Delta     *report.Delta // at the scale of the unprobed difference
	Share     float64       // of the whole operation's difference
	Good, Bad float64       // calls per operation
	Instead   bool          // good never makes it, and it takes surely more than the operation gained
}

// SurelyBeyond reports whether a part takes so much more than the whole difference that
// the other revision must do the same otherwise.
func SurelyBeyond(part stats.Interval, whole report.Interval) bool {
	return part.Low > 2*whole.High
}

func (pr *Prober) largestGain(f *Layer, in change.Functions, r finder.Reading) *Gain {
	best := -1
	for id, p := range f.Parts {
		c := r.Parts[id]
		inside := in.Bad != nil && (p.In.Bad == in.Bad || p.In.Good == in.Good)
		if !inside || pr.calledAgain(p) || f.moved(id, r) || c.Verdict != stats.Slower || best >= 0 && c.Diff.Mean <= r.Parts[best].Diff.Mean {
			continue
		}
		best = id
	}
	if best < 0 {
		return nil
	}
	read := pr.seen[f]
	g := &Gain{Part: f.Parts[best], Instead: pr.instead(read, best, read.operation())}
	g.Delta, g.Share = pr.inWhole(r.Parts[best], r.Whole)
	g.Good, g.Bad = read.calls(best)
	return g
}

// moved reports whether what a call gained another one of the same text lost, most of
// it: the two are one call that is made in another place.
func (f *Layer) moved(id int, r finder.Reading) bool {
	for other, p := range f.Parts {
		if other != id && p.Text() == f.Parts[id].Text() && -r.Parts[other].Diff.Mean > r.Parts[id].Diff.Mean/2 {
			return true
		}
	}
	return false
}

// calledAgain reports whether a call may lead back to the function that makes it.
// It then takes as long as that function does, whatever in it is slow.
func (pr *Prober) calledAgain(p Part) bool {
	return p.Calls.Bad != nil && slices.ContainsFunc(p.Calls.Bad.Callees, func(fn *callgraph.Function) bool {
		return slices.Contains(pr.Bad.Prog.Reach(fn), p.In.Bad)
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
func (pr *Prober) stepAt(at profile.Site, next *callgraph.Function) (Part, *callgraph.Call) {
	bad, err := pr.Bad.Prog.Layer(at.Func)
	if err != nil {
		return Part{}, nil
	}
	index := callAt(bad, at.Line, next)
	if index < 0 {
		return Part{}, nil
	}
	p := Part{In: change.Functions{Bad: at.Func}, Calls: change.Pair[*callgraph.Call]{Bad: bad.Calls[index]}}
	twin, ok := pr.Change.InGood(at.Func)
	if !ok {
		return p, p.Calls.Bad
	}
	good, err := pr.Good.Prog.Layer(twin)
	if err != nil {
		return p, p.Calls.Bad
	}
	for _, q := range change.Align(good, bad) {
		if q.Bad == index && q.Good >= 0 {
			p.In.Good, p.Calls.Good = twin, good.Calls[q.Good]
		}
	}
	return p, p.Calls.Bad
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
func (pr *Prober) shortestPath(fn *callgraph.Function) []profile.Site {
	from := map[*callgraph.Function]*callgraph.Function{pr.Bad.Timed: nil}
	todo := []*callgraph.Function{pr.Bad.Timed}
	for len(todo) > 0 && from[fn] == nil && fn != pr.Bad.Timed {
		at := todo[0]
		todo = todo[1:]
		layer, err := pr.Bad.Prog.Layer(at)
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
	var path []profile.Site
	for at := fn; at != nil; at = from[at] {
		path = append([]profile.Site{{Func: at}}, path...)
	}
	return path
}

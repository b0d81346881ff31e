package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// jump goes straight to what differs. Blame falls on code that differs, and that
// is little: the functions whose source is not the same in both revisions are
// timed all at once, and the search starts in the deepest that gained most,
// instead of passing through every layer above it. The chain that leads there is
// measured afterwards.
//
// It reports whether that answered; if not, nothing is lost but a few seconds,
// and the layers are gone through from the top.
func (h *hunt) jump(ctx context.Context, parallel bool) (bool, error) {
	list := h.suspects()
	if len(list) == 0 || len(list) > maxSuspects {
		return false, nil
	}
	if err := h.lookAround(ctx); err != nil {
		return false, err
	}
	guilty, whole, err := h.measureSuspects(ctx, list, parallel)
	if err != nil {
		return false, err
	}
	answered := false
	for _, s := range h.choose(guilty, whole, h.stacks) {
		share := s.delta.Diff.Mean / whole.Diff.Mean
		ok, err := h.look(ctx, s, share, parallel)
		if err != nil {
			return answered, err
		}
		answered = answered || ok
	}
	return answered, nil
}

// lookAround profiles bad once, for who calls whom.
func (h *hunt) lookAround(ctx context.Context) (err error) {
	if h.stacks == nil {
		h.stacks, err = h.profile(ctx, h.bad)
	}
	return err
}

// look searches one suspect, and measures how the timed function leads to it.
func (h *hunt) look(ctx context.Context, s suspect, share float64, parallel bool) (bool, error) {
	path := h.pathTo(s.badFunc, h.stacks)
	root, err := h.newFrame(nil, 0, s.goodFunc, s.badFunc)
	if err != nil {
		return false, err
	}
	if len(root.parts) == 0 && len(path) > 1 {
		// A function that calls nothing is proved by the call to it.
		caller := path[len(path)-2].fn
		good, ok := h.good.prog.Counterpart(caller)
		if !ok {
			return false, nil
		}
		path = path[:len(path)-1]
		if root, err = h.newFrame(nil, 0, good, caller); err != nil {
			return false, err
		}
	}
	root.parallel = parallel
	root.body = root.bad != h.bad.timed || parallel
	h.frames[root.name] = root
	if err := h.buildFrame(ctx, root); err != nil {
		return false, err
	}
	result, err := h.finder(finder.Sweep).Run(ctx, root.layer())
	if err != nil {
		return false, err
	}
	if result.Verdict != stats.Slower {
		return false, nil
	}
	chain, err := h.measurePath(ctx, path, parallel)
	if err != nil {
		return false, err
	}
	h.assemble(ctx, result, share, chain)
	return true, nil
}

// pathTo is how the timed function leads to fn: as it was seen at run time, or
// else the shortest way that the source allows.
func (h *hunt) pathTo(fn *callgraph.Function, stacks []stack) []site {
	if path := pathTo(stacks, fn); path != nil {
		return path
	}
	return h.shortestPath(fn)
}

// measurePath probes every call on a path, in both revisions, and gives the steps
// of the chain. A step that good does not have in the same place is named, but
// not measured.
func (h *hunt) measurePath(ctx context.Context, path []site, parallel bool) ([]report.Step, error) {
	f := &frame{name: "the chain", nested: true, parallel: parallel}
	steps := make([]int, 0, len(path)) // of each step its part in f, or -1
	var shown []report.Step
	for i := 0; i+1 < len(path); i++ {
		p, call := h.stepAt(path[i], path[i+1].fn)
		step := report.Step{Function: path[i].fn.Name}
		if call != nil {
			step.Call, step.Position = call.Text, h.position(call.Pos)
		}
		shown = append(shown, step)
		if p.side() == finder.Both {
			steps = append(steps, len(f.parts))
			f.parts = append(f.parts, p)
		} else {
			steps = append(steps, -1)
		}
	}
	if len(f.parts) == 0 {
		return shown, nil
	}
	before := len(f.parts)
	h.frames[f.name] = f
	if err := h.buildFrame(ctx, f); err != nil {
		return shown, err
	}
	if len(f.parts) != before {
		return shown, nil // a step was refused: the numbers no longer match
	}
	all := finder.Region{To: len(f.parts)}
	var singles []finder.Region
	for i := range f.parts {
		singles = append(singles, finder.Region{From: i, To: i + 1})
	}
	reading, err := h.measure(stats.Search)(ctx, f.layer(), all, singles)
	if err != nil {
		return shown, err
	}
	h.report.Search.Comparisons++
	for i, part := range steps {
		if part < 0 || reading.Parts[part].Bad.Mean == 0 {
			continue
		}
		shown[i].Delta = delta(reading.Parts[part])
		shown[i].Share = number(reading.Parts[part].Diff.Mean / reading.Whole.Diff.Mean)
	}
	return shown, nil
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
	twin, ok := h.good.prog.Counterpart(at.fn)
	if !ok {
		return p, p.badCall
	}
	good, err := h.good.prog.Layer(twin)
	if err != nil {
		return p, p.badCall
	}
	for _, q := range callgraph.Align(good, bad) {
		if q.Bad == index && q.Good >= 0 {
			p.goodIn, p.goodCall = twin, good.Calls[q.Good]
		}
	}
	return p, p.badCall
}

// callAt is the index of the call of a layer that leads to next: of those on the
// line that was seen, or of all when the line is not known, one that can reach it.
func callAt(l *callgraph.Layer, line int, next *callgraph.Function) int {
	leads := func(c *callgraph.Call) bool {
		for _, fns := range [][]*callgraph.Function{c.Callees, c.Literals} {
			for _, fn := range fns {
				if fn == next {
					return true
				}
			}
		}
		return false
	}
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
			for _, fns := range [][]*callgraph.Function{c.Callees, c.Literals} {
				for _, next := range fns {
					if _, seen := from[next]; !seen && next.HasBody() {
						from[next] = at
						todo = append(todo, next)
					}
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

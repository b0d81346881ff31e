package layers

import (
	"context"
	"go/ast"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/stats"
)

// measureProfiled answers the finder as measure does, from recorded allocations:
// every call expression is on their stacks, without a probe and without a build.
// A search reads the same recordings again; a confirmation makes new ones.
func (pr *Prober) measureProfiled(ctx context.Context, stage stats.Stage, f *Layer, on finder.Region, parts []finder.Region) (finder.Reading, error) {
	p, alpha := &pr.Allocated, pr.searchAlpha()
	looks := pr.Sampler.Quantity.Looks(compare.Searching[:2])
	if stage == stats.Confirmation {
		p = &profile.Allocated{}
		alpha = pr.Sampler.Ledger.Open(stage, len(looks), 1)
	}
	var reading finder.Reading
	var last readings
	for _, n := range looks {
		if err := p.Add(ctx, pr.Recorder, n); err != nil {
			return reading, err
		}
		last = pr.readProfiles(f, p)
		reading = pr.judge(last, on, parts, alpha)
		if stage == stats.Confirmation && reading.Decided() || stage != stats.Confirmation && worthFollowing(reading) {
			break
		}
	}
	what := "allocations in " + f.Name
	pr.record(what, f, last, nil, on)
	if stage != stats.Confirmation {
		pr.seen[f] = last
	}
	return reading, nil
}

// readProfiles reads a frame's quantities off recorded allocations.
func (pr *Prober) readProfiles(f *Layer, p *profile.Allocated) readings {
	r := readings{frame: f}
	for i := range p.Bad {
		r.good = append(r.good, pr.profileSample(pr.Good, f, p.Good[i]))
		r.bad = append(r.bad, pr.profileSample(pr.Bad, f, p.Bad[i]))
	}
	return r
}

func (pr *Prober) profileSample(s *sides.Side, f *Layer, a *profile.Allocations) sample {
	n := f.probes()
	sample := sample{parts: make([]harness.PerOp, n), weight: make([]float64, n), nominal: make([]float64, n)}
	for _, st := range a.Stacks {
		v := valueOf(pr.Sampler.Quantity, st)
		sample.off += v
		if f.isOperation() || encloses(s, f, st) {
			sample.inspected += v
		}
		for id, p := range f.Parts {
			if passes(s, append(f.pathOf(id), p), st) {
				sample.parts[id].NS += v
				if !f.nested {
					break // the first of the calls on a line that the stack may have come by
				}
			}
		}
	}
	sample.off, sample.inspected = pr.Sampler.Quantity.Round(sample.off), pr.Sampler.Quantity.Round(sample.inspected)
	sample.on = sample.off
	for id := range sample.parts {
		sample.parts[id].NS = pr.Sampler.Quantity.Round(sample.parts[id].NS)
	}
	return sample
}

// valueOf is what a stack adds to the metric.
func valueOf(q compare.Quantity, st profile.AllocStack) float64 {
	if q.InBytes() {
		return st.Bytes
	}
	return st.Allocs
}

// encloses says whether a stack goes through the frame's function by way of the
// chain.
func encloses(s *sides.Side, f *Layer, st profile.AllocStack) bool {
	if f.Parent != nil {
		return passes(s, f.chain(), st)
	}
	return passes(s, []Part{{Func: f.Code}}, st)
}

// passes says whether a stack goes through parts, one below the other.
func passes(s *sides.Side, path []Part, st profile.AllocStack) bool {
	frames := st.Frames
	for _, p := range path {
		at := entry(s, p, frames)
		if at < 0 {
			return false
		}
		frames = frames[at:]
	}
	return true
}

// entry is where a part is entered in a stack, outermost first; -1 if it isn't.
func entry(s *sides.Side, p Part, frames []profile.Activation) int {
	call, in := p.Calls.Of(s.Which), p.In.Of(s.Which)
	if call == nil {
		fn := p.Func.Of(s.Which)
		return slices.IndexFunc(frames, func(a profile.Activation) bool { return fn != nil && a.Func == fn })
	}
	for i := 1; i < len(frames); i++ {
		if a := frames[i-1]; a.Func == in && isAt(s, call, a.Line) && leadsTo(call, frames[i]) {
			return i
		}
	}
	return -1
}

// isAt says whether a line is one of a call expression's.
func isAt(s *sides.Side, c *callgraph.Call, line int) bool {
	if c.Expr == nil {
		return c.Pos.Line == line
	}
	line1 := func(n ast.Node) int { return s.Prog.Fset.Position(n.Pos()).Line }
	return line1(c.Expr) <= line && line <= s.Prog.Fset.Position(c.Expr.End()).Line
}

// leadsTo says whether a call may have entered a function. One whose callees are
// not known may enter any.
func leadsTo(c *callgraph.Call, next profile.Activation) bool {
	if len(c.Callees) == 0 {
		return true
	}
	name := withoutBrackets(next.Name)
	return slices.ContainsFunc(reached(c), func(fn *callgraph.Function) bool { return fn == next.Func || fn.Name == name })
}

// withoutBrackets drops type arguments, which the runtime prints as [...].
func withoutBrackets(name string) string {
	for {
		open := strings.IndexByte(name, '[')
		if open < 0 {
			return name
		}
		end := strings.IndexByte(name[open:], ']')
		if end < 0 {
			return name
		}
		name = name[:open] + name[open+end+1:]
	}
}

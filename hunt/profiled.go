package hunt

import (
	"context"
	"go/ast"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// profiles are recorded allocations of both sides, paired by index.
type profiles struct{ good, bad []*allocations }

// recordAllocations adds recordings of both sides until there are n.
func (h *hunt) recordAllocations(ctx context.Context, p *profiles, n int) error {
	for len(p.bad) < n {
		good, err := h.allocationsOf(ctx, h.good)
		if err != nil {
			return err
		}
		bad, err := h.allocationsOf(ctx, h.bad)
		if err != nil {
			return err
		}
		p.good, p.bad = append(p.good, good), append(p.bad, bad)
	}
	return nil
}

// measureProfiled answers the finder as measure does, from recorded allocations:
// every call expression is on their stacks, without a probe and without a build.
// A search reads the same recordings again; a confirmation makes new ones.
func (h *hunt) measureProfiled(ctx context.Context, stage stats.Stage, f *frame, on finder.Region, parts []finder.Region) (finder.Reading, error) {
	p, alpha := &h.allocated, h.searchAlpha()
	looks := h.sampler.Quantity.Looks(compare.Searching[:2])
	if stage == stats.Confirmation {
		p = &profiles{}
		alpha = h.sampler.Ledger.Open(stage, len(looks), 1)
	}
	var reading finder.Reading
	var last readings
	for _, n := range looks {
		if err := h.recordAllocations(ctx, p, n); err != nil {
			return reading, err
		}
		last = h.readProfiles(f, p)
		reading = h.judge(last, on, parts, alpha)
		if stage == stats.Confirmation && reading.Decided() || stage != stats.Confirmation && worthFollowing(reading) {
			break
		}
	}
	what := "allocations in " + f.name
	h.record(what, f, last, nil, on)
	if stage != stats.Confirmation {
		h.seen[f] = last
	}
	return reading, nil
}

// readProfiles reads a frame's quantities off recorded allocations.
func (h *hunt) readProfiles(f *frame, p *profiles) readings {
	r := readings{frame: f}
	for i := range p.bad {
		r.good = append(r.good, h.profileSample(h.good, f, p.good[i]))
		r.bad = append(r.bad, h.profileSample(h.bad, f, p.bad[i]))
	}
	return r
}

func (h *hunt) profileSample(s *side, f *frame, a *allocations) sample {
	n := f.probes()
	sample := sample{parts: make([]harness.PerOp, n), weight: make([]float64, n), nominal: make([]float64, n)}
	for _, st := range a.stacks {
		v := valueOf(h.sampler.Quantity, st)
		sample.off += v
		if f.isOperation() || s.encloses(f, st) {
			sample.inspected += v
		}
		for id, p := range f.parts {
			if s.passes(append(f.pathOf(id), p), st) {
				sample.parts[id].NS += v
				if !f.nested {
					break // the first of the calls on a line that the stack may have come by
				}
			}
		}
	}
	sample.off, sample.inspected = h.sampler.Quantity.Round(sample.off), h.sampler.Quantity.Round(sample.inspected)
	sample.on = sample.off
	for id := range sample.parts {
		sample.parts[id].NS = h.sampler.Quantity.Round(sample.parts[id].NS)
	}
	return sample
}

// valueOf is what a stack adds to the metric.
func valueOf(q compare.Quantity, st allocStack) float64 {
	if q.InBytes() {
		return st.bytes
	}
	return st.allocs
}

// encloses says whether a stack goes through the frame's function by way of the
// chain.
func (s *side) encloses(f *frame, st allocStack) bool {
	if f.parent != nil {
		return s.passes(f.chain(), st)
	}
	return s.passes([]part{{goodFunc: f.good, badFunc: f.bad}}, st)
}

// passes says whether a stack goes through parts, one below the other.
func (s *side) passes(path []part, st allocStack) bool {
	frames := st.frames
	for _, p := range path {
		at := s.entry(p, frames)
		if at < 0 {
			return false
		}
		frames = frames[at:]
	}
	return true
}

// entry is where a part is entered in a stack, outermost first; -1 if it isn't.
func (s *side) entry(p part, frames []activation) int {
	call, in := s.call(p)
	if call == nil {
		fn := s.body(p)
		return slices.IndexFunc(frames, func(a activation) bool { return fn != nil && a.fn == fn })
	}
	for i := 1; i < len(frames); i++ {
		if a := frames[i-1]; a.fn == in && s.isAt(call, a.line) && leadsTo(call, frames[i]) {
			return i
		}
	}
	return -1
}

// isAt says whether a line is one of a call expression's.
func (s *side) isAt(c *callgraph.Call, line int) bool {
	if c.Expr == nil {
		return c.Pos.Line == line
	}
	line1 := func(n ast.Node) int { return s.prog.Fset.Position(n.Pos()).Line }
	return line1(c.Expr) <= line && line <= s.prog.Fset.Position(c.Expr.End()).Line
}

// leadsTo says whether a call may have entered a function. One whose callees are
// not known may enter any.
func leadsTo(c *callgraph.Call, next activation) bool {
	if len(c.Callees) == 0 {
		return true
	}
	name := withoutBrackets(next.name)
	return slices.ContainsFunc(reached(c), func(fn *callgraph.Function) bool { return fn == next.fn || fn.Name == name })
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

// allocates says what a function allocates per operation in either revision, and
// where the difference lies; nil when there is none to speak of.
func (h *hunt) allocates(good, bad *callgraph.Function) *report.Allocations {
	if len(h.allocated.bad) == 0 {
		return nil
	}
	in := [2]*allocations{h.allocated.good[0].in(good), h.allocated.bad[0].in(bad)}
	a := &report.Allocations{}
	a.AllocsGood, a.BytesGood = in[0].total()
	a.AllocsBad, a.BytesBad = in[1].total()
	a.Sites = h.allocationSites(in)
	if len(a.Sites) == 0 {
		return nil
	}
	return a
}

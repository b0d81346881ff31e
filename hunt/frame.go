package hunt

import (
	"context"
	"fmt"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
)

// A frame is one inspected function in both revisions with its aligned parts,
// or, where a call may reach several functions, the list of them: a dispatch,
// whose parts are the bodies of the candidates.
type frame struct {
	name      string
	parent    *frame // nil at layer 0
	via       int    // which part of the parent led here
	good, bad *callgraph.Function
	members   []change.Functions // those that call each other in circles, its own first
	parts     []part
	gates     []part            // calls of the chain within which the frame's probes count, innermost first
	nested    bool              // its parts may lie within each other: each counts for itself
	shows     bool              // nothing is decided by it: it shows where a proved difference lies
	body      bool              // layer 0 is not the timed body: its own body is probed
	parallel  bool              // the timed body is handed to RunParallel and runs on many goroutines
	built     [2]harness.Binary // good, bad; with a probe at every part
	isBuilt   bool
	linked    *change.Pair[*compare.Entrant] // in other link orders; nil: not asked yet
	thinned   bool                           // tiny calls have been looked for
	off       map[int]bool                   // parts whose probes stay off: they are counted as own code
	divided   [][]int                        // parts of a nested frame that are probed together; nil: not known yet
}

// part is what one probe ID stands for, on either side: a call expression, or
// in a dispatch the body of a candidate. A side that lacks it has nil.
type part struct {
	goodCall, badCall *callgraph.Call
	goodIn, badIn     *callgraph.Function // which the call is an expression of
	goodFunc, badFunc *callgraph.Function // whose body it is
	gate              *callgraph.Call     // bad's, of another part of a nested frame: it counts only within that
}

func (f *frame) dispatch() bool { return f.good == nil && f.bad == nil }

// enclosing is the probe ID of the time that is spent in the frame's function
// when it is reached through the chain.
func (f *frame) enclosing() int { return len(f.parts) }

// outermost is the probe ID of the body of the function at layer 0, where the
// time of its goroutines is what shares are taken of.
func (f *frame) outermost() int { return len(f.parts) + 1 }

func (f *frame) probes() int { return len(f.parts) + 2 + len(f.gates) }

// root is the frame at layer 0.
func (f *frame) root() *frame {
	for f.parent != nil {
		f = f.parent
	}
	return f
}

// call is the part's call expression for compare.Showing: bad's, as that is the code in
// front of the reader, unless only good has it.
func (p part) call() *callgraph.Call {
	if p.badCall != nil {
		return p.badCall
	}
	return p.goodCall
}

func (p part) function() *callgraph.Function {
	if p.badFunc != nil {
		return p.badFunc
	}
	return p.goodFunc
}

func (p part) side() finder.Side {
	good, bad := p.goodCall != nil || p.goodFunc != nil, p.badCall != nil || p.badFunc != nil
	switch {
	case good && bad:
		return finder.Both
	case good:
		return finder.GoodOnly
	}
	return finder.BadOnly
}

func (p part) text() string {
	if c := p.call(); c != nil {
		return c.Text
	}
	return p.function().Name
}

// newFrame aligns the layers of one function in both revisions. Functions that it is
// recursive with are one layer with it: its parts are the calls that leave them, and
// the bodies of those that a call may reach which may as well stay among them.
func (h *hunt) newFrame(parent *frame, via int, good, bad *callgraph.Function) (*frame, error) {
	from, err := h.good.prog.Group(good)
	if err != nil {
		return nil, err
	}
	to, err := h.bad.prog.Group(bad)
	if err != nil {
		return nil, err
	}
	f := &frame{parent: parent, via: via, good: good, bad: bad, name: bad.Name, off: make(map[int]bool)}
	if good.Name != bad.Name {
		f.name = good.Name + " / " + bad.Name
	}
	for _, p := range h.change().AlignGroups(from, to) {
		f.parts = append(f.parts, part{
			goodCall: p.Calls.Good, badCall: p.Calls.Bad, goodIn: p.In.Good, badIn: p.In.Bad,
			goodFunc: p.Leaf.Good, badFunc: p.Leaf.Bad,
		})
	}
	for _, m := range to.Members {
		twin, _ := h.change().InGood(m.Func)
		if m.Func == bad {
			twin = good
		}
		f.members = append(f.members, change.Functions{Good: twin, Bad: m.Func})
	}
	return f, nil
}

// layer is the frame as the finder sees it.
func (h *hunt) layer(f *frame) finder.Layer {
	l := finder.Layer{Name: h.key(f)}
	for _, p := range f.parts {
		l.Calls = append(l.Calls, finder.Call{Name: p.text(), Side: p.side()})
	}
	return l
}

// buildFrame makes the two probed binaries of a frame, both at the same time.
// A call that one side refuses is left out on the other too, or it would be
// measured as time against nothing; the refusal may only show when the file is
// rewritten, so the frame is known to be complete only after this. A metric that
// takes no probes takes no builds either.
func (h *hunt) buildFrame(ctx context.Context, f *frame) error {
	if f.isBuilt || h.sampler.Quantity.Profiled {
		return nil
	}
	if h.budget.Left() <= 0 {
		return compare.ErrBudget
	}
	h.log.Phase("building both revisions with probes in " + f.name)
	refused, err := h.dropRefused(f)
	if err != nil {
		return err
	}
	h.report.Provenance.Refused = append(h.report.Provenance.Refused, refused...)
	h.report.Search.Layers++
	begin := time.Now()
	err = change.Together(
		func() (err error) { f.built[0], err = h.buildSide(ctx, h.good, f); return err },
		func() (err error) { f.built[1], err = h.buildSide(ctx, h.bad, f); return err },
	)
	h.budget.Build = time.Since(begin)
	f.isBuilt = err == nil
	return err
}

// dropRefused asks for all probes once and takes the parts out that either side
// refuses.
func (h *hunt) dropRefused(f *frame) ([]report.Refused, error) {
	drop := make(map[int]instrument.Refusal)
	for _, s := range []*side{h.good, h.bad} {
		_, refused, err := h.rewrite(s, f)
		if err != nil {
			return nil, err
		}
		for _, r := range refused {
			if r.ID >= len(f.parts) {
				return nil, fmt.Errorf("%s: %s can't be timed: %s", h.position(r.Pos), f.name, r.Reason)
			}
			drop[r.ID] = r
		}
	}
	var kept []part
	var list []report.Refused
	for id, p := range f.parts {
		r, out := drop[id]
		if !out {
			kept = append(kept, p)
			continue
		}
		list = append(list, report.Refused{Position: h.position(r.Pos), Text: p.text(), Reason: r.Reason})
	}
	f.parts = kept
	return list, nil
}

func (h *hunt) buildSide(ctx context.Context, s *side, f *frame) (harness.Binary, error) {
	files, _, err := h.rewrite(s, f)
	if err != nil {
		return harness.Binary{}, err
	}
	return h.build(ctx, s, files, f.probes())
}

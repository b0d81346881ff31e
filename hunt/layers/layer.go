package layers

import (
	"context"
	"fmt"
	"time"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
)

// A Layer is one inspected function in both revisions with its aligned parts,
// or, where a call may reach several functions, the list of them: a dispatch,
// whose parts are the bodies of the candidates.
type Layer struct {
	Name     string
	Parent   *Layer             // nil at layer 0
	Via      int                // which part of the parent led here
	Code     change.Functions   // none of a dispatch
	Members  []change.Functions // those that call each other in circles, its own first
	Parts    []Part
	gates    []Part                      // calls of the chain within which the frame's probes count, innermost first
	nested   bool                        // its parts may lie within each other: each counts for itself
	shows    bool                        // nothing is decided by it: it shows where a proved difference lies
	body     bool                        // layer 0 is not the timed body: its own body is probed
	parallel bool                        // the timed body is handed to RunParallel and runs on many goroutines
	built    change.Pair[harness.Binary] // with a probe at every part
	isBuilt  bool
	linked   *change.Pair[*compare.Entrant] // in other link orders; nil: not asked yet
	thinned  bool                           // tiny calls have been looked for
	off      map[int]bool                   // parts whose probes stay off: they are counted as own code
	divided  [][]int                        // parts of a nested frame that are probed together; nil: not known yet
}

// Part is what one probe ID stands for, on either side: a call expression, or
// in a dispatch the body of a candidate. A side that lacks it has nil.
type Part struct {
	Calls change.Pair[*callgraph.Call]
	In    change.Functions // which the call is an expression of
	Func  change.Functions // whose body it is
	gate  *callgraph.Call  // bad's, of another part of a nested frame: it counts only within that
}

func (f *Layer) Dispatch() bool { return f.Code == change.Functions{} }

// enclosing is the probe ID of the time that is spent in the frame's function
// when it is reached through the chain.
func (f *Layer) enclosing() int { return len(f.Parts) }

// outermost is the probe ID of the body of the function at layer 0, where the
// time of its goroutines is what shares are taken of.
func (f *Layer) outermost() int { return len(f.Parts) + 1 }

func (f *Layer) probes() int { return len(f.Parts) + 2 + len(f.gates) }

// root is the frame at layer 0.
func (f *Layer) root() *Layer {
	for f.Parent != nil {
		f = f.Parent
	}
	return f
}

// Call is the part's call expression for compare.Showing: bad's, as that is the code in
// front of the reader, unless only good has it.
func (p Part) Call() *callgraph.Call {
	if p.Calls.Bad != nil {
		return p.Calls.Bad
	}
	return p.Calls.Good
}

func (p Part) Function() *callgraph.Function {
	if p.Func.Bad != nil {
		return p.Func.Bad
	}
	return p.Func.Good
}

func (p Part) Side() finder.Side {
	good, bad := p.Calls.Good != nil || p.Func.Good != nil, p.Calls.Bad != nil || p.Func.Bad != nil
	switch {
	case good && bad:
		return finder.Both
	case good:
		return finder.GoodOnly
	}
	return finder.BadOnly
}

func (p Part) Text() string {
	if c := p.Call(); c != nil {
		return c.Text
	}
	return p.Function().Name
}

// Align aligns the layers of one function in both revisions. Functions that it is
// recursive with are one layer with it: its parts are the calls that leave them, and
// the bodies of those that a call may reach which may as well stay among them.
func (pr *Prober) Align(parent *Layer, via int, code change.Functions) (*Layer, error) {
	from, err := pr.Good.Prog.Group(code.Good)
	if err != nil {
		return nil, err
	}
	to, err := pr.Bad.Prog.Group(code.Bad)
	if err != nil {
		return nil, err
	}
	f := &Layer{Parent: parent, Via: via, Code: code, Name: code.Bad.Name, off: make(map[int]bool)}
	if code.Good.Name != code.Bad.Name {
		f.Name = code.Good.Name + " / " + code.Bad.Name
	}
	for _, p := range pr.Change.AlignGroups(from, to) {
		f.Parts = append(f.Parts, Part{Calls: p.Calls, In: p.In, Func: p.Leaf})
	}
	for _, m := range to.Members {
		twin, _ := pr.Change.InGood(m.Func)
		if m.Func == code.Bad {
			twin = code.Good
		}
		f.Members = append(f.Members, change.Functions{Good: twin, Bad: m.Func})
	}
	return f, nil
}

// layer is the frame as the finder sees it.
func (pr *Prober) layer(f *Layer) finder.Layer {
	l := finder.Layer{Name: pr.key(f)}
	for _, p := range f.Parts {
		l.Calls = append(l.Calls, finder.Call{Name: p.Text(), Side: p.Side()})
	}
	return l
}

// build makes the two probed binaries of a frame, both at the same time.
// A call that one side refuses is left out on the other too, or it would be
// measured as time against nothing; the refusal may only show when the file is
// rewritten, so the frame is known to be complete only after this. A metric that
// takes no probes takes no builds either.
func (pr *Prober) build(ctx context.Context, f *Layer) error {
	if f.isBuilt || pr.Sampler.Quantity.Profiled {
		return nil
	}
	if pr.Sampler.Budget.Left() <= 0 {
		return compare.ErrBudget
	}
	pr.Sampler.Log.Phase("building both revisions with probes in " + f.Name)
	refused, err := pr.Refuse(f)
	if err != nil {
		return err
	}
	pr.Refused = append(pr.Refused, refused...)
	pr.Opened++
	begin := time.Now()
	f.built, err = change.Both(pr.pair(), func(s *sides.Side) (harness.Binary, error) { return pr.buildSide(ctx, s, f) })
	pr.Sampler.Budget.Build = time.Since(begin)
	f.isBuilt = err == nil
	return err
}

// Refuse asks for all probes once and takes the parts out that either side
// refuses.
func (pr *Prober) Refuse(f *Layer) ([]report.Refused, error) {
	drop := make(map[int]instrument.Refusal)
	for _, s := range pr.Sides() {
		_, refused, err := pr.rewrite(s, f)
		if err != nil {
			return nil, err
		}
		for _, r := range refused {
			if r.ID >= len(f.Parts) {
				return nil, fmt.Errorf("%s: %s can't be timed: %s", pr.Position(r.Pos), f.Name, r.Reason)
			}
			drop[r.ID] = r
		}
	}
	var kept []Part
	var list []report.Refused
	for id, p := range f.Parts {
		r, out := drop[id]
		if !out {
			kept = append(kept, p)
			continue
		}
		list = append(list, report.Refused{Position: pr.Position(r.Pos), Text: p.Text(), Reason: r.Reason})
	}
	f.Parts = kept
	return list, nil
}

func (pr *Prober) buildSide(ctx context.Context, s *sides.Side, f *Layer) (harness.Binary, error) {
	files, _, err := pr.rewrite(s, f)
	if err != nil {
		return harness.Binary{}, err
	}
	return s.Make(ctx, files, f.probes())
}

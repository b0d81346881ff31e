package layers

import (
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
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
	depth int              // of a nested frame's: it lies within all parts that are less deep
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

// switches lists the probe IDs of a region and of its surroundings.
func (f *Layer) switches(on finder.Region) []int {
	var ids []int
	for id := on.From; id < on.To; id++ {
		if !f.off[id] {
			ids = append(ids, id)
		}
	}
	for k := range f.gates {
		ids = append(ids, f.gateID(k))
	}
	return append(ids, f.enclosing(), f.outermost())
}

// isOperation says whether the frame's function is the timed one, and so takes what
// an operation takes.
func (f *Layer) isOperation() bool { return f.Parent == nil && !f.body }

// Shown is the name of the layer's function in bad, the code in front of the reader.
func (f *Layer) Shown() string {
	if f.Dispatch() {
		return f.Name
	}
	return f.Code.Bad.Name
}

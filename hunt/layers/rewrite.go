package layers

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// edits gathers the probes that go into one file.
type edits struct {
	file   instrument.File
	calls  []instrument.CallProbe
	bodies []instrument.BodyProbe
}

// rewriting gathers the probes of one side, by file.
type rewriting struct {
	side  *sides.Side
	files map[string]*edits
}

// rewrite gives the side's files with the frame's probes in them: one at every
// part, one around the frame's function, one in the body at layer 0.
func (pr *Prober) rewrite(s *sides.Side, f *Layer) (map[string][]byte, []instrument.Refusal, error) {
	w := &rewriting{side: s, files: make(map[string]*edits)}
	for id, p := range f.Parts {
		on := place{group: groupParts}
		if f.nested {
			on.group, on.gate = groupApart+id, f.isGate(id)
		}
		if gate := f.gateOf(id); gate >= 0 {
			on.within = groupApart + gate
		}
		if err := w.part(id, on, p); err != nil {
			return nil, nil, err
		}
	}
	if err := w.surroundings(f); err != nil {
		return nil, nil, err
	}
	out := make(map[string][]byte)
	var refused []instrument.Refusal
	for name, e := range w.files {
		text, r, err := instrument.Rewrite(e.file, e.calls, e.bodies)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: probing %s: %w", s.Label, name, err)
		}
		out[name] = text
		refused = append(refused, r...)
	}
	return out, refused, nil
}

// A place is where a probe counts.
type place struct {
	group  int  // of recursion: where the function may be active several times on a goroutine
	gate   bool // others count within it, so that it needs its group in any case
	within int  // the group of its gate; 0: none
}

// The groups. The parts of a frame exclude each other, so that they add up; what
// surrounds them is counted apart.
const (
	groupParts = 1 + iota
	groupEnclosing
	groupOutermost
	groupApart // and up: gates, and parts that may lie within each other
)

func (w *rewriting) part(id int, on place, p Part) error {
	if call := p.Calls.Of(w.side.Which); call != nil {
		return w.call(id, on, call, p.In.Of(w.side.Which))
	}
	if fn := p.Func.Of(w.side.Which); fn != nil {
		return w.body(id, on, fn)
	}
	return nil
}

// surroundings adds the probes of what a frame lies in: the call in the parent
// that the chain goes through, the gates above, and, where the timed body runs on
// many goroutines, that body. On one goroutine the benchmark's own clock is the
// better whole: it stops when the benchmark says so.
func (w *rewriting) surroundings(f *Layer) error {
	if f.root().parallel {
		if err := w.body(f.outermost(), place{group: groupOutermost}, w.side.Timed); err != nil {
			return err
		}
	}
	enclosing := place{group: groupEnclosing}
	if len(f.gates) > 0 {
		enclosing.within = groupApart
	}
	for k, g := range f.gates {
		on := place{group: groupApart + k, gate: true}
		if k+1 < len(f.gates) {
			on.within = groupApart + k + 1
		}
		if f.gateID(k) == f.enclosing() {
			enclosing = on
			continue
		}
		if err := w.part(f.gateID(k), on, g); err != nil {
			return err
		}
	}
	switch {
	case f.Parent != nil:
		return w.part(f.enclosing(), enclosing, f.Parent.Parts[f.Via])
	case f.body:
		return w.body(f.enclosing(), enclosing, f.Code.Of(w.side.Which))
	}
	return nil
}

// Call asks for a probe at a call of function in.
func (w *rewriting) call(id int, on place, c *callgraph.Call, in *callgraph.Function) error {
	e, err := w.edits(in)
	if err != nil {
		return err
	}
	e.calls = append(e.calls, instrument.CallProbe{ID: id, Call: c.Expr, Func: in.Node, Group: w.group(in, on), Within: on.within})
	return nil
}

// body asks for a probe around the body of fn.
func (w *rewriting) body(id int, on place, fn *callgraph.Function) error {
	e, err := w.edits(fn)
	if err != nil {
		return err
	}
	e.bodies = append(e.bodies, instrument.BodyProbe{ID: id, Func: fn.Node, Group: w.group(fn, on), Within: on.within})
	return nil
}

// group guards the probes of a function that may be active several times on a
// goroutine: only the outermost counts. 0 where it can't be.
func (w *rewriting) group(fn *callgraph.Function, on place) int {
	if on.gate || w.side.Prog.Recursive(fn) {
		return on.group
	}
	return 0
}

func (w *rewriting) edits(fn *callgraph.Function) (*edits, error) {
	name := fn.Filename()
	if e := w.files[name]; e != nil {
		return e, nil
	}
	src := w.side.Prog.Contents(name)
	if src == nil {
		return nil, fmt.Errorf("%s was not loaded", name)
	}
	e := &edits{file: instrument.File{
		Fset:   w.side.Prog.Fset,
		Syntax: fn.File,
		Info:   fn.Pkg.TypesInfo,
		Pkg:    fn.Pkg.Types,
		Src:    src,
		Name:   name,
	}}
	if m := fn.Pkg.Module; m != nil && m.GoVersion != "" {
		e.file.LangVersion = "go" + m.GoVersion
	}
	w.files[name] = e
	return e, nil
}

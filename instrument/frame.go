package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
)

// A frame is what a function needs for its probes.
type frame struct {
	open     int // marks: as many as there are probes open at once
	deferred int // marks of deferred probes, which outlive what surrounds them
	body     *BodyProbe
}

func (w *rewriter) frame(fn ast.Node) *frame {
	fr := w.frames[fn]
	if fr == nil {
		fr = new(frame)
		w.frames[fn] = fr
	}
	return fr
}

// mark returns the address of the mark for a probe: the one that no probe
// around it uses.
func (w *rewriter) mark(s *site) string {
	depth := 0
	cur, _ := w.root.FindNode(s.open)
	for p := cur.Parent(); p.Valid() && p.Node() != s.Func; p = p.Parent() {
		if w.opens[p.Node()] {
			depth++
		}
	}
	fr := w.frame(s.Func)
	fr.open = max(fr.open, depth+1)
	return fmt.Sprintf("&%s[%d]", w.marks(s.Func), depth)
}

// deferredMark returns the address of a mark of its own.
func (w *rewriter) deferredMark(s *site) string {
	fr := w.frame(s.Func)
	fr.deferred++
	return fmt.Sprintf("&%s[%d]", w.names.deferred, fr.deferred-1)
}

// marks returns the name of the array that a function's probes use. Package
// variables are initialised one after the other, so their initialisers share
// one.
func (w *rewriter) marks(fn ast.Node) string {
	if fn == nil {
		return w.names.packageMarks
	}
	return w.names.marks
}

// declareMarks declares the marks of a function at its beginning, where no goto
// can jump over them. Those of the package follow the imports.
func (w *rewriter) declareMarks(fn ast.Node, fr *frame) {
	var text string
	if fr.open > 0 {
		text = fmt.Sprintf(" var %s [%d]%s.Mark;", w.marks(fn), fr.open, w.names.probe)
	}
	if fn == nil {
		w.around(w.lastHeader(), rankBlock, "", ";"+text)
		return
	}
	if fr.deferred > 0 {
		text += fmt.Sprintf(" var %s [%d]%s.Mark;", w.names.deferred, fr.deferred, w.names.probe)
	}
	if fr.body != nil {
		// A mark that is not an element of the others stays on the stack when
		// they must not, because they are deferred in a loop.
		p, m := w.names.probe, w.names.entered
		enter := fmt.Sprintf("%s.Enter(&%s, %d, %d)", p, m, fr.body.ID, fr.body.Group)
		if fr.body.Within != 0 {
			enter = fmt.Sprintf("%s.EnterWithin(&%s, %d, %d, %d)", p, m, fr.body.ID, fr.body.Group, fr.body.Within)
		}
		text += fmt.Sprintf(" var %s %s.Mark; %s; defer %s.Leave(&%s, %d);", m, p, enter, p, m, fr.body.ID)
	}
	w.following(bodyOf(fn).Lbrace, len("{"), rankBlock, text)
}

// lastHeader returns the last import declaration, or the package's name if
// there is none.
func (w *rewriter) lastHeader() ast.Node {
	var last ast.Node = w.Syntax.Name
	for _, d := range w.Syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			last = g
		}
	}
	return last
}

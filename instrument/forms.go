package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// emitSite queues the edits of a probe.
func (w *rewriter) emitSite(s *site) {
	if s.form == formDefer {
		w.emitDefer(s)
		return
	}
	mark := w.mark(s)
	w.emitRestarts(s, mark)
	begin, end := w.begin(s, mark), w.end("End", s, mark)
	switch s.form {
	case formExpr:
		w.around(s.Call, rankStop, w.names.probe+".Stop("+begin+", ", ")")
	case formSeveral:
		w.around(s.Call, rankStop, w.several("Stop", s.types, begin), ")")
	case formStmt:
		w.around(s.stmt.Node(), rankStmt, begin+"; ", "; "+end)
	case formVarSpec:
		w.around(s.stmt.Node(), rankStmt, "); "+begin+"; var (", "); "+end+"; var (")
	case formReturn:
		w.emitReturn(s, begin, end)
	case formInitIf, formInitTag, formInitType, formInitFor:
		w.emitBeforeHeader(s.stmt.Parent(), begin)
		w.emitHeader(s, mark)
	case formPost:
		w.emitBeforePost(s.stmt.Parent(), begin)
		w.emitHeader(s, mark)
	}
}

// begin returns the call that starts a probe.
func (w *rewriter) begin(s *site, mark string) string {
	if s.later {
		return fmt.Sprintf("%s.BeginLater(%s, %d, %d, %d)", w.names.probe, mark, s.ID, s.Group, s.Within)
	}
	if s.Within != 0 {
		return fmt.Sprintf("%s.BeginWithin(%s, %d, %d, %d)", w.names.probe, mark, s.ID, s.Group, s.Within)
	}
	if s.Group != 0 {
		return fmt.Sprintf("%s.BeginGroup(%s, %d, %d)", w.names.probe, mark, s.ID, s.Group)
	}
	return fmt.Sprintf("%s.Begin(%s, %d)", w.names.probe, mark, s.ID)
}

// end returns the call of a function that ends a probe.
func (w *rewriter) end(name string, s *site, mark string) string {
	return fmt.Sprintf("%s.%s(%s, %d)", w.names.probe, name, mark, s.ID)
}

// several returns the text before a call with several results whose types are
// given.
func (w *rewriter) several(name, types, arg string) string {
	return fmt.Sprintf("%s.%s%d[%s](%s).Do(", w.names.probe, name, strings.Count(types, ",")+1, types, arg)
}

// emitRestarts moves the probe's start behind the last call among the operands.
func (w *rewriter) emitRestarts(s *site, mark string) {
	found, _ := lastCalls(w.Info, s.operands)
	for _, e := range found {
		before := w.names.probe + ".Restart(" + mark + ", "
		if c, ok := e.(*ast.CallExpr); ok {
			if n, results := resultsOf(w.Info, c); n > 1 {
				types, _ := w.typeList(results, c.Pos())
				before = w.several("Restart", types, mark)
			}
		}
		w.around(e, rankRestart, before, ")")
	}
}

// emitDefer relies on deferred calls running last to first.
func (w *rewriter) emitDefer(s *site) {
	mark := w.deferredMark(s)
	w.around(s.stmt.Node(), rankStmt, "defer "+w.end("End", s, mark)+"; ", "; defer "+w.begin(s, mark))
}

// emitReturn can't move the call before the return statement, so a new one
// follows it, and the old one becomes a comment.
func (w *rewriter) emitReturn(s *site, begin, end string) {
	ret := s.stmt.Node().(*ast.ReturnStmt)
	w.around(ret, rankStmt, "{ "+begin+"; "+s.types+" := ", "; "+end+"; return "+s.types+" }")
	from := w.offset(ret.Return)
	w.buf.around(from, from+len("return"), rankStop, "/*", "*/")
}

// results returns a list of n variables.
func (ns names) results(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint(ns.result, i)
	}
	return strings.Join(list, ", ")
}

// emitBeforeHeader puts a statement before one that has a header, and before
// each goto that leads there. What follows else is put in a block.
func (w *rewriter) emitBeforeHeader(header inspector.Cursor, begin string) {
	if p, ok := header.Parent().Node().(*ast.IfStmt); ok && p.Else == header.Node() {
		w.around(header.Node(), rankBlock, "{ "+begin+"; ", " }")
		return
	}
	var labels []string
	for {
		l, ok := header.Parent().Node().(*ast.LabeledStmt)
		if !ok {
			break
		}
		labels = append(labels, l.Label.Name)
		header = header.Parent()
	}
	w.around(header.Node(), rankStmt, begin+"; ", "")
	for _, l := range labels {
		for _, b := range branches(bodyOf(enclosingFunc(header)), l, token.GOTO) {
			w.around(b, rankStmt, begin+"; ", "")
		}
	}
}

// emitBeforePost puts a statement before each way to a loop's post statement.
func (w *rewriter) emitBeforePost(loop inspector.Cursor, begin string) {
	body := loop.Node().(*ast.ForStmt).Body
	w.buf.around(w.offset(body.Rbrace), w.offset(body.Rbrace)+1, rankStmt, "; "+begin+"; ", "")
	for _, b := range continues(body) {
		w.around(b, rankStmt, begin+"; ", "")
	}
	if l, ok := loop.Parent().Node().(*ast.LabeledStmt); ok {
		for _, b := range branches(body, l.Label.Name, token.CONTINUE) {
			w.around(b, rankStmt, begin+"; ", "")
		}
	}
}

// emitHeader ends a probe in what is evaluated after a header's simple
// statement. A loop's init and post statement have the same mark, so one end
// is enough for both.
func (w *rewriter) emitHeader(s *site, mark string) {
	header := s.stmt.Parent().Node()
	if w.ended[header] {
		return
	}
	w.ended[header] = true
	end := w.end("EndTrue", s, mark)
	switch h := header.(type) {
	case *ast.IfStmt:
		w.emitCondition(h.Cond, end)
	case *ast.SwitchStmt:
		if h.Tag == nil {
			w.around(h.Body, rankHeader, end+" ", "")
			return
		}
		w.emitAfter(h.Tag, end)
	case *ast.TypeSwitchStmt:
		w.emitAfter(guarded(h), end)
	case *ast.ForStmt:
		if h.Cond == nil {
			// A condition would make the loop one that ends.
			w.following(h.Body.Lbrace, len("{"), rankHeader, " "+w.end("End", s, mark)+";")
			return
		}
		w.emitCondition(h.Cond, end)
	}
}

// emitCondition keeps the condition's operators visible to the compiler. Only
// one of a boolean type of the program's own can't be an operand beside true.
func (w *rewriter) emitCondition(cond ast.Expr, end string) {
	if b, ok := types.Unalias(w.Info.TypeOf(cond)).(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
		w.around(cond, rankHeader, end+" && (", ")")
		return
	}
	w.emitAfter(cond, end)
}

func (w *rewriter) emitAfter(e ast.Expr, end string) {
	w.around(e, rankHeader, w.names.probe+".After("+end+", ", ")")
}

// guarded returns the x of switch x.(type).
func guarded(s *ast.TypeSwitchStmt) ast.Expr {
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		return ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		return ast.Unparen(a.X).(*ast.TypeAssertExpr).X
	}
	return nil
}

// branches returns the statements in a function's body, not in the literals
// there, that branch to a label.
func branches(body *ast.BlockStmt, label string, tok token.Token) []*ast.BranchStmt {
	var found []*ast.BranchStmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			if n.Tok == tok && n.Label != nil && n.Label.Name == label {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

// continues returns the continue statements without label that belong to the
// loop whose body is given.
func continues(body *ast.BlockStmt) []*ast.BranchStmt {
	var found []*ast.BranchStmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.BranchStmt:
			if n.Tok == token.CONTINUE && n.Label == nil {
				found = append(found, n)
			}
		}
		return true
	})
	return found
}

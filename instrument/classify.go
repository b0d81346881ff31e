package instrument

import (
	"go/ast"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// classify sets the form of a site, or returns the reason why there is none.
func (w *rewriter) classify(s *site) string {
	n, results := resultsOf(w.Info, s.Call)
	if n < 0 {
		return reasonUntyped
	}
	s.open = s.Call
	s.operands = append([]ast.Expr{s.Call.Fun}, s.Call.Args...)
	if reason := w.operandsCanRestart(s); reason != "" {
		return reason
	}
	cur := s.cur
	for cur.ParentEdgeKind() == edge.ParenExpr_X {
		cur = cur.Parent()
	}
	parent := cur.Parent()
	switch p := parent.Node().(type) {
	case *ast.ExprStmt, *ast.GoStmt, *ast.DeferStmt:
		return w.classifyStmt(s, parent, n)
	case *ast.AssignStmt:
		if n > 1 {
			s.operands = append(p.Lhs[:len(p.Lhs):len(p.Lhs)], s.operands...)
			return w.classifyStmt(s, parent, n)
		}
	case *ast.ReturnStmt:
		if n > 1 {
			s.form, s.open, s.stmt = formReturn, p, parent
			s.types = w.names.results(n)
			return ""
		}
	case *ast.ValueSpec:
		if n > 1 && s.Func != nil {
			return w.classifyVar(s, parent)
		}
	}
	if n > 1 {
		var reason string
		s.form = formSeveral
		s.types, reason = w.typeList(results, s.Call.Pos())
		return reason
	}
	s.form = formExpr
	return ""
}

// operandsCanRestart sees that the operand after which the probe restarts can
// be wrapped.
func (w *rewriter) operandsCanRestart(s *site) string {
	found, certain := lastCalls(w.Info, s.operands)
	s.later = certain && (s.Group != 0 || s.Within != 0)
	for _, e := range found {
		c, ok := e.(*ast.CallExpr)
		if !ok {
			continue
		}
		if n, results := resultsOf(w.Info, c); n > 1 {
			if _, reason := w.typeList(results, c.Pos()); reason != "" {
				return reason
			}
		}
	}
	return ""
}

// classifyStmt finds the form of a call that makes a simple statement of n
// results.
func (w *rewriter) classifyStmt(s *site, stmt inspector.Cursor, n int) string {
	s.open, s.stmt = stmt.Node(), stmt
	switch stmt.ParentEdgeKind() {
	case edge.IfStmt_Init:
		s.form = formInitIf
	case edge.SwitchStmt_Init:
		s.form = formInitTag
	case edge.TypeSwitchStmt_Init:
		s.form = formInitType
	case edge.ForStmt_Init:
		s.form = formInitFor
	case edge.ForStmt_Post:
		s.form = formPost
	default:
		s.form = formStmt
		if _, ok := stmt.Node().(*ast.DeferStmt); ok {
			s.form = formDefer
			// Its operands are evaluated long before the probe opens.
			s.open, s.operands, s.later = s.Call, nil, false
		}
		return ""
	}
	if n == 1 {
		s.form, s.open = formExpr, s.Call
	}
	return ""
}

func (w *rewriter) classifyVar(s *site, spec inspector.Cursor) string {
	decl := spec.Parent()
	if decl.Node().(*ast.GenDecl).Lparen.IsValid() {
		s.form, s.open, s.stmt = formVarSpec, spec.Node(), spec
		return ""
	}
	s.form, s.open, s.stmt = formStmt, decl.Node(), decl
	return ""
}

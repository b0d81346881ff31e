package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
)

// A StatementProbe asks for a probe around one of the statements that a function's
// body is made of, however control leaves it: at its end or by a return within.
// What such a return evaluates is not part of it.
type StatementProbe struct {
	ID   int
	Stmt ast.Stmt
	// Rounds is the probe that counts how often a loop goes round, without a
	// clock; it is not looked at for other statements.
	Rounds int
}

const (
	reasonReturn = "a return's operands are not timed apart"
	reasonJump   = "control leaves it by a jump"
)

// Statements returns f's source with probes around statements of one function,
// and refuses those that can't have one. All else is as for [Rewrite].
func Statements(f File, fn ast.Node, probes []StatementProbe) (out []byte, refused []Refusal, err error) {
	w := newRewriter(f)
	cur, ok := w.root.FindNode(fn)
	body := bodyOf(fn)
	if !ok || body == nil {
		return nil, nil, fmt.Errorf("probing statements: the function is not in %s, or has no body", f.Name)
	}
	reason := w.refuser.function(enclosingDecl(cur))
	marks := 0
	for _, p := range probes {
		why := reason
		if why == "" {
			why = statementReason(body, p.Stmt)
		}
		if why != "" {
			w.refuse(p.ID, p.Stmt, why)
			continue
		}
		w.statement(body, p, marks)
		marks++
	}
	if marks > 0 {
		w.following(body.Lbrace, len("{"), rankBlock, fmt.Sprintf(" var %s [%d]%s.Mark;", w.names.marks, marks, w.names.probe))
	}
	return w.finish(marks)
}

// statement queues the edits of one probe.
func (w *rewriter) statement(body *ast.BlockStmt, p StatementProbe, mark int) {
	begin := fmt.Sprintf("%s.Begin(&%s[%d], %d); ", w.names.probe, w.names.marks, mark, p.ID)
	end := fmt.Sprintf("%s.End(&%s[%d], %d)", w.names.probe, w.names.marks, mark, p.ID)
	after := "; " + end
	if p.Stmt == body.List[len(body.List)-1] && !fallsThrough(p.Stmt) {
		after = "" // it may be what ends a function with results
	}
	w.around(p.Stmt, rankBlock, begin, after)
	within(p.Stmt, func(n ast.Node) {
		if r, ok := n.(*ast.ReturnStmt); ok {
			w.around(r, rankStmt, end+"; ", "")
		}
	})
	if loop := loopBody(p.Stmt); loop != nil {
		w.following(loop.Lbrace, len("{"), rankBlock, fmt.Sprintf(" %s.Hit(%d);", w.names.probe, p.Rounds))
	}
}

// fallsThrough says that control can surely come to the end of a statement, as far
// as its kind tells (terminating statements, Go spec).
func fallsThrough(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt, *ast.IncDecStmt, *ast.DeclStmt, *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt, *ast.RangeStmt:
		return true
	case *ast.ForStmt:
		return s.Cond != nil
	}
	return false
}

// statementReason is why a statement of a body can't have a probe; "" if it can.
func statementReason(body *ast.BlockStmt, s ast.Stmt) string {
	if _, ok := s.(*ast.ReturnStmt); ok {
		return reasonReturn
	}
	own := make(map[string]bool)
	within(s, func(n ast.Node) {
		if l, ok := n.(*ast.LabeledStmt); ok {
			own[l.Label.Name] = true
		}
	})
	jumps := false
	within(body, func(n ast.Node) {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			jumps = true // it may come in from elsewhere, and may jump over no declaration
		}
	})
	within(s, func(n ast.Node) {
		if b, ok := n.(*ast.BranchStmt); ok && b.Label != nil && !own[b.Label.Name] {
			jumps = true
		}
	})
	if jumps {
		return reasonJump
	}
	return ""
}

// within visits what a node is made of, without the literals in it: these run at
// another time.
func within(n ast.Node, visit func(ast.Node)) {
	ast.Inspect(n, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if n != nil {
			visit(n)
		}
		return true
	})
}

// loopBody is the body of a loop, nil of anything else.
func loopBody(s ast.Stmt) *ast.BlockStmt {
	switch s := s.(type) {
	case *ast.ForStmt:
		return s.Body
	case *ast.RangeStmt:
		return s.Body
	case *ast.LabeledStmt:
		return loopBody(s.Stmt)
	}
	return nil
}

// IsLoop reports whether a statement is a loop, and so has rounds to count.
func IsLoop(s ast.Stmt) bool { return loopBody(s) != nil }

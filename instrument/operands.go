package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
)

// lastCalls returns the calls among the operands of a probed call that may be
// the last to be evaluated before it, when exprs are what is evaluated between
// the probe's start and the call, in this order. Receives count as calls:
// Go evaluates them in the same order, and they wait.
//
// All but the last one returned are in the right operand of && or ||, so that
// they may be skipped; the last one isn't, if there is such a one.
func lastCalls(info *types.Info, exprs []ast.Expr) []ast.Expr {
	o := operands{info: info}
	o.list(exprs, false)
	return o.found
}

// operands walks expressions against the order of evaluation until it has
// found a call that is certainly evaluated.
type operands struct {
	info  *types.Info
	found []ast.Expr
}

// list reports whether the search is over. Within a skippable operand it never
// is.
func (o *operands) list(exprs []ast.Expr, skippable bool) bool {
	for i := len(exprs) - 1; i >= 0; i-- {
		if exprs[i] != nil && o.expr(exprs[i], skippable) {
			return true
		}
	}
	return false
}

func (o *operands) expr(e ast.Expr, skippable bool) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return o.call(e, skippable)
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return o.add(e, skippable)
		}
		return o.expr(e.X, skippable)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			o.expr(e.Y, true)
			return o.expr(e.X, skippable)
		}
		return o.list([]ast.Expr{e.X, e.Y}, skippable)
	case *ast.ParenExpr:
		return o.expr(e.X, skippable)
	case *ast.SelectorExpr:
		return o.expr(e.X, skippable)
	case *ast.StarExpr:
		return o.expr(e.X, skippable)
	case *ast.TypeAssertExpr:
		return o.expr(e.X, skippable)
	case *ast.IndexExpr:
		return o.list([]ast.Expr{e.X, e.Index}, skippable)
	case *ast.SliceExpr:
		return o.list([]ast.Expr{e.X, e.Low, e.High, e.Max}, skippable)
	case *ast.KeyValueExpr:
		return o.list([]ast.Expr{e.Key, e.Value}, skippable)
	case *ast.CompositeLit:
		return o.list(e.Elts, skippable)
	}
	return false // names, literals and types call nothing
}

func (o *operands) call(c *ast.CallExpr, skippable bool) bool {
	switch kindOf(o.info, c) {
	case kindCall, kindC:
		return o.add(c, skippable)
	case kindUnevaluated:
		return false
	}
	return o.list(c.Args, skippable)
}

// add notes a call. In a skippable operand only its last call matters there,
// but what precedes it may be the last one evaluated when the operand ends
// early, so the search goes on.
func (o *operands) add(e ast.Expr, skippable bool) bool {
	o.found = append(o.found, e)
	return !skippable
}

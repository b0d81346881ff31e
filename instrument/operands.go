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
// they may be skipped; the last one isn't, if that is certain.
func lastCalls(info *types.Info, exprs []ast.Expr) (found []ast.Expr, certain bool) {
	o := operands{info: info}
	certain = o.list(exprs)
	return o.found, certain
}

// operands walks expressions against the order of evaluation until it has
// found a call that is certainly evaluated.
type operands struct {
	info  *types.Info
	found []ast.Expr
}

// list reports whether the search is over.
func (o *operands) list(exprs []ast.Expr) bool {
	for i := len(exprs) - 1; i >= 0; i-- {
		if exprs[i] != nil && o.expr(exprs[i]) {
			return true
		}
	}
	return false
}

func (o *operands) expr(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CallExpr:
		return o.call(e)
	case *ast.UnaryExpr:
		if e.Op == token.ARROW {
			return o.add(e)
		}
		return o.expr(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.LAND || e.Op == token.LOR {
			o.expr(e.Y) // may be skipped, and what it finds not be the last
			return o.expr(e.X)
		}
		return o.list([]ast.Expr{e.X, e.Y})
	case *ast.ParenExpr:
		return o.expr(e.X)
	case *ast.SelectorExpr:
		return o.expr(e.X)
	case *ast.StarExpr:
		return o.expr(e.X)
	case *ast.TypeAssertExpr:
		return o.expr(e.X)
	case *ast.IndexExpr:
		return o.list([]ast.Expr{e.X, e.Index})
	case *ast.SliceExpr:
		return o.list([]ast.Expr{e.X, e.Low, e.High, e.Max})
	case *ast.KeyValueExpr:
		return o.list([]ast.Expr{e.Key, e.Value})
	case *ast.CompositeLit:
		return o.list(e.Elts)
	}
	return false // names, literals and types call nothing
}

func (o *operands) call(c *ast.CallExpr) bool {
	switch kindOf(o.info, c) {
	case kindCall, kindC:
		return o.add(c)
	case kindUnevaluated:
		return false
	}
	return o.list(c.Args)
}

func (o *operands) add(e ast.Expr) bool {
	o.found = append(o.found, e)
	return true
}

package instrument

import (
	"go/ast"
	"go/types"
)

// kind tells calls from what only looks like one.
type kind int

const (
	kindCall        kind = iota // calls a function
	kindConversion              // T(x)
	kindBuiltin                 // len(x)
	kindUnevaluated             // unsafe.Sizeof(x) and its like: x is never evaluated
	kindC                       // a call or a conversion, only cgo knows: C.f(x)
)

func kindOf(info *types.Info, c *ast.CallExpr) kind {
	tv := info.Types[c.Fun]
	switch {
	case isC(info, c.Fun):
		return kindC
	case tv.IsType():
		return kindConversion
	case tv.IsBuiltin():
		if b, ok := usedObject(info, c.Fun).(*types.Builtin); ok {
			switch b.Name() {
			case "Sizeof", "Offsetof", "Alignof":
				return kindUnevaluated
			}
		}
		return kindBuiltin
	case tv.Type == nil, tv.Type == types.Typ[types.Invalid]:
		return kindC
	}
	return kindCall
}

// isC reports whether e is C.name, which has no type before cgo has run.
func isC(info *types.Info, e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return false
	}
	pkg, ok := info.Uses[id].(*types.PkgName)
	return ok && pkg.Imported().Path() == "C"
}

// usedObject returns what e names, or nil: of x.m it is m, of f[T] it is f.
func usedObject(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Uses[e]
	case *ast.SelectorExpr:
		return info.Uses[e.Sel]
	case *ast.IndexExpr:
		return usedObject(info, e.X)
	case *ast.IndexListExpr:
		return usedObject(info, e.X)
	}
	return nil
}

// resultsOf returns how many results a call has, and their types where they
// are known.
func resultsOf(info *types.Info, c *ast.CallExpr) (int, *types.Tuple) {
	if t := info.TypeOf(c.Fun); t != nil {
		if sig, ok := coreSignature(t); ok {
			return sig.Results().Len(), tupleOf(info, c, sig)
		}
	}
	return -1, nil
}

// tupleOf prefers the type of the call to the signature's results, for the
// latter may be those of a generic function.
func tupleOf(info *types.Info, c *ast.CallExpr, sig *types.Signature) *types.Tuple {
	if t, ok := info.TypeOf(c).(*types.Tuple); ok {
		return t
	}
	return sig.Results()
}

// coreSignature returns the signature that all types of t's type set have.
func coreSignature(t types.Type) (*types.Signature, bool) {
	if sig, ok := t.Underlying().(*types.Signature); ok {
		return sig, true
	}
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return nil, false
	}
	u, ok := p.Constraint().Underlying().(*types.Interface)
	if !ok {
		return nil, false
	}
	for e := range u.EmbeddedTypes() {
		switch e := e.(type) {
		case *types.Union:
			if e.Len() > 0 {
				return coreSignature(e.Term(0).Type())
			}
		default:
			if sig, ok := coreSignature(e); ok {
				return sig, true
			}
		}
	}
	return nil, false
}

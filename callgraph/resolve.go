package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// resolve takes an SSA function to the function that is written down: an
// instance to its origin, a wrapper, thunk or bound method to the method, the
// body of a range-over-func loop to the function around it. It gives nil for
// what nobody wrote: package initialisers and methods of interfaces.
func (p *Program) resolve(f *ssa.Function) *Function {
	if f == nil {
		return nil
	}
	for isLoopBody(f) {
		f = f.Parent()
	}
	if f.Syntax() != nil {
		if fn := p.functions.byNode[f.Syntax()]; fn != nil {
			return fn
		}
	}
	if origin := f.Origin(); origin != nil && origin != f {
		return p.resolve(origin)
	}
	obj, ok := f.Object().(*types.Func)
	if !ok || interfaceMethod(f) != nil {
		return nil
	}
	return p.named(objectName(obj), packagePath(obj))
}

func packagePath(obj types.Object) string {
	if obj.Pkg() == nil {
		return ""
	}
	return obj.Pkg().Path()
}

// interfaceMethod gives the method of an interface that f wraps, or nil.
func interfaceMethod(f *ssa.Function) *types.Func {
	obj, ok := f.Object().(*types.Func)
	if !ok || obj.Signature().Recv() == nil || !types.IsInterface(obj.Signature().Recv().Type()) {
		return nil
	}
	return obj
}

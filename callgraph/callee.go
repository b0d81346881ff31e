package callgraph

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// callees gives the functions that a call can reach, and the instances of
// generic ones.
func (p *Program) callees(fn *Function, s site) (fns []*Function, instances []string) {
	add := func(f *ssa.Function) {
		if callee := p.resolve(f); callee != nil {
			fns = append(fns, callee)
		}
		if len(f.TypeArgs()) > 0 {
			instances = append(instances, instance(f))
		}
	}
	common := s.Common()
	switch static := common.StaticCallee(); {
	case static != nil && interfaceMethod(static) == nil:
		add(static)
		if fn.generic() && len(static.TypeArgs()) > 0 {
			instances = nil // written in terms of the caller's parameters
			for _, f := range p.candidates(fn, s) {
				add(f)
			}
		}
	case static != nil:
		for _, f := range p.index().methods(interfaceMethod(static)) {
			add(f)
		}
	default:
		for _, f := range p.candidates(fn, s) {
			add(f)
		}
	}
	slices.Sort(instances)
	return sortedFunctions(fns), slices.Compact(instances)
}

// generic reports whether the function, or one around it, has type parameters.
func (fn *Function) generic() bool {
	if len(fn.bodies) == 0 {
		return false
	}
	f := fn.bodies[0]
	for f.Parent() != nil {
		f = f.Parent()
	}
	return f.TypeParams().Len() > 0 || f.Signature.RecvTypeParams().Len() > 0
}

func instance(f *ssa.Function) string {
	var args []string
	for _, t := range f.TypeArgs() {
		args = append(args, types.TypeString(t, (*types.Package).Name))
	}
	name := f.Name()
	if i := strings.IndexByte(name, '['); i >= 0 {
		name = name[:i]
	}
	return fmt.Sprintf("%s[%s]", name, strings.Join(args, ","))
}

// handedOver gives the functions among the arguments of a call.
func (p *Program) handedOver(common *ssa.CallCommon) []*Function {
	var fns []*Function
	args := common.Args
	if static := common.StaticCallee(); static != nil && static.Signature.Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	for _, arg := range args {
		for _, f := range functionValues(arg, make(map[ssa.Value]bool)) {
			if fn := p.resolve(f); fn != nil && !isLoopBody(f) {
				fns = append(fns, fn)
			}
		}
	}
	return sortedFunctions(fns)
}

// functionValues follows a value back to the functions it is made of, within
// one function and through variadic arguments.
func functionValues(v ssa.Value, seen map[ssa.Value]bool) []*ssa.Function {
	if seen[v] {
		return nil
	}
	seen[v] = true
	var fns []*ssa.Function
	follow := func(v ssa.Value) { fns = append(fns, functionValues(v, seen)...) }
	switch v := v.(type) {
	case *ssa.Function:
		return []*ssa.Function{v}
	case *ssa.MakeClosure:
		return []*ssa.Function{v.Fn.(*ssa.Function)}
	case *ssa.ChangeType:
		follow(v.X)
	case *ssa.MakeInterface:
		follow(v.X)
	case *ssa.Phi:
		for _, edge := range v.Edges {
			follow(edge)
		}
	case *ssa.UnOp: // a variable that a closure captures lives in a cell
		if cell, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			for _, stored := range stores(cell) {
				follow(stored)
			}
		}
	case *ssa.Slice: // of the array that holds variadic arguments
		if array, ok := v.X.(*ssa.Alloc); ok {
			for _, ref := range *array.Referrers() {
				if at, ok := ref.(*ssa.IndexAddr); ok {
					for _, stored := range stores(at) {
						follow(stored)
					}
				}
			}
		}
	}
	return fns
}

// stores gives the values that are stored to an address.
func stores(addr ssa.Value) []ssa.Value {
	var vals []ssa.Value
	for _, ref := range *addr.Referrers() {
		if store, ok := ref.(*ssa.Store); ok && store.Addr == addr {
			vals = append(vals, store.Val)
		}
	}
	return vals
}

package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Recursive reports whether fn can reach itself. It errs on the side of true:
// see [Program.Reach].
func (p *Program) Recursive(fn *Function) bool {
	for callee := range p.next(fn) {
		if callee == fn || p.reach(callee)[fn] {
			return true
		}
	}
	return false
}

// Reach gives fn and all functions that it can reach, sorted by name, those
// without source included (as leaves). A function reaches what it may call,
// every function that it mentions (whoever gets the value may call it), the
// literals inside it, and, if it calls something unknown, the methods of
// whatever it converts to an interface and of interface values that it hands
// over.
func (p *Program) Reach(fn *Function) []*Function {
	var list []*Function
	for f := range p.reach(fn) {
		list = append(list, f)
	}
	return sortedFunctions(list)
}

func (p *Program) reach(fn *Function) edgeSet {
	found := edgeSet{fn: true}
	todo := []*Function{fn}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for callee := range p.next(f) {
			if !found[callee] {
				found[callee] = true
				todo = append(todo, callee)
			}
		}
	}
	return found
}

// next gives what fn reaches in one step.
func (p *Program) next(fn *Function) edgeSet {
	if set, ok := p.edges[fn]; ok {
		return set
	}
	set := make(edgeSet)
	if p.edges == nil {
		p.edges = make(map[*Function]edgeSet)
	}
	p.edges[fn] = set
	for _, f := range fn.bodies {
		p.reachFrom(fn, f, set)
		for _, g := range p.index().copies[fn.Node] {
			if g != f {
				p.reachFrom(fn, g, set)
			}
		}
	}
	delete(set, nil)
	return set
}

// reachFrom adds what one SSA body of fn, loop bodies included, reaches.
func (p *Program) reachFrom(fn *Function, f *ssa.Function, set edgeSet) {
	unknown := false
	for _, s := range sites(f) {
		callees, _ := p.callees(fn, s)
		for _, callee := range callees {
			set[callee] = true
			unknown = unknown || !callee.HasBody()
		}
		unknown = unknown || len(callees) == 0
		if len(callees) == 0 || !callees[0].HasBody() {
			p.reachArguments(s.Common(), set)
		}
	}
	for mentioned := range mentions(f) {
		if g := p.resolve(mentioned); g != fn {
			set[g] = true
		}
	}
	for _, anon := range literalsOf(f) {
		set[p.resolve(anon)] = true
	}
	if unknown {
		p.reachConversions(f, set)
	}
}

// literalsOf gives the literals directly in f, those in its loop bodies included.
func literalsOf(f *ssa.Function) []*ssa.Function {
	var list []*ssa.Function
	for _, anon := range f.AnonFuncs {
		if isLoopBody(anon) {
			list = append(list, literalsOf(anon)...)
		} else {
			list = append(list, anon)
		}
	}
	return list
}

// mentions gives the functions used as values in f and its loop bodies.
func mentions(f *ssa.Function) map[*ssa.Function]bool {
	found := usedAsValues(f)
	for _, anon := range f.AnonFuncs {
		if isLoopBody(anon) {
			for g := range mentions(anon) {
				found[g] = true
			}
		}
	}
	for g := range found {
		if isLoopBody(g) {
			delete(found, g)
		}
	}
	return found
}

// reachArguments adds the methods behind interface values that an unknown
// callee is handed.
func (p *Program) reachArguments(common *ssa.CallCommon, set edgeSet) {
	for _, arg := range common.Args {
		iface, ok := arg.Type().Underlying().(*types.Interface)
		if !ok || types.IsInterface(arg.Type()) && isConversion(arg) {
			continue
		}
		for i := range iface.NumMethods() {
			for _, f := range p.index().methods(iface.Method(i)) {
				set[p.resolve(f)] = true
			}
		}
	}
}

func isConversion(v ssa.Value) bool {
	_, ok := v.(*ssa.MakeInterface)
	return ok
}

// reachConversions adds the methods of the types that f converts to an interface.
func (p *Program) reachConversions(f *ssa.Function, set edgeSet) {
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			conv, ok := instr.(*ssa.MakeInterface)
			if !ok {
				continue
			}
			methods := types.NewMethodSet(conv.X.Type())
			for i := range methods.Len() {
				method := methods.At(i).Obj().(*types.Func)
				if g := p.functions.byName[objectName(method)]; g != nil && g.HasBody() {
					set[g] = true
				}
			}
		}
	}
	for _, anon := range f.AnonFuncs {
		if isLoopBody(anon) {
			p.reachConversions(anon, set)
		}
	}
}

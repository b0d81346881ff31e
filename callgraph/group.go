package callgraph

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Group is the functions that a function is recursive with, as one layer. The whole is
// the outermost activation of any member: what a call within the group takes is counted
// there already. The parts are the calls that leave the group and the leaves; what is
// left is the members' own code.
type Group struct {
	Func *Function // through which the group is entered
	// Members are the functions that call each other in circles, Func first and the others
	// by name, each with its calls that leave the group. A function that is not recursive
	// is the only member, with all its calls.
	Members []*Layer
	// Leaves are functions with a body outside of the group that a call may reach which may
	// as well stay in it, by name: the simple nodes of a tree. No call stands for them, so
	// they are to be timed by their bodies.
	Leaves []*Function
}

// Group gives the group of fn: the strongly connected part of the call graph that it lies
// in. Only calls count that are written or that VTA found, on one goroutine: what a go
// statement starts is no activation within another. Of functions whose callee is unknown
// those that it is handed are taken to be called. So a group is no larger than what can
// be seen to be recursive, where [Program.Recursive] errs on the side of true.
// The error is that of [Program.Layer].
func (p *Program) Group(fn *Function) (*Group, error) {
	entrance, err := p.Layer(fn)
	if err != nil {
		return nil, err
	}
	members := p.circle(fn)
	g := &Group{Func: fn}
	leaves := make(edgeSet)
	for _, m := range members {
		layer := entrance
		if m != fn {
			if layer, err = p.Layer(m); err != nil {
				return nil, err
			}
		}
		g.Members = append(g.Members, p.leaving(layer, members, leaves))
	}
	slices.SortStableFunc(g.Members, func(a, b *Layer) int {
		switch fn {
		case a.Func:
			return -1
		case b.Func:
			return 1
		}
		return 0
	})
	for leaf := range leaves {
		g.Leaves = append(g.Leaves, leaf)
	}
	g.Leaves = sortedFunctions(g.Leaves)
	return g, nil
}

// leaving is a layer without the calls that may stay among members, or lead back to one
// that they hand to an unknown callee. What else those may reach is added to leaves.
func (p *Program) leaving(l *Layer, members []*Function, leaves edgeSet) *Layer {
	out := &Layer{Func: l.Func}
	member := func(fn *Function) bool { return slices.Contains(members, fn) }
	stays := func(c *Call) bool {
		known := slices.ContainsFunc(c.Callees, (*Function).HasBody)
		if c.Go || !slices.ContainsFunc(c.Callees, member) && (known || !slices.ContainsFunc(c.Literals, member)) {
			return false
		}
		for _, callee := range c.Callees {
			if !slices.Contains(members, callee) && callee.HasBody() {
				leaves[callee] = true
			}
		}
		return true
	}
	for _, c := range l.Calls {
		if !stays(c) {
			out.Calls = append(out.Calls, c)
		}
	}
	for _, c := range l.Implicit {
		if !stays(c) {
			out.Implicit = append(out.Implicit, c)
		}
	}
	return out
}

// circle gives the functions that fn calls and that call fn, with whatever is between,
// and fn, sorted by name.
func (p *Program) circle(fn *Function) []*Function {
	callers := make(map[*Function][]*Function)
	seen := edgeSet{fn: true}
	for todo := []*Function{fn}; len(todo) > 0; {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for callee := range p.calls(f) {
			callers[callee] = append(callers[callee], f)
			if !seen[callee] {
				seen[callee] = true
				todo = append(todo, callee)
			}
		}
	}
	in := edgeSet{fn: true}
	members := []*Function{fn}
	for todo := []*Function{fn}; len(todo) > 0; {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, caller := range callers[f] {
			if !in[caller] {
				in[caller] = true
				members = append(members, caller)
				todo = append(todo, caller)
			}
		}
	}
	return sortedFunctions(members)
}

// calls gives what a function calls on its goroutine.
func (p *Program) calls(fn *Function) edgeSet {
	set := make(edgeSet)
	for _, body := range fn.bodies {
		for _, f := range append([]*ssa.Function{body}, p.index().copies[fn.Node]...) {
			for _, s := range sites(f) {
				if _, started := s.CallInstruction.(*ssa.Go); !started {
					p.addCalls(s, set)
				}
			}
		}
	}
	delete(set, nil)
	return set
}

// addCalls adds what one call reaches, as written or as VTA found it.
func (p *Program) addCalls(s site, set edgeSet) {
	found := p.analysed(s)
	if static := s.Common().StaticCallee(); static != nil && interfaceMethod(static) == nil {
		found = append(found, static)
	}
	unknown := len(found) == 0
	for _, f := range found {
		callee := p.resolve(f)
		if callee == nil {
			unknown = true
			continue
		}
		unknown = unknown || !callee.HasBody()
		if !isLoopBody(f) { // which runs within the activation that it is written in
			set[callee] = true
		}
	}
	if unknown {
		for _, f := range p.handedOver(s.Common()) {
			set[f] = true
		}
	}
}

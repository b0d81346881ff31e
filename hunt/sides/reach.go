package sides

import (
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

// Reached are the functions that the workload can reach, on either side: what is timed,
// and what is declared around it, which may make the handlers and tables that are then
// run where the source alone doesn't tell.
func (p Pair) Reached() map[*callgraph.Function]bool {
	return p.reachedFrom(func(s *Side) *callgraph.Function { return change.Outermost(s.Timed) })
}

// ReachedWhileTimed are those of them that the source alone says are run by what is
// timed. A declaration is, too, if a literal in it is.
func (p Pair) ReachedWhileTimed() map[*callgraph.Function]bool {
	return p.reachedFrom(func(s *Side) *callgraph.Function { return s.Timed })
}

func (p Pair) reachedFrom(start func(*Side) *callgraph.Function) map[*callgraph.Function]bool {
	reached := make(map[*callgraph.Function]bool)
	for _, s := range p.Sides() {
		for _, fn := range s.Prog.Reach(start(s)) {
			for ; fn != nil; fn = fn.Outer {
				reached[fn] = true
			}
		}
	}
	return reached
}

// UsedData are the types, constants and variables that functions refer to that are
// reached, on either side.
func (p Pair) UsedData() map[string]bool {
	used := make(map[string]bool)
	for _, s := range p.Sides() {
		for _, fn := range s.Prog.Reach(change.Outermost(s.Timed)) {
			if !fn.HasBody() || fn.Pkg.Module == nil || !fn.Pkg.Module.Main {
				continue
			}
			for name := range s.Prog.Data(fn) {
				used[name] = true
			}
		}
	}
	return used
}

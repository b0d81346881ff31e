package callgraph

// Reaching gives the functions with loaded source that can reach fn, with the least
// number of steps that it takes them; fn itself takes none. It errs on the side of too
// many, as [Program.Reach] does.
func (p *Program) Reaching(fn *Function) map[*Function]int {
	callers := make(map[*Function][]*Function)
	for _, f := range p.functions.all {
		for callee := range p.next(f) {
			callers[callee] = append(callers[callee], f)
		}
	}
	steps := map[*Function]int{fn: 0}
	for todo := []*Function{fn}; len(todo) > 0; todo = todo[1:] {
		for _, caller := range callers[todo[0]] {
			if _, known := steps[caller]; !known {
				steps[caller] = steps[todo[0]] + 1
				todo = append(todo, caller)
			}
		}
	}
	return steps
}

package callgraph

// TimedBody finds what a benchmark times. A benchmark that hands a function to
// b.Run or b.RunParallel has its work there, and so on inwards: the innermost
// such function is the body if there is exactly one. Otherwise body is nil and
// the candidates are listed; which one runs is then known at run time only
// (see [Program.FuncAt]). Without any such call fn is its own body.
func (p *Program) TimedBody(fn *Function) (body *Function, candidates []*Function, err error) {
	found := make(map[*Function]bool)
	if err := p.timed(fn, found, map[*Function]bool{}); err != nil {
		return nil, nil, err
	}
	for f := range found {
		candidates = append(candidates, f)
	}
	candidates = sortedFunctions(candidates)
	if len(candidates) == 1 {
		return candidates[0], nil, nil
	}
	return nil, candidates, nil
}

func (p *Program) timed(fn *Function, found, seen map[*Function]bool) error {
	if seen[fn] || !fn.HasBody() && len(seen) > 0 {
		return nil
	}
	seen[fn] = true
	layer, err := p.Layer(fn)
	if err != nil {
		return err
	}
	leaf := true
	for _, call := range layer.Calls {
		if !startsBenchmark(call) {
			continue
		}
		leaf = false
		for _, f := range call.Literals {
			if err := p.timed(f, found, seen); err != nil {
				return err
			}
		}
	}
	if leaf {
		found[fn] = true
	}
	return nil
}

func startsBenchmark(call *Call) bool {
	return call.target == "testing.(*B).Run" || call.target == "testing.(*B).RunParallel"
}

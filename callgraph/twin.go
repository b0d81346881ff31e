package callgraph

import "go/ast"

// Similar gives the similarity of two functions' parameters, results and
// bodies, from 0 to 1: the share of tokens that they have in common in order.
// Names and receivers don't count. Below 0.6 it may be an upper bound. It is 0
// when either has no source.
func Similar(a, b *Function) float64 {
	if !a.HasBody() || !b.HasBody() {
		return 0
	}
	return Similarity(a.tokens(), b.tokens(), similar)
}

// tokens gives the function without its name and receiver.
func (fn *Function) tokens() []string {
	if fn.words == nil {
		var typ *ast.FuncType
		switch n := fn.Node.(type) {
		case *ast.FuncDecl:
			typ = n.Type
		case *ast.FuncLit:
			typ = n.Type
		}
		src := fn.Source()
		fn.words = tokens(src[typ.Params.Pos()-fn.Node.Pos():])
	}
	return fn.words
}

// Twin finds the function that has the good function's code in bad when a
// wrapper was put around it: bad calls it, and it is more similar to good than
// bad's own function is, and at least 0.6.
func Twin(good *Function, bad *Layer) (*Function, bool) {
	best, score := (*Function)(nil), max(similar, Similar(good, bad.Func))
	for _, call := range bad.Calls {
		callee := call.Callee()
		if callee == nil || callee == bad.Func {
			continue
		}
		if s := Similar(good, callee); s > score || s == score && best == nil && s > Similar(good, bad.Func) {
			best, score = callee, s
		}
	}
	return best, best != nil
}

// Counterpart finds fn in another revision: the function of the same name,
// else the most similar one (0.6 and more) that fn's own revision doesn't have
// under that name, in the same package before others.
func (p *Program) Counterpart(fn *Function) (*Function, bool) {
	if same := p.functions.byName[fn.Name]; same != nil {
		return same, true
	}
	if !fn.HasBody() {
		return nil, false
	}
	for _, near := range []bool{true, false} {
		if twin := p.renamed(fn, near); twin != nil {
			return twin, true
		}
	}
	return nil, false
}

func (p *Program) renamed(fn *Function, samePackage bool) *Function {
	var best *Function
	score := similar
	for _, f := range p.functions.all {
		if (f.Pkg.PkgPath == fn.Pkg.PkgPath) != samePackage || isLiteral(f) != isLiteral(fn) {
			continue
		}
		if old := fn.program.functions.byName[f.Name]; old != nil && old.Node != nil {
			continue
		}
		s := Similar(fn, f)
		if s > score || s == score && (best == nil || last(f.Name) == last(fn.Name)) {
			best, score = f, s
		}
	}
	return best
}

func isLiteral(fn *Function) bool {
	_, ok := fn.Node.(*ast.FuncLit)
	return ok
}

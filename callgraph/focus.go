package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Focus says which function of the test binary is going to run. Candidates,
// and with them what is reached, then come from what it can mention and from
// the code outside of test files; other tests and benchmarks, whose handlers
// and doubles would be candidates everywhere, are left out. TestMain and
// initialisers always run. Focus(nil) takes it back.
func (p *Program) Focus(fn *Function) {
	if fn != p.focus {
		p.focus = fn
		p.dynamic, p.edges = nil, nil
	}
}

// inFocus removes from all what only other tests run.
func (p *Program) inFocus(all map[*ssa.Function]bool) {
	if p.focus == nil {
		return
	}
	runs := make(map[*ssa.Function]bool)
	var add func(*ssa.Function)
	add = func(f *ssa.Function) {
		if f == nil || runs[f] {
			return
		}
		runs[f] = true
		for _, g := range mentioned(f) {
			add(g)
		}
	}
	for f := range all {
		fn := p.resolve(f)
		if fn == nil || fn == p.focus || !onlyForTests(fn) {
			add(f)
		}
	}
	for f := range all {
		if !runs[f] {
			delete(all, f)
		}
	}
}

// onlyForTests reports whether fn is in a test file and doesn't run unless
// something mentions it. That is not so of initialisers, TestMain, and what
// is written in them.
func onlyForTests(fn *Function) bool {
	if !strings.HasSuffix(fn.Filename(), "_test.go") {
		return false
	}
	local := strings.TrimPrefix(fn.Name, fn.Pkg.PkgPath+".")
	return local != "TestMain" && !strings.HasPrefix(local, "TestMain.") && !strings.HasPrefix(local, "init.")
}

// mentioned gives what f calls, uses as a value or contains, and the methods
// of what it converts to an interface.
func mentioned(f *ssa.Function) []*ssa.Function {
	list := append([]*ssa.Function(nil), f.AnonFuncs...)
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(nil) {
				if g, ok := (*op).(*ssa.Function); ok {
					list = append(list, g)
				}
			}
			if conv, ok := instr.(*ssa.MakeInterface); ok {
				list = append(list, methodsOf(f.Prog, conv.X.Type())...)
			}
		}
	}
	return list
}

func methodsOf(prog *ssa.Program, t types.Type) []*ssa.Function {
	if types.IsInterface(t) {
		return nil
	}
	var list []*ssa.Function
	methods := prog.MethodSets.MethodSet(t)
	for i := range methods.Len() {
		if f := prog.MethodValue(methods.At(i)); f != nil {
			list = append(list, f)
		}
	}
	return list
}

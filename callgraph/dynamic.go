package callgraph

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// dynamic is what is known about calls through interfaces and function values
// in the source that is loaded.
type dynamic struct {
	copies map[ast.Node][]*ssa.Function // origin and instances
	vta    map[*ssa.Function]map[token.Pos][]*ssa.Function
	cha    *namesakes
}

// index runs VTA (variable type analysis, Sundaresan et al., OOPSLA 2000) over
// the loaded source, once.
func (p *Program) index() *dynamic {
	if p.dynamic != nil {
		return p.dynamic
	}
	d := &dynamic{
		copies: make(map[ast.Node][]*ssa.Function),
		vta:    make(map[*ssa.Function]map[token.Pos][]*ssa.Function),
	}
	all := ssautil.AllFunctions(p.ssa)
	for _, fn := range p.functions.all { // methods of types that nobody converts are not in it
		for _, f := range fn.bodies {
			all[f] = true
		}
	}
	p.inFocus(all)
	for f := range all {
		if f.Syntax() != nil {
			d.copies[f.Syntax()] = append(d.copies[f.Syntax()], f)
		}
	}
	for f, node := range vta.CallGraph(all, nil).Nodes {
		if f == nil || len(node.Out) == 0 {
			continue
		}
		at := make(map[token.Pos][]*ssa.Function)
		for _, edge := range node.Out {
			if edge.Site != nil {
				pos := edge.Site.Common().Pos()
				at[pos] = append(at[pos], edge.Callee.Func)
			}
		}
		d.vta[f] = at
	}
	d.cha = newNamesakes(all)
	p.dynamic = d
	return d
}

// candidates gives the callees of a call in fn, in any of its instances: what
// VTA found, or if that is nothing what has the right name and signature. In a
// package that was loaded later both count: values that come from its callers
// have other types than its own, and VTA only finds the latter.
func (p *Program) candidates(fn *Function, s site) []*ssa.Function {
	d := p.index()
	common := s.Common()
	found := p.analysed(s)
	if len(found) > 0 && !p.isExtended(fn.Pkg.PkgPath) || common.StaticCallee() != nil {
		return found
	}
	if common.IsInvoke() {
		return append(found, d.methods(common.Method)...)
	}
	return append(found, d.cha.values[signature(common.Signature())]...)
}

// analysed gives what VTA found of a call.
func (p *Program) analysed(s site) (found []*ssa.Function) {
	d := p.index()
	for _, f := range d.copies[s.Parent().Syntax()] {
		if pos := s.Common().Pos(); pos.IsValid() {
			found = append(found, d.vta[f][pos]...)
		}
	}
	return slices.DeleteFunc(found, func(f *ssa.Function) bool { return p.resolve(f) == nil })
}

// methods gives the methods that can be behind a method of an interface.
func (d *dynamic) methods(m *types.Func) []*ssa.Function {
	iface, ok := m.Signature().Recv().Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var want []string
	for i := range iface.NumMethods() {
		want = append(want, methodKey(iface.Method(i)))
	}
	var found []*ssa.Function
	for _, c := range d.cha.methods[methodKey(m)] {
		if !slices.ContainsFunc(want, func(key string) bool { return !c.set[key] }) {
			found = append(found, c.f)
		}
	}
	return found
}

// namesakes is class hierarchy analysis by names instead of type identity, so
// that it holds between a package that was loaded from export data first and
// from source later.
type namesakes struct {
	methods map[string][]concrete
	values  map[string][]*ssa.Function // functions used as values, by signature
}

// concrete is a method of a type that has the methods of set.
type concrete struct {
	f   *ssa.Function
	set map[string]bool
}

func newNamesakes(all map[*ssa.Function]bool) *namesakes {
	n := &namesakes{methods: make(map[string][]concrete), values: make(map[string][]*ssa.Function)}
	sets := make(map[types.Type]map[string]bool)
	values := make(map[*ssa.Function]bool)
	for f := range all {
		if obj, ok := f.Object().(*types.Func); ok && f.Synthetic == "" && f.Signature.Recv() != nil {
			base := receiverBase(obj)
			if sets[base] == nil {
				sets[base] = methodSet(base)
			}
			n.methods[methodKey(obj)] = append(n.methods[methodKey(obj)], concrete{f, sets[base]})
		}
		for v := range usedAsValues(f) {
			values[v] = true
		}
	}
	for f := range values {
		n.values[signature(f.Signature)] = append(n.values[signature(f.Signature)], f)
	}
	return n
}

func receiverBase(obj *types.Func) types.Type {
	t := types.Unalias(obj.Signature().Recv().Type())
	if ptr, ok := t.(*types.Pointer); ok {
		t = types.Unalias(ptr.Elem())
	}
	return t
}

func methodSet(base types.Type) map[string]bool {
	set := make(map[string]bool)
	ms := types.NewMethodSet(types.NewPointer(base))
	for i := range ms.Len() {
		set[methodKey(ms.At(i).Obj().(*types.Func))] = true
	}
	return set
}

// methodKey is the name that an interface knows a method by. Signatures are
// left out: those of generic types are not comparable as text.
func methodKey(m *types.Func) string {
	key := m.Name()
	if !m.Exported() && m.Pkg() != nil {
		key = m.Pkg().Path() + "." + key
	}
	return key
}

// signature is the type of a function, without the names of its parameters.
func signature(s *types.Signature) string {
	var out strings.Builder
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		out.WriteString("(")
		for i := range tuple.Len() {
			out.WriteString(types.TypeString(tuple.At(i).Type(), nil) + ",")
		}
		out.WriteString(")")
	}
	return out.String()
}

// usedAsValues gives the functions that f mentions other than to call them.
func usedAsValues(f *ssa.Function) map[*ssa.Function]bool {
	found := make(map[*ssa.Function]bool)
	for _, b := range f.Blocks {
		for _, instr := range b.Instrs {
			var callee *ssa.Value
			if call, ok := instr.(ssa.CallInstruction); ok {
				callee = &call.Common().Value
			}
			for _, op := range instr.Operands(nil) {
				if v, ok := (*op).(*ssa.Function); ok && op != callee {
					found[v] = true
				}
			}
		}
	}
	return found
}

package callgraph

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// Function is a declared function or method, or a function literal. There is
// one for all instances of a generic function.
type Function struct {
	// Name is what runtime.FuncForPC would print had nothing been inlined:
	// import/path.Func, import/path.(*T).Method, import/path.T.Method, with
	// .func1 and then .1 for literals, without type arguments. The import path
	// of a main package stands in full and unescaped.
	Name string

	Pkg  *packages.Package // nil when nothing is known about the package
	File *ast.File         // nil without source
	Node ast.Node          // *ast.FuncDecl or *ast.FuncLit; nil without source
	Pos  token.Position    // of the func keyword, in the file that was parsed (//line comments don't count); in a cgo package in the user's file
	Cgo  bool              // Node is what cgo made of the user's file

	Outer *Function // the function that a literal is written in; nil in package-level initialisers

	program *Program
	bodies  []*ssa.Function // the function itself; empty when SSA has none
	tokens  []string        // see Tokens
}

// Filename is the absolute path of the file that the function is written in.
func (fn *Function) Filename() string { return fn.Pos.Filename }

// HasBody reports whether there are statements to look at; there are none in
// functions without loaded source, and in those written in assembly or linked
// by name.
func (fn *Function) HasBody() bool { return fn.Body() != nil }

// Body is the block of statements, nil where [Function.HasBody] says no.
func (fn *Function) Body() *ast.BlockStmt {
	switch n := fn.Node.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// Source is the text of the declaration, from the func keyword to the closing
// brace; nil when there is none.
func (fn *Function) Source() []byte {
	if fn.Node == nil {
		return nil
	}
	return fn.program.Text(fn.Node)
}

// Text is the source of a node as it was parsed; nil when it was not.
func (p *Program) Text(n ast.Node) []byte {
	file := p.Fset.File(n.Pos())
	if file == nil {
		return nil
	}
	src := p.contents[file.Name()]
	from, to := file.Offset(n.Pos()), file.Offset(n.End())
	if to > len(src) {
		return nil
	}
	return src[from:to]
}

// index finds functions by name, by syntax and by place.
type index struct {
	byName map[string]*Function
	byNode map[ast.Node]*Function
	byFile map[string][]*Function // functions of one file, outer before inner
	all    []*Function            // those with syntax, in order of packages and files
}

func newIndex() index {
	return index{
		byName: make(map[string]*Function),
		byNode: make(map[ast.Node]*Function),
		byFile: make(map[string][]*Function),
	}
}

// add lists a function. One that was known by name only becomes it, so that
// whoever holds it sees the source.
func (p *Program) add(fn *Function) *Function {
	x := &p.functions
	switch old := x.byName[fn.Name]; {
	case old == nil:
		x.byName[fn.Name] = fn
	case old.Node == nil:
		*old = *fn
		fn = old
	}
	x.byNode[fn.Node] = fn
	x.all = append(x.all, fn)
	places := map[string]bool{fn.Pos.Filename: true, p.Fset.Position(fn.Node.Pos()).Filename: true}
	for name := range places {
		x.byFile[name] = append(x.byFile[name], fn)
	}
	return fn
}

// Lookup gives the function of exactly this name, with source or without; nil if nothing
// that is loaded declares or calls it.
func (p *Program) Lookup(name string) *Function { return p.functions.byName[name] }

// Of gives the function of a declaration or literal; nil if it is none of the loaded ones.
func (p *Program) Of(node ast.Node) *Function { return p.functions.byNode[node] }

// named gives the function of this name, making one without source for names
// that were not seen before.
func (p *Program) named(name, pkgPath string) *Function {
	fn := p.functions.byName[name]
	if fn == nil {
		fn = &Function{Name: name, Pkg: p.meta[pkgPath], program: p}
		p.functions.byName[name] = fn
	}
	return fn
}

// sortedFunctions sorts by name and drops repetitions.
func sortedFunctions(fns []*Function) []*Function {
	slices.SortFunc(fns, func(a, b *Function) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(fns)
}

type edgeSet map[*Function]bool

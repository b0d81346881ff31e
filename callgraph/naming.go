package callgraph

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// objectName is the contract name of a declared function or method.
func objectName(obj *types.Func) string {
	obj = obj.Origin()
	prefix := ""
	if obj.Pkg() != nil {
		prefix = obj.Pkg().Path() + "."
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return prefix + obj.Name()
	}
	typ, pointer := types.Unalias(recv.Type()), false
	if p, ok := typ.(*types.Pointer); ok {
		typ, pointer = types.Unalias(p.Elem()), true
	}
	name := "interface"
	if named, ok := typ.(*types.Named); ok {
		name = named.Obj().Name()
	}
	if pointer {
		name = "(*" + name + ")"
	}
	return prefix + name + "." + obj.Name()
}

// namer names the functions of one package as the compiler does
// (closureName in cmd/compile/internal/ir): the literals of one function are
// counted in the order of the source, .func1 below a declaration, .1 below
// another literal, and those of package-level variables in the order of
// initialisation below init. Literals in branches that a constant rules out
// are not compiled, and come after all others here.
type namer struct {
	program *Program
	pkg     *packages.Package
	file    *ast.File
	cgo     bool
	bodies  map[ast.Node]*ssa.Function
	inits   int
}

func (n *namer) declared(decl *ast.FuncDecl) {
	obj, ok := n.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
	if !ok {
		return
	}
	name := objectName(obj)
	if decl.Recv == nil && decl.Name.Name == "init" {
		name = fmt.Sprintf("%s.%d", name, n.inits) // runtime: init.0, init.1
		n.inits++
	}
	fn := n.add(name, decl, nil)
	if decl.Body != nil {
		n.literals(fn, name+".func", decl.Body)
	}
}

func (n *namer) add(name string, node ast.Node, outer *Function) *Function {
	p := n.program
	fn := &Function{
		Name: name, Pkg: n.pkg, File: n.file, Node: node, Cgo: n.cgo, Outer: outer,
		Pos:     p.Fset.PositionFor(node.Pos(), n.cgo),
		program: p,
	}
	if body := n.bodies[node]; body != nil {
		fn.bodies = []*ssa.Function{body}
	}
	return p.add(fn)
}

// literals adds the literals directly inside root, and theirs.
func (n *namer) literals(outer *Function, prefix string, root ast.Node) {
	n.number(outer, prefix, 0, n.compiledLiterals(root))
}

func (n *namer) number(outer *Function, prefix string, from int, lits []*ast.FuncLit) {
	for i, lit := range lits {
		name := fmt.Sprintf("%s%d", prefix, from+i+1)
		fn := n.add(name, lit, outer)
		n.literals(fn, name+".", lit.Body)
	}
}

// initialisers adds the literals in package-level variables.
func (n *namer) initialisers() {
	info := n.pkg.TypesInfo
	seen := make(map[*ast.FuncLit]bool)
	count := 0
	prefix := n.pkg.PkgPath + ".init.func"
	add := func(lits []*ast.FuncLit) {
		for _, lit := range lits {
			if !seen[lit] {
				seen[lit] = true
				n.file = n.fileOf(lit)
				n.cgo = isCgo(n.file)
				n.number(nil, prefix, count, []*ast.FuncLit{lit})
				count++
			}
		}
	}
	for _, init := range info.InitOrder {
		add(n.compiledLiterals(init.Rhs))
	}
	for _, file := range n.pkg.Syntax { // var _ = ... and the like
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok && decl.Tok == token.VAR {
				add(n.compiledLiterals(decl))
			}
		}
	}
}

func (n *namer) fileOf(node ast.Node) *ast.File {
	for _, file := range n.pkg.Syntax {
		if file.FileStart <= node.Pos() && node.Pos() < file.FileEnd {
			return file
		}
	}
	return nil
}

// compiledLiterals lists the outermost literals below root, those in dead
// branches last.
func (n *namer) compiledLiterals(root ast.Node) []*ast.FuncLit {
	var live, dead []*ast.FuncLit
	var walk func(root ast.Node, into *[]*ast.FuncLit)
	walk = func(root ast.Node, into *[]*ast.FuncLit) {
		ast.Inspect(root, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.FuncLit:
				*into = append(*into, node)
				return false
			case *ast.IfStmt:
				then, other := into, into
				switch value := n.decided(node.Cond); {
				case value > 0:
					other = &dead
				case value < 0:
					then = &dead
				}
				if node.Init != nil {
					walk(node.Init, into)
				}
				walk(node.Cond, into)
				walk(node.Body, then)
				if node.Else != nil {
					walk(node.Else, other)
				}
				return false
			case *ast.ForStmt:
				if node.Cond != nil && n.decided(node.Cond) < 0 {
					walk(node.Body, &dead)
					return false
				}
			}
			return true
		})
	}
	walk(root, &live)
	return append(live, dead...)
}

// decided gives what the compiler knows of a condition without looking at
// variables: +1 always true, -1 always false, 0 unknown (staticBool in
// cmd/compile/internal/noder).
func (n *namer) decided(e ast.Expr) int {
	if v := n.pkg.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.Bool {
		if constant.BoolVal(v) {
			return 1
		}
		return -1
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return n.decided(e.X)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			return -n.decided(e.X)
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return min(n.decided(e.X), n.decided(e.Y))
		case token.LOR:
			return max(n.decided(e.X), n.decided(e.Y))
		}
	}
	return 0
}

var (
	typeArguments = regexp.MustCompile(`\[[^\[\]]*\]`)
	escaped       = strings.NewReplacer("%2e", ".", "%22", `"`, "%25", "%")
)

// plainName takes what the runtime prints to a contract name: no type
// arguments, no escapes in the import path.
func plainName(name string) string {
	for {
		short := typeArguments.ReplaceAllString(name, "")
		if short == name {
			return escaped.Replace(name)
		}
		name = short
	}
}

// addFunctions lists the functions of a package whose SSA is built.
func (p *Program) addFunctions(pkg *packages.Package) {
	bodies := ssaByNode(p.ssa.Package(pkg.Types), pkg)
	n := &namer{program: p, pkg: pkg, bodies: bodies}
	for _, file := range pkg.Syntax {
		n.file = file
		n.cgo = p.Fset.PositionFor(file.Package, false).Filename != "" && isCgo(file)
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok {
				n.declared(decl)
			}
		}
	}
	n.initialisers()
}

// ssaByNode gives the SSA of every function and literal of a package. Generic
// functions are in it as their origin.
func ssaByNode(pkg *ssa.Package, of *packages.Package) map[ast.Node]*ssa.Function {
	found := make(map[ast.Node]*ssa.Function)
	var add func(*ssa.Function)
	add = func(f *ssa.Function) {
		if f == nil {
			return
		}
		if node := f.Syntax(); node != nil {
			found[node] = f
		}
		for _, anon := range f.AnonFuncs {
			add(anon)
		}
	}
	for _, obj := range of.TypesInfo.Defs {
		if obj, ok := obj.(*types.Func); ok {
			add(pkg.Prog.FuncValue(obj))
		}
	}
	add(pkg.Func("init"))
	return found
}

// isCgo reports whether cgo generated the file.
func isCgo(file *ast.File) bool {
	return len(file.Comments) > 0 && file.Comments[0].Pos() < file.Package &&
		strings.HasPrefix(file.Comments[0].List[0].Text, "// Code generated by cmd/cgo")
}

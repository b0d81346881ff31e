package revert

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// key names a package-level declaration in one revision: F, T.M for a method
// whatever its receiver's star, and for what has no name of its own (init, _)
// the file and a count as well.
type key struct{ pkg, name string }

// decl is one function, method, type, or one specification of constants or
// variables.
type decl struct {
	side  *side
	keys  []key // one, or as many as a specification names
	pkg   *packages.Package
	file  *ast.File
	name  string       // of the file
	node  ast.Node     // *ast.FuncDecl or ast.Spec
	group *ast.GenDecl // of a spec
	text  []string     // tokens
}

func (d *decl) test() bool { return isTest(d.name) }

func isTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

func (d *decl) fn() *ast.FuncDecl {
	fn, _ := d.node.(*ast.FuncDecl)
	return fn
}

func (d *decl) structType() *ast.StructType {
	if spec, ok := d.node.(*ast.TypeSpec); ok {
		st, _ := spec.Type.(*ast.StructType)
		return st
	}
	return nil
}

func (d *decl) line(pos token.Pos) int { return d.side.prog.Fset.PositionFor(pos, false).Line }

func (d *decl) source(from, to token.Pos) string {
	file := d.side.prog.Fset.File(from)
	return string(d.side.prog.Contents(d.name)[file.Offset(from):file.Offset(to)])
}

func (d *decl) object() types.Object {
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		return d.pkg.TypesInfo.Defs[n.Name]
	case *ast.TypeSpec:
		return d.pkg.TypesInfo.Defs[n.Name]
	case *ast.ValueSpec:
		return d.pkg.TypesInfo.Defs[n.Names[0]]
	}
	return nil
}

// label is what the plan and its errors call d: the contract name of a
// function, path.Name of anything else.
func (d *decl) label() string {
	fn, ok := d.object().(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return d.pkg.PkgPath + "." + strings.SplitN(d.keys[0].name, "@", 2)[0]
	}
	recv, name, _ := strings.Cut(d.keys[0].name, ".")
	if _, pointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); pointer {
		recv = "(*" + recv + ")"
	}
	return d.pkg.PkgPath + "." + recv + "." + name
}

// same reports whether two declarations are the same code.
func (d *decl) same(other *decl) bool { return slices.Equal(d.text, other.text) }

// ref is what an object belongs to: its declaration, and which field of it
// ("" for the declared object itself and for what lies deeper).
type ref struct {
	decl  *decl
	field string
}

// side is one revision, by declarations.
type side struct {
	prog   *callgraph.Program
	decls  []*decl
	byKey  map[key]*decl
	byFile map[string][]*decl
	owners map[types.Object]ref
	pkgs   map[string]*packages.Package // all that are linked, by import path
	source map[string]*packages.Package // those with syntax
	writes map[types.Object][]*decl     // nil until somebody asks
}

func newSide(prog *callgraph.Program) *side {
	s := &side{
		prog:   prog,
		byKey:  make(map[key]*decl),
		byFile: make(map[string][]*decl),
		owners: make(map[types.Object]ref),
		pkgs:   make(map[string]*packages.Package),
		source: make(map[string]*packages.Package),
	}
	for _, pkg := range prog.Packages() {
		s.source[pkg.PkgPath] = pkg
	}
	packages.Visit(prog.Packages(), nil, func(pkg *packages.Package) {
		if old := s.pkgs[pkg.PkgPath]; old == nil || s.source[pkg.PkgPath] == pkg {
			s.pkgs[pkg.PkgPath] = pkg
		}
	})
	for _, pkg := range prog.Packages() {
		for _, file := range pkg.Syntax {
			s.addFile(pkg, file)
		}
	}
	return s
}

func (s *side) addFile(pkg *packages.Package, file *ast.File) {
	name := s.prog.Fset.File(file.Package).Name()
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.add(&decl{pkg: pkg, file: file, name: name, node: d}, funcKey(d))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if names := specNames(spec); len(names) > 0 {
					s.add(&decl{pkg: pkg, file: file, name: name, node: spec, group: d}, names...)
				}
			}
		}
	}
}

func (s *side) add(d *decl, names ...string) {
	d.side = s
	for _, name := range names {
		k := key{d.pkg.PkgPath, name}
		if name == "_" || name == "init" || strings.HasSuffix(name, "._") {
			for n := 0; ; n++ {
				k.name = fmt.Sprintf("%s@%s#%d", name, filepath.Base(d.name), n)
				if s.byKey[k] == nil {
					break
				}
			}
		}
		d.keys = append(d.keys, k)
		s.byKey[k] = d
	}
	d.text = declTokens(d)
	s.decls = append(s.decls, d)
	s.byFile[d.name] = append(s.byFile[d.name], d)
	s.own(d)
}

// own notes to whom the objects belong that d declares.
func (s *side) own(d *decl) {
	defs := d.pkg.TypesInfo.Defs
	ast.Inspect(d.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.owners[defs[n.Name]] = ref{decl: d}
			return false
		case *ast.ValueSpec:
			for _, name := range n.Names {
				s.owners[defs[name]] = ref{decl: d}
			}
			return false
		case *ast.Ident:
			if obj := defs[n]; obj != nil {
				s.owners[obj] = ref{decl: d}
			}
		}
		return true
	})
	if st := d.structType(); st != nil {
		for _, field := range st.Fields.List {
			for _, id := range fieldIdents(field) {
				if obj := defs[id]; obj != nil {
					s.owners[obj] = ref{decl: d, field: id.Name}
				}
			}
		}
	}
	delete(s.owners, nil)
}

// owner finds what obj belongs to. Instances are looked up by their origin.
func (s *side) owner(obj types.Object) (ref, bool) {
	r, ok := s.owners[origin(obj)]
	return r, ok
}

func origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// at is the declaration that a line lies in.
func (s *side) at(file string, line int) *decl {
	for _, d := range s.byFile[file] {
		if d.line(d.from()) <= line && line <= d.line(d.node.End()) {
			return d
		}
	}
	return nil
}

func (s *side) byNode(file string, node ast.Node) *decl {
	for _, d := range s.byFile[file] {
		if d.node == node {
			return d
		}
	}
	return nil
}

// from is where d starts, with its comment, which may hold directives.
func (d *decl) from() token.Pos {
	if doc := d.doc(); doc != nil {
		return doc.Pos()
	}
	if d.group != nil && !d.group.Lparen.IsValid() {
		return d.group.Pos()
	}
	return d.node.Pos()
}

func (d *decl) doc() *ast.CommentGroup {
	var doc *ast.CommentGroup
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		doc = n.Doc
	case *ast.TypeSpec:
		doc = n.Doc
	case *ast.ValueSpec:
		doc = n.Doc
	}
	if doc == nil && d.group != nil && !d.group.Lparen.IsValid() {
		doc = d.group.Doc
	}
	return doc
}

func funcKey(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return receiverName(fn) + "." + fn.Name.Name
}

func receiverName(fn *ast.FuncDecl) string {
	if id := baseType(fn.Recv.List[0].Type); id != nil {
		return id.Name
	}
	return "?"
}

// baseType is the name in *T[A, B].
func baseType(e ast.Expr) *ast.Ident {
	for {
		switch t := e.(type) {
		case *ast.Ident:
			return t
		case *ast.StarExpr:
			e = t.X
		case *ast.ParenExpr:
			e = t.X
		case *ast.IndexExpr:
			e = t.X
		case *ast.IndexListExpr:
			e = t.X
		case *ast.SelectorExpr:
			return t.Sel
		default:
			return nil
		}
	}
}

// fieldIdents are the names of a field; of an embedded one that of its type.
func fieldIdents(f *ast.Field) []*ast.Ident {
	if len(f.Names) > 0 {
		return f.Names
	}
	if id := baseType(f.Type); id != nil {
		return []*ast.Ident{id}
	}
	return nil
}

func specNames(spec ast.Spec) []string {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []string{spec.Name.Name}
	case *ast.ValueSpec:
		var names []string
		for _, id := range spec.Names {
			names = append(names, id.Name)
		}
		return names
	}
	return nil
}

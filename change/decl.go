package change

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Key names a package-level declaration in one revision: F, T.M for a method
// whatever its receiver's star, and for what has no name of its own (init, _)
// the file and a count as well.
type Key struct{ Pkg, Name string }

// Decl is one function, method, type, or one specification of constants or
// variables.
type Decl struct {
	Side     *Side
	Keys     []Key // one, or as many as a specification names
	Pkg      *packages.Package
	File     *ast.File
	Filename string       // of the file
	Node     ast.Node     // *ast.FuncDecl or ast.Spec
	Group    *ast.GenDecl // of a spec
	text     []string     // tokens
}

// Test reports whether the declaration is in a test file.
func (d *Decl) Test() bool { return IsTest(d.Filename) }

// IsTest reports whether a file is one of tests.
func IsTest(file string) bool { return strings.HasSuffix(file, "_test.go") }

// Func is the declared function; nil if it is none.
func (d *Decl) Func() *ast.FuncDecl {
	fn, _ := d.Node.(*ast.FuncDecl)
	return fn
}

// Struct is the struct type that is declared; nil if none is.
func (d *Decl) Struct() *ast.StructType {
	if spec, ok := d.Node.(*ast.TypeSpec); ok {
		st, _ := spec.Type.(*ast.StructType)
		return st
	}
	return nil
}

// Line is that of a position in the file.
func (d *Decl) Line(pos token.Pos) int { return d.Side.Prog.Fset.PositionFor(pos, false).Line }

// Source is the text between two positions.
func (d *Decl) Source(from, to token.Pos) string {
	file := d.Side.Prog.Fset.File(from)
	return string(d.Side.Prog.Contents(d.Filename)[file.Offset(from):file.Offset(to)])
}

// Object is what is declared; of a specification the first.
func (d *Decl) Object() types.Object {
	switch n := d.Node.(type) {
	case *ast.FuncDecl:
		return d.Pkg.TypesInfo.Defs[n.Name]
	case *ast.TypeSpec:
		return d.Pkg.TypesInfo.Defs[n.Name]
	case *ast.ValueSpec:
		return d.Pkg.TypesInfo.Defs[n.Names[0]]
	}
	return nil
}

// Name is what plans and errors call d: the contract name of a
// function, path.Name of anything else.
func (d *Decl) Name() string {
	fn, ok := d.Object().(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return d.Pkg.PkgPath + "." + strings.SplitN(d.Keys[0].Name, "@", 2)[0]
	}
	recv, name, _ := strings.Cut(d.Keys[0].Name, ".")
	if _, pointer := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); pointer {
		recv = "(*" + recv + ")"
	}
	return d.Pkg.PkgPath + "." + recv + "." + name
}

// Same reports whether two declarations are the same code.
func (d *Decl) Same(other *Decl) bool { return slices.Equal(d.text, other.text) }

// Start is where d starts, with its comment, which may hold directives.
func (d *Decl) Start() token.Pos {
	if doc := d.Doc(); doc != nil {
		return doc.Pos()
	}
	if d.Group != nil && !d.Group.Lparen.IsValid() {
		return d.Group.Pos()
	}
	return d.Node.Pos()
}

// Doc is its comment; nil if it has none.
func (d *Decl) Doc() *ast.CommentGroup {
	var doc *ast.CommentGroup
	switch n := d.Node.(type) {
	case *ast.FuncDecl:
		doc = n.Doc
	case *ast.TypeSpec:
		doc = n.Doc
	case *ast.ValueSpec:
		doc = n.Doc
	}
	if doc == nil && d.Group != nil && !d.Group.Lparen.IsValid() {
		doc = d.Group.Doc
	}
	return doc
}

func funcKey(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	return ReceiverName(fn) + "." + fn.Name.Name
}

// ReceiverName is the name of a method's type.
func ReceiverName(fn *ast.FuncDecl) string {
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

// FieldNames are the names of a field; of an embedded one that of its type.
func FieldNames(f *ast.Field) []*ast.Ident {
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

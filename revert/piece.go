package revert

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/change"
)

// piece is the text of one declaration in an added file.
type piece struct {
	text    string
	imports map[string]string // path by local name; "_ path" for a blank one
	of      *change.Decl      // where it is from: good's, or bad's when its signature or struct stays
	patch   *patch            // of a function with hunks of good
	line    int               // in the added file; set when that is put together
}

// file is one file of the composition as it will be compiled.
type file struct {
	name    string
	content []byte
	pieces  []*piece // of an added file
}

// header is the line directive and the compiler's directives of a declaration.
func header(d *change.Decl) string {
	list := change.Directives(d.Doc())
	line := max(d.Line(d.Node.Pos())-len(list), 1)
	return strings.Join(append([]string{fmt.Sprintf("//line %s:%d", d.Filename, line)}, list...), "\n") + "\n"
}

// headerLines is how far below its piece's first line a declaration starts.
func headerLines(d *change.Decl) int { return 1 + len(change.Directives(d.Doc())) }

// imported adds the imports that a part of d's file uses.
func imported(d *change.Decl, n ast.Node, p *piece) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := d.Pkg.TypesInfo.Uses[id].(*types.PkgName); ok {
				p.imports[pkg.Name()] = pkg.Imported().Path()
			}
		}
		return true
	})
}

// text is the declaration's source with names changed to those that they have in
// the composition. No line moves.
func (x *composition) text(t *take, p *piece) string {
	return x.edits(t.good, t.into, p, func(token.Pos) bool { return true }, nil).apply()
}

// edits change the names in a declaration of good to those that they have in the
// composition, where in says so; own gives names for what is declared in it. The imports
// that it uses there are added to p.
func (x *composition) edits(d *change.Decl, into *packages.Package, p *piece, in func(token.Pos) bool, own map[types.Object]string) *edits {
	e := newEdits(d)
	info := d.Pkg.TypesInfo
	ast.Inspect(d.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && in(id.Pos()) {
				if pkg, ok := info.Uses[id].(*types.PkgName); ok && x.ToBad(pkg.Imported().Path()) == into.PkgPath {
					e.replace(id.Pos(), n.Sel.Pos(), "") // it has moved in there
					e.rename(n.Sel, x.nameOf(info.Uses[n.Sel], n.Sel.Name))
					return false
				}
			}
		case *ast.Ident:
			obj := info.Uses[n]
			if obj == nil {
				obj = info.Defs[n]
			}
			if obj == nil || !in(n.Pos()) {
				return true
			}
			if pkg, ok := obj.(*types.PkgName); ok {
				p.imports[pkg.Name()] = x.ToBad(pkg.Imported().Path())
				return true
			}
			if dotted(d, n, obj) {
				p.imports[". "+obj.Pkg().Path()] = x.ToBad(obj.Pkg().Path())
			}
			if to, ok := own[obj]; ok {
				e.rename(n, to)
			} else {
				e.rename(n, x.nameOf(obj, n.Name))
			}
		}
		return true
	})
	return e
}

// dotted reports whether a name is known through a dot import.
func dotted(d *change.Decl, id *ast.Ident, obj types.Object) bool {
	if obj.Pkg() == nil || obj.Pkg() == d.Pkg.Types || obj.Parent() != obj.Pkg().Scope() {
		return false
	}
	for _, s := range d.File.Imports {
		if s.Name != nil && s.Name.Name == "." && s.Path.Value == strconv.Quote(obj.Pkg().Path()) {
			return true
		}
	}
	return false
}

// nameOf is what an object of good is called in the composition.
func (x *composition) nameOf(obj types.Object, name string) string {
	r, ok := x.Good.Owner(obj)
	if !ok {
		return name
	}
	if r.Field != "" {
		if to := x.fields[change.Origin(obj)]; to != "" && x.byGood[r.Decl] == nil {
			return to
		}
		return name
	}
	if to := x.alias[r.Decl]; to != "" && x.byGood[r.Decl] == nil && isFunc(obj) {
		return to
	}
	if t := x.byGood[r.Decl]; t != nil && r.Decl.Object() != nil {
		if obj := change.Origin(obj); obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() {
			return t.name(name)
		}
	}
	return name
}

func isFunc(obj types.Object) bool {
	_, ok := obj.(*types.Func)
	return ok
}

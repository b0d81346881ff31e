package revert

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
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

// render gives the files that differ from bad's, by package path.
func (x *composition) render() map[string][]*file {
	clear(x.values)
	added := make(map[string]*file)
	builds := make(map[string]*change.Decl)
	paths := make(map[string]string)
	add := func(into string, dir string, d *change.Decl, p *piece) {
		side := "good"
		if d.Side == x.Bad {
			side = "bad"
		}
		name := filepath.Join(dir, "zz_pinpoint_"+side+"_"+filepath.Base(d.Filename))
		if added[name] == nil {
			added[name] = &file{name: name}
			builds[name], paths[name] = d, into
		}
		added[name].pieces = append(added[name].pieces, p)
	}
	for _, t := range x.takes {
		p := x.takePiece(t)
		dir := filepath.Dir(x.anchor(t))
		add(t.into.PkgPath, dir, t.good, p)
		if t.adapter != nil {
			add(t.into.PkgPath, dir, t.adapter, x.adapterPiece(t))
		}
	}
	for _, p := range x.patched() {
		add(p.into.PkgPath, filepath.Dir(p.bad.Filename), p.bad, p.piece(x))
	}
	for _, b := range x.order {
		if len(x.merged[b]) > 0 {
			add(b.Pkg.PkgPath, filepath.Dir(b.Filename), b, x.mergedPiece(b))
		}
	}
	out := make(map[string][]*file)
	for _, name := range slices.Sorted(maps.Keys(added)) {
		f := added[name]
		f.assemble(x.Bad.Loaded[paths[name]].Name, builds[name])
		out[paths[name]] = append(out[paths[name]], f)
	}
	for name, path := range x.changed() {
		out[path] = append(out[path], &file{name: name, content: x.blanked(name)})
	}
	for path := range x.whole {
		out[path] = x.wholeFiles(path)
	}
	for _, files := range out {
		slices.SortFunc(files, func(a, b *file) int { return strings.Compare(a.name, b.name) })
	}
	return out
}

// anchor is a file of bad in whose directory t belongs.
func (x *composition) anchor(t *take) string {
	return x.Bad.Prog.Fset.File(t.into.Syntax[0].Package).Name()
}

// assemble writes the added file. Each declaration is announced by a line
// directive, so that compiler and runtime name the user's file.
func (f *file) assemble(pkg string, of *change.Decl) {
	imports := make(map[string]string)
	for _, p := range f.pieces {
		maps.Copy(imports, p.imports)
	}
	var b strings.Builder
	if v := buildLine(of.File); v != "" {
		b.WriteString(v + "\n\n")
	}
	if of.Test() && strings.HasSuffix(of.Pkg.Name, "_test") {
		pkg = of.Pkg.Name
	}
	fmt.Fprintf(&b, "package %s\n", pkg)
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		local, _, _ := strings.Cut(name, " ")
		fmt.Fprintf(&b, "import %s %s\n", local, strconv.Quote(imports[name]))
	}
	line := 1 + strings.Count(b.String(), "\n")
	for _, p := range f.pieces {
		p.line = line
		b.WriteString(p.text)
		line += strings.Count(p.text, "\n")
	}
	f.content = []byte(b.String())
}

// buildLine is the file's build constraint, which also sets its language version.
func buildLine(file *ast.File) string {
	for _, g := range file.Comments {
		for _, c := range g.List {
			if c.Pos() < file.Package && strings.HasPrefix(c.Text, "//go:build ") {
				return c.Text
			}
		}
	}
	return ""
}

// header is the line directive and the compiler's directives of a declaration.
func header(d *change.Decl) string {
	list := change.Directives(d.Doc())
	line := max(d.Line(d.Node.Pos())-len(list), 1)
	return strings.Join(append([]string{fmt.Sprintf("//line %s:%d", d.Filename, line)}, list...), "\n") + "\n"
}

// headerLines is how far below its piece's first line a declaration starts.
func headerLines(d *change.Decl) int { return 1 + len(change.Directives(d.Doc())) }

func (x *composition) takePiece(t *take) *piece {
	d := t.good
	p := &piece{of: d, imports: make(map[string]string)}
	if d.Group != nil && d.Group.Tok == token.CONST && !explicit(d) {
		p.text = header(d) + x.constants(t)
		return p
	}
	text := x.text(t, p)
	if d.Group != nil {
		text = d.Group.Tok.String() + " " + text
	}
	p.text = header(d) + text + "\n"
	for _, line := range change.Directives(d.Doc()) {
		if strings.HasPrefix(line, "//go:linkname") {
			p.imports["_ unsafe"] = "unsafe"
		}
		if strings.HasPrefix(line, "//go:embed") {
			p.imports["_ embed"] = "embed"
		}
	}
	return p
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
	if !ok || r.Field != "" {
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

// changed gives bad's files in which something is blanked, with their package.
func (x *composition) changed() map[string]string {
	files := make(map[string]string)
	for d := range x.gone {
		files[d.Filename] = d.Pkg.PkgPath
	}
	for d := range x.merged {
		files[d.Filename] = d.Pkg.PkgPath
	}
	return files
}

// blanked is bad's file without what is gone. Every line stays where it was.
func (x *composition) blanked(name string) []byte {
	out := slices.Clone(x.Bad.Prog.Contents(name))
	var file *ast.File
	for _, d := range x.Bad.ByFile[name] {
		file = d.File
		if x.gone[d] || len(x.merged[d]) > 0 {
			blank(out, d)
		}
	}
	for _, d := range slices.Backward(x.Bad.ByFile[name]) {
		if x.hollow[d] {
			file := d.Side.Prog.Fset.File(d.Node.Pos())
			from, to := file.Offset(d.Node.Pos()), file.Offset(d.Node.End())
			out = slices.Concat(out[:from], []byte("_ = 0"), newlines(out[from:to]), out[to:])
		}
	}
	return x.blankImports(out, name, file)
}

// blank overwrites a declaration. A constant only loses its name, since those
// after it count on its place.
func blank(out []byte, d *change.Decl) {
	file := d.Side.Prog.Fset.File(d.Node.Pos())
	if d.Group != nil && d.Group.Tok == token.CONST {
		for _, id := range d.Node.(*ast.ValueSpec).Names {
			at := file.Offset(id.Pos())
			copy(out[at:], "_"+strings.Repeat(" ", len(id.Name)-1))
		}
		return
	}
	end := file.Offset(d.Node.End())
	if d.Group != nil && !d.Group.Lparen.IsValid() {
		end = file.Offset(d.Group.End())
	}
	for end < len(out) && (out[end] == ' ' || out[end] == ';') {
		end++
	}
	for i := file.Offset(d.Start()); i < end; i++ {
		if out[i] != '\n' {
			out[i] = ' '
		}
	}
}

// newlines are what is left of a text that must not move lines.
func newlines(text []byte) []byte {
	return bytes.Repeat([]byte("\n"), bytes.Count(text, []byte("\n")))
}

// blankImports keeps the unused imports for what importing them does.
func (x *composition) blankImports(out []byte, name string, file *ast.File) []byte {
	lines := x.unused[name]
	fset := x.Bad.Prog.Fset
	for _, spec := range slices.Backward(file.Imports) {
		if !lines[fset.PositionFor(spec.Pos(), false).Line] {
			continue
		}
		from := fset.File(spec.Pos()).Offset(spec.Pos())
		path := fset.File(spec.Pos()).Offset(spec.Path.Pos())
		out = slices.Concat(out[:from], []byte("_ "), out[path:])
	}
	return out
}

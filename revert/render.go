package revert

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

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
	for _, b := range x.mergedInto() {
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

package change

import (
	"fmt"
	"go/ast"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Ref is what an object belongs to: its declaration, and which field of it
// ("" for the declared object itself and for what lies deeper).
type Ref struct {
	Decl  *Decl
	Field string
}

// Side is one revision, by declarations.
type Side struct {
	Prog     *callgraph.Program
	Decls    []*Decl
	ByKey    map[Key]*Decl
	ByFile   map[string][]*Decl
	Packages map[string]*packages.Package // all that are linked, by import path
	Loaded   map[string]*packages.Package // those with syntax

	byNode map[ast.Node]*Decl
	owners map[types.Object]Ref
	writes map[types.Object][]*Decl // nil until somebody asks
}

func newSide(prog *callgraph.Program) *Side {
	s := &Side{
		Prog:     prog,
		ByKey:    make(map[Key]*Decl),
		ByFile:   make(map[string][]*Decl),
		Packages: make(map[string]*packages.Package),
		Loaded:   make(map[string]*packages.Package),
		byNode:   make(map[ast.Node]*Decl),
		owners:   make(map[types.Object]Ref),
	}
	s.complete()
	return s
}

// complete adds what was loaded since, and reports whether there was anything.
func (s *Side) complete() bool {
	var fresh []*packages.Package
	for _, pkg := range s.Prog.Packages() {
		if s.Loaded[pkg.PkgPath] != pkg {
			s.Loaded[pkg.PkgPath] = pkg
			fresh = append(fresh, pkg)
		}
	}
	if len(fresh) == 0 {
		return false
	}
	s.writes = nil
	packages.Visit(s.Prog.Packages(), nil, func(pkg *packages.Package) {
		if old := s.Packages[pkg.PkgPath]; old == nil || s.Loaded[pkg.PkgPath] == pkg {
			s.Packages[pkg.PkgPath] = pkg
		}
	})
	for _, pkg := range fresh {
		for _, file := range pkg.Syntax {
			s.addFile(pkg, file)
		}
	}
	return true
}

// declaring is the declaration of a function; nil if it is none, or a literal.
func (s *Side) declaring(fn *callgraph.Function) *Decl { return s.byNode[fn.Node] }

func (s *Side) addFile(pkg *packages.Package, file *ast.File) {
	name := s.Prog.Fset.File(file.Package).Name()
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.add(&Decl{Pkg: pkg, File: file, Filename: name, Node: d}, funcKey(d))
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if names := specNames(spec); len(names) > 0 {
					s.add(&Decl{Pkg: pkg, File: file, Filename: name, Node: spec, Group: d}, names...)
				}
			}
		}
	}
}

func (s *Side) add(d *Decl, names ...string) {
	d.Side = s
	for _, name := range names {
		k := Key{d.Pkg.PkgPath, name}
		if name == "_" || name == "init" || strings.HasSuffix(name, "._") {
			for n := 0; ; n++ {
				k.Name = fmt.Sprintf("%s@%s#%d", name, filepath.Base(d.Filename), n)
				if s.ByKey[k] == nil {
					break
				}
			}
		}
		d.Keys = append(d.Keys, k)
		s.ByKey[k] = d
	}
	d.text = declTokens(d)
	s.Decls = append(s.Decls, d)
	s.ByFile[d.Filename] = append(s.ByFile[d.Filename], d)
	s.byNode[d.Node] = d
	s.own(d)
}

// own notes to whom the objects belong that d declares.
func (s *Side) own(d *Decl) {
	defs := d.Pkg.TypesInfo.Defs
	ast.Inspect(d.Node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.owners[defs[n.Name]] = Ref{Decl: d}
			return false
		case *ast.ValueSpec:
			for _, name := range n.Names {
				s.owners[defs[name]] = Ref{Decl: d}
			}
			return false
		case *ast.Ident:
			if obj := defs[n]; obj != nil {
				s.owners[obj] = Ref{Decl: d}
			}
		}
		return true
	})
	if st := d.Struct(); st != nil {
		for _, field := range st.Fields.List {
			for _, id := range FieldNames(field) {
				if obj := defs[id]; obj != nil {
					s.owners[obj] = Ref{Decl: d, Field: id.Name}
				}
			}
		}
	}
	delete(s.owners, nil)
}

// Owner finds what obj belongs to. Instances are looked up by their origin.
func (s *Side) Owner(obj types.Object) (Ref, bool) {
	r, ok := s.owners[Origin(obj)]
	return r, ok
}

func Origin(obj types.Object) types.Object {
	switch obj := obj.(type) {
	case *types.Func:
		return obj.Origin()
	case *types.Var:
		return obj.Origin()
	}
	return obj
}

// At is the declaration that a line lies in.
func (s *Side) At(file string, line int) *Decl {
	for _, d := range s.ByFile[file] {
		if d.Line(d.Start()) <= line && line <= d.Line(d.Node.End()) {
			return d
		}
	}
	return nil
}

// ByNode is the declaration of a node of a file.
func (s *Side) ByNode(file string, node ast.Node) *Decl {
	for _, d := range s.ByFile[file] {
		if d.Node == node {
			return d
		}
	}
	return nil
}

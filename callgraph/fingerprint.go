package callgraph

import (
	"crypto/sha256"
	"encoding/hex"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Fingerprint is equal for two revisions of a function if its source is equal
// but for comments and white space; the literals inside it count. Of functions
// without Go source the module's version stands for them, and in a main module
// the other files (assembly) of their package.
func (p *Program) Fingerprint(fn *Function) string {
	switch {
	case fn.Node == nil:
		return fn.Module()
	case !fn.HasBody():
		return p.otherFiles(fn)
	}
	return hash(Normal(fn.Source()))
}

// FingerprintDeep is Fingerprint together with what the function refers to at
// package level: values of constants, initialisers of variables, and the
// definitions of the types of all its expressions with those they are made of.
// What a variable is assigned elsewhere (in func init) is not in it.
func (p *Program) FingerprintDeep(fn *Function) string {
	own := p.Fingerprint(fn)
	if !fn.HasBody() {
		return own
	}
	return hash(own + "\n" + strings.Join(p.uses(fn), "\n"))
}

// ReachPrint gives FingerprintDeep of everything that fn can reach (see
// [Program.Reach]) by name, the functions included that initialise the
// variables used there. Functions whose source is not loaded are leaves: the
// versions of the modules that their packages import, directly or not, are in
// the map too, by "module PATH". Two revisions with equal maps run the same code.
func (p *Program) ReachPrint(fn *Function) map[string]string {
	prints := make(map[string]string)
	seen := make(map[*packages.Package]bool)
	todo := p.Reach(fn)
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, done := prints[f.Name]; done {
			continue
		}
		prints[f.Name] = p.FingerprintDeep(f)
		if f.Node == nil {
			p.versionsBelow(f.Pkg, seen, prints)
		}
		for _, init := range p.initialisers(f) {
			todo = append(todo, p.Reach(init)...)
		}
	}
	return prints
}

// versionsBelow adds the modules of pkg and of what it imports, by "module PATH".
func (p *Program) versionsBelow(pkg *packages.Package, seen map[*packages.Package]bool, prints map[string]string) {
	if pkg == nil || seen[pkg] {
		return
	}
	seen[pkg] = true
	path := "std"
	if pkg.Module != nil {
		path = pkg.Module.Path
	}
	prints["module "+path] = p.module(pkg)
	for _, imp := range pkg.Imports {
		p.versionsBelow(imp, seen, prints)
	}
}

func (p *Program) otherFiles(fn *Function) string {
	h := sha256.New()
	io.WriteString(h, Normal(fn.Source()))
	for _, name := range fn.Pkg.OtherFiles {
		data, _ := p.readFile(name)
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// uses describes the package-level things that fn refers to, sorted.
func (p *Program) uses(fn *Function) []string {
	lines := make(map[string]bool)
	objects, named := p.references(fn)
	for obj := range objects {
		lines[p.declared(obj)] = true
	}
	for n := range named {
		lines[p.definition(n)] = true
	}
	return slices.Sorted(maps.Keys(lines))
}

// definition is what a type is defined to be. Many functions are made of the same types:
// of hugo's it took a third of all to write them for each.
func (p *Program) definition(n *types.Named) string {
	text, known := p.defined[n]
	if !known {
		if p.defined == nil {
			p.defined = make(map[*types.Named]string)
		}
		text = "type " + types.TypeString(n, nil) + " " + types.TypeString(n.Underlying(), nil)
		p.defined[n] = text
	}
	return text
}

// Data describes the types, constants and variables at package level that the body of
// fn refers to: what each is declared to be, by import/path.Name.
func (p *Program) Data(fn *Function) map[string]string {
	data := make(map[string]string)
	if !fn.HasBody() {
		return data
	}
	objects, named := p.references(fn)
	for obj := range objects {
		data[obj.Pkg().Path()+"."+obj.Name()] = p.declared(obj)
	}
	for n := range named {
		if obj := n.Origin().Obj(); packageLevel(obj) {
			data[obj.Pkg().Path()+"."+obj.Name()] = "type " + types.TypeString(n.Origin().Underlying(), nil)
		}
	}
	return data
}

// references are the constants and variables at package level that fn refers to, and the
// types that its expressions are made of.
func (p *Program) references(fn *Function) (objects map[types.Object]bool, named map[*types.Named]bool) {
	info := fn.Pkg.TypesInfo
	objects, named = make(map[types.Object]bool), make(map[*types.Named]bool)
	ast.Inspect(fn.Node, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			definitions(info.TypeOf(e), named)
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		switch obj := info.Uses[id].(type) {
		case *types.Const:
			if packageLevel(obj) {
				objects[obj] = true
			}
		case *types.Var:
			if p.initialiser(obj) != nil {
				objects[obj] = true
			}
		}
		return true
	})
	return objects, named
}

// declared is what a constant or variable at package level is declared to be.
func (p *Program) declared(obj types.Object) string {
	name := obj.Pkg().Path() + "." + obj.Name()
	if c, ok := obj.(*types.Const); ok {
		return "const " + name + " = " + c.Val().ExactString()
	}
	return "var " + name + " " + Normal(p.Text(p.initialiser(obj.(*types.Var))))
}

func packageLevel(obj types.Object) bool {
	return obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope()
}

// definitions adds the named types that t is made of, by value or not.
func definitions(t types.Type, found map[*types.Named]bool) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if found[t] || t.Obj().Pkg() == nil {
			return
		}
		found[t] = true
		for arg := range t.TypeArgs().Types() {
			definitions(arg, found)
		}
		definitions(t.Underlying(), found)
	case *types.Pointer:
		definitions(t.Elem(), found)
	case *types.Slice:
		definitions(t.Elem(), found)
	case *types.Array:
		definitions(t.Elem(), found)
	case *types.Chan:
		definitions(t.Elem(), found)
	case *types.Map:
		definitions(t.Key(), found)
		definitions(t.Elem(), found)
	case *types.Struct:
		for field := range t.Fields() {
			definitions(field.Type(), found)
		}
	}
}

// initialiser gives the declaration of a package-level variable that has a value.
func (p *Program) initialiser(obj *types.Var) *ast.ValueSpec {
	if !packageLevel(obj) {
		return nil
	}
	if p.values == nil {
		p.values = make(map[types.Object]*ast.ValueSpec)
		for path := range p.sources {
			valueSpecs(p.meta[path], p.values)
		}
	}
	return p.values[obj]
}

func valueSpecs(pkg *packages.Package, into map[types.Object]*ast.ValueSpec) {
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				spec := spec.(*ast.ValueSpec)
				for _, id := range spec.Names {
					if len(spec.Values) > 0 {
						into[pkg.TypesInfo.Defs[id]] = spec
					}
				}
			}
		}
	}
}

// initialisers gives the functions mentioned where the package-level variables
// that fn uses get their values.
func (p *Program) initialisers(fn *Function) []*Function {
	if fn.Node == nil {
		return nil
	}
	var fns []*Function
	seen := make(map[ast.Node]bool)
	var walk func(root ast.Node, info *types.Info, inside bool)
	walk = func(root ast.Node, info *types.Info, inside bool) {
		if seen[root] {
			return
		}
		seen[root] = true
		ast.Inspect(root, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok && inside {
				fns = append(fns, p.functions.byNode[lit])
			}
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			switch obj := info.Uses[id].(type) {
			case *types.Func:
				if inside {
					fns = append(fns, p.named(objectName(obj), packagePath(obj)))
				}
			case *types.Var:
				if spec := p.initialiser(obj); spec != nil {
					walk(spec, p.meta[obj.Pkg().Path()].TypesInfo, true)
				}
			}
			return true
		})
	}
	walk(fn.Node, fn.Pkg.TypesInfo, false)
	return sortedFunctions(slices.DeleteFunc(fns, func(fn *Function) bool { return fn == nil }))
}

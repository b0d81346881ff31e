package measure

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// counted are the measurers that need other code.
var counted = map[string]func(arg string) (*counting, error){
	"MethodInvocationCount": invocations,
	"BoxingCount":           boxings,
	"FieldAccess":           fieldAccesses,
	"Statements":            statements,
}

// countRun runs the operation once to warm up and counts in the batch that
// follows.
func countRun(name string, c *counting) run {
	return run{
		key: "count " + name, count: c, counts: true,
		read: func(r reading) ([]Value, []string) {
			last := r.process.Batches[len(r.process.Batches)-1]
			sums := make([]float64, len(c.units))
			for id, unit := range r.units {
				if unit >= 0 {
					sums[unit] += float64(last.Parts[id].Calls)
				}
			}
			var values []Value
			for i, unit := range c.units {
				values = append(values, Value{Measurer: name, Unit: unit, Value: sums[i] / float64(last.N)})
			}
			for id, f := range r.funcs {
				if n := last.Parts[id].Calls; n > 0 && len(r.funcs) > 1 {
					values = append(values, Value{Measurer: name, Unit: c.units[0], Value: float64(n) / float64(last.N), Of: f})
				}
			}
			return values, nil
		},
	}
}

func invocations(arg string) (*counting, error) {
	m, err := ParseMatcher(arg)
	return &counting{matcher: m, rewrite: countInvocations, units: []string{"calls/op"}}, err
}

func boxings(arg string) (*counting, error) {
	if arg != "" && !slices.Contains(instrument.BoxClasses, arg) {
		return nil, fmt.Errorf("%q is none of %s", arg, strings.Join(instrument.BoxClasses, ", "))
	}
	return &counting{class: arg, rewrite: countBoxings, units: []string{"boxings/op"}}, nil
}

func fieldAccesses(arg string) (*counting, error) {
	typ, field, ok := cutLast(arg, ".")
	if !ok || typ == "" || field == "" {
		return nil, fmt.Errorf("give the field as FieldAccess=T.f or FieldAccess=import/path.T.f")
	}
	return &counting{typ: typ, field: field, rewrite: countAccesses, units: []string{"reads/op", "writes/op"}}, nil
}

func statements(arg string) (*counting, error) {
	if arg != "" {
		return nil, fmt.Errorf("no value goes with Statements")
	}
	return &counting{rewrite: countStatements, units: []string{"stmts/op"}}, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// countBoxings leaves the code as it is: the runtime counts.
func countBoxings(_ context.Context, c *counting, _ code) (rewritten, error) {
	w := rewritten{boxes: true, unit: make([]int, len(instrument.BoxClasses))}
	if c.class != "" {
		for i, class := range instrument.BoxClasses {
			if class != c.class {
				w.unit[i] = -1
			}
		}
	}
	return w, nil
}

// countInvocations counts the entries of functions whose source is loaded, the
// main module's; of others the calls that the main module's code makes by name.
func countInvocations(_ context.Context, c *counting, code code) (rewritten, error) {
	w := rewritten{files: map[string][]byte{}}
	found, outside, known := 0, 0, c.matcher.iface == ""
	ids := map[string]int{}
	matches := func(pkg *packages.Package, f *types.Func) bool {
		if matches := c.matcher.Match(fullName(f), f.Pkg().Path()); !matches || c.matcher.iface == "" {
			return matches
		}
		does, seen := implements(pkg.Types, f, c.matcher.iface)
		known = known || seen
		return does
	}
	// id is the function's probe.
	id := func(f *types.Func) int {
		name := fullName(f)
		if _, ok := ids[name]; !ok {
			ids[name] = len(ids)
			w.funcs = append(w.funcs, name)
		}
		return ids[name]
	}
	for pkg, f := range sources(code.prog) {
		var bodies []instrument.BodyHit
		var calls []instrument.CallHit
		for cur := range inspector.New([]*ast.File{f.Syntax}).Root().Preorder((*ast.FuncDecl)(nil), (*ast.CallExpr)(nil)) {
			switch n := cur.Node().(type) {
			case *ast.FuncDecl:
				if obj, ok := pkg.TypesInfo.Defs[n.Name].(*types.Func); ok && matches(pkg, obj) {
					bodies = append(bodies, instrument.BodyHit{ID: id(obj), Func: n})
				}
			case *ast.CallExpr:
				obj := callee(pkg.TypesInfo, n)
				if obj != nil && obj.Pkg() != nil && !loaded(code.prog, obj.Pkg().Path()) && matches(pkg, obj) {
					calls = append(calls, instrument.CallHit{ID: id(obj), Call: n})
				}
			}
		}
		if len(bodies)+len(calls) == 0 {
			continue
		}
		out, refused, err := instrument.CountCalls(f, bodies, calls)
		if err != nil {
			return w, err
		}
		found += len(bodies) + len(calls) - len(refused)
		outside += len(calls)
		w.files[f.Name] = out
		w.refuse(refused)
	}
	if !known {
		return w, fmt.Errorf("%s: the module's code knows no such interface", c.matcher)
	}
	if found == 0 {
		return w, fmt.Errorf("no function that can be counted matches %s in the module's code, nor among those that it calls by name", c.matcher)
	}
	if outside > 0 {
		w.notes = append(w.notes, "of functions outside the main module, the calls are counted that the module's code makes by name")
	}
	w.unit = make([]int, len(w.funcs)) // all add to the one sum
	return w, nil
}

// countAccesses counts the accesses of a field.
func countAccesses(_ context.Context, c *counting, code code) (rewritten, error) {
	w := rewritten{files: map[string][]byte{}, unit: []int{0, 1}}
	field, err := c.lookUp(code.prog)
	if err != nil {
		return w, err
	}
	taken := 0
	for _, f := range sources(code.prog) {
		// Packages know each other's types from export data, and their fields by name.
		local := twin(f, field)
		if local == nil {
			continue
		}
		out, at, refused, err := instrument.CountField(f, local, 0, 1)
		if err != nil {
			return w, err
		}
		taken += len(at)
		w.files[f.Name] = out
		w.refuse(refused)
	}
	if taken > 0 {
		w.notes = append(w.notes, fmt.Sprintf("%d places take the field's address: what goes through a pointer is not counted", taken))
	}
	return w, nil
}

// lookUp finds the field by the name of its type, with or without import path.
func (c *counting) lookUp(prog *callgraph.Program) (*types.Var, error) {
	path, name, ok := cutLast(c.typ, ".")
	if !ok {
		path, name = "", c.typ
	}
	var found []*types.Var
	var where []string
	for _, pkg := range prog.Packages() {
		if path != "" && pkg.PkgPath != path && pkg.Name != path {
			continue
		}
		obj, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if str, ok := obj.Type().Underlying().(*types.Struct); ok {
			for f := range str.Fields() {
				if f.Name() == c.field {
					found, where = append(found, f), append(where, pkg.PkgPath+"."+name)
				}
			}
		}
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("the module's code has no structure %s with a field %s", c.typ, c.field)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%s.%s could be of %s: give the import path too", c.typ, c.field, strings.Join(where, ", "))
}

// twin is the field as the file's package knows it, nil if it doesn't select it.
func twin(f instrument.File, field *types.Var) *types.Var {
	for _, s := range f.Info.Selections {
		v, ok := s.Obj().(*types.Var)
		if ok && (v.Origin() == field || v.Origin().Name() == field.Name() && v.Pkg() != nil && v.Pkg().Path() == field.Pkg().Path() && v.Origin().Pos() == field.Pos()) {
			return v.Origin()
		}
	}
	return nil
}

// countStatements leaves test files out, as go test -cover does.
func countStatements(ctx context.Context, _ *counting, code code) (rewritten, error) {
	w := rewritten{files: map[string][]byte{}, unit: []int{0}}
	for _, f := range sources(code.prog) {
		if strings.HasSuffix(f.Name, "_test.go") {
			continue
		}
		out, err := instrument.CountStatements(ctx, code.gocmd, f.Name, f.Src, 0)
		if err != nil {
			return w, err
		}
		w.files[f.Name] = out
	}
	return w, nil
}

// sources are the files of the main module's packages.
func sources(prog *callgraph.Program) func(yield func(*packages.Package, instrument.File) bool) {
	return func(yield func(*packages.Package, instrument.File) bool) {
		for _, pkg := range prog.Packages() {
			if instrument.Unprobed(pkg.PkgPath) != "" {
				continue
			}
			for _, syntax := range pkg.Syntax {
				f := instrument.FileOf(pkg, syntax, prog.Contents)
				if f.Src == nil || !strings.HasSuffix(f.Name, ".go") || isGenerated(syntax) {
					continue
				}
				if !yield(pkg, f) {
					return
				}
			}
		}
	}
}

// isGenerated reports whether cgo wrote the file, which then lies in the build
// cache, or the go command did, as the test binary's main.
func isGenerated(f *ast.File) bool {
	for _, c := range f.Comments {
		if c.Pos() < f.Package && (strings.HasPrefix(c.List[0].Text, "// Code generated by cmd/cgo") || strings.HasPrefix(c.List[0].Text, "// Code generated by 'go test'")) {
			return true
		}
	}
	return false
}

func loaded(prog *callgraph.Program, path string) bool {
	return slices.ContainsFunc(prog.Packages(), func(p *packages.Package) bool { return p.PkgPath == path })
}

// callee is the function or method that a call names; nil where it calls a value.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	f, _ := info.Uses[id].(*types.Func)
	if f == nil {
		return nil
	}
	return f.Origin()
}

// fullName is what the runtime prints: path.Func, path.(*T).Method, path.T.Method.
func fullName(f *types.Func) string {
	if f.Pkg() == nil {
		return f.Name()
	}
	path := f.Pkg().Path()
	recv := f.Signature().Recv()
	if recv == nil {
		return path + "." + f.Name()
	}
	t, star := recv.Type(), ""
	if p, ok := t.(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	name := types.TypeString(t, func(*types.Package) string { return "" })
	if named, ok := t.(*types.Named); ok {
		name = named.Obj().Name()
	}
	if star != "" {
		return path + ".(*" + name + ")." + f.Name()
	}
	return path + "." + name + "." + f.Name()
}

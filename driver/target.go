package driver

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/workload"
)

// target is the function as its source has it.
type target struct {
	decl     *ast.FuncDecl
	pkg      string // the package's name
	dir      string // of the package, in the private tree
	method   bool
	names    []string // of the parameters, the receiver first; "_" where there is none
	spelt    []string // their types
	variadic bool
	generic  bool
	results  int
	imports  map[string]string // of the types: path by the name that the file has for it
}

func targetOf(at *workload.Site, decl *ast.FuncDecl) target {
	t := target{
		decl: decl, pkg: at.Func.Pkg.Name, dir: filepath.Dir(at.Func.Filename()),
		method: decl.Recv != nil, results: decl.Type.Results.NumFields(), imports: make(map[string]string),
	}
	t.generic = decl.Type.TypeParams != nil
	source, _ := at.Source(at.Func)
	text := func(n ast.Expr) string {
		file := source.Fset.File(n.Pos())
		return string(source.Src[file.Offset(n.Pos()):file.Offset(n.End())])
	}
	add := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			typ, spelt := field.Type, ""
			if many, ok := typ.(*ast.Ellipsis); ok {
				t.variadic = true
				spelt = "[]" + text(many.Elt)
			} else {
				spelt = text(typ)
			}
			t.addImports(source.Info, typ)
			for _, name := range field.Names {
				t.names, t.spelt = append(t.names, name.Name), append(t.spelt, spelt)
			}
			if len(field.Names) == 0 {
				t.names, t.spelt = append(t.names, "_"), append(t.spelt, spelt)
			}
		}
	}
	add(decl.Recv)
	if t.method {
		t.generic = strings.Contains(t.spelt[0], "[")
	}
	add(decl.Type.Params)
	return t
}

func (t *target) addImports(info *types.Info, typ ast.Expr) {
	ast.Inspect(typ, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := info.Uses[id].(*types.PkgName); ok {
				t.imports[id.Name] = pkg.Imported().Path()
			}
		}
		return true
	})
}

// fields are the arguments as they are kept, by what holds them.
func (t target) fields(of string) (list []string) {
	for i := range t.spelt {
		list = append(list, of+"a"+strconv.Itoa(i))
	}
	return list
}

// call is the call of the function with arguments, whose results are kept alive: what
// nobody looks at, the compiler may leave out.
func (t target) call(args []string) string {
	args = slices.Clone(args)
	callee := t.decl.Name.Name
	if t.method {
		callee = args[0] + "." + callee
		args = args[1:]
	}
	if t.variadic {
		args[len(args)-1] += "..."
	}
	text := callee + "(" + strings.Join(args, ", ") + ")"
	var results []string
	for i := range t.results {
		results = append(results, "r"+strconv.Itoa(i))
	}
	if len(results) == 0 {
		return text
	}
	keep := ""
	for _, r := range results {
		keep += "; runtime.KeepAlive(" + r + ")"
	}
	return strings.Join(results, ", ") + " := " + text + keep
}

// title is the function's name as part of an identifier.
func (t target) title() string {
	name := t.decl.Name.Name
	if t.method {
		name = strings.Trim(strings.TrimPrefix(t.spelt[0], "*"), "()") + "_" + name
	}
	name, _, _ = strings.Cut(strings.Map(func(r rune) rune {
		if strings.ContainsRune("[]*., ", r) {
			return -1
		}
		return r
	}, name), "[")
	return strings.ToUpper(name[:1]) + name[1:]
}

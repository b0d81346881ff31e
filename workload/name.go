package workload

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// declared is a function of the tree by its names.
type declared struct {
	pkg    string // import path
	clause string // the package's name
	local  string // Func, T.Method or (*T).Method
}

func (d declared) full() string { return d.pkg + "." + d.local }

// A literal is named by the function that it is written in.
var literal = regexp.MustCompile(`\.func\d+(\.\d+)*$`)

// find is the one function of the tree that answers to a name, as Go prints it, with
// or without import path. Nothing is type-checked for it. The error is a
// *callgraph.NameError.
func (s *Search) find(name string) (in, full string, err error) {
	outer := literal.ReplaceAllString(name, "")
	inner := strings.TrimPrefix(name, outer)
	var exact, starless, same []declared
	for _, p := range s.code {
		for _, d := range declarations(p) {
			switch {
			case d.answers(outer, func(s string) string { return s }):
				exact = append(exact, d)
			case d.answers(outer, unstarred):
				starless = append(starless, d)
			case strings.EqualFold(last(d.local), last(outer)):
				same = append(same, d)
			}
		}
	}
	for _, matches := range [][]declared{exact, starless} {
		if len(matches) == 1 {
			return matches[0].pkg, matches[0].full() + inner, nil
		}
		if len(matches) > 1 {
			return "", "", &callgraph.NameError{Name: name, Candidates: fullNames(matches), Ambiguous: true}
		}
	}
	return "", "", &callgraph.NameError{Name: name, Candidates: fullNames(same)}
}

// answers says whether a name, both as spelt by a function, means the declaration.
func (d declared) answers(name string, spelt func(string) string) bool {
	name, local := spelt(name), spelt(d.local)
	return name == local || name == d.pkg+"."+local || name == path.Base(d.pkg)+"."+local || name == d.clause+"."+local
}

var stars = strings.NewReplacer("(*", "", ")", "", "(", "")

func unstarred(name string) string { return stars.Replace(name) }

func last(name string) string { return name[strings.LastIndex(name, ".")+1:] }

func fullNames(list []declared) []string {
	var names []string
	for _, d := range list {
		names = append(names, d.full())
	}
	slices.Sort(names)
	names = slices.Compact(names)
	return names[:min(len(names), 10)]
}

// declarations are the functions of a package outside of its tests. A file that does
// not parse is the compiler's to complain about.
func declarations(p listed) []declared {
	var list []declared
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				list = append(list, declared{p.ImportPath, p.Name, receiver(fn) + fn.Name.Name})
			}
		}
	}
	return list
}

// receiver is "T." or "(*T).", "" of a function.
func receiver(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	typ, form := ast.Unparen(fn.Recv.List[0].Type), func(name string) string { return name + "." }
	if star, ok := typ.(*ast.StarExpr); ok {
		typ, form = ast.Unparen(star.X), func(name string) string { return "(*" + name + ")." }
	}
	switch generic := typ.(type) {
	case *ast.IndexExpr:
		typ = generic.X
	case *ast.IndexListExpr:
		typ = generic.X
	}
	if id, ok := typ.(*ast.Ident); ok {
		return form(id.Name)
	}
	return ""
}

// Declared are the functions of the tree outside of its tests: their code without
// comments, by full name. What is in a main package goes by "main." too, as the runtime
// prints it, unless two programs have it.
func (s *Search) Declared() map[string]Declared {
	all := make(map[string]Declared)
	for _, p := range s.code {
		for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			fset := token.NewFileSet()
			file, _ := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if file == nil {
				continue
			}
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				var code strings.Builder
				if format.Node(&code, fset, fn) != nil {
					continue
				}
				d := Declared{Name: p.ImportPath + "." + receiver(fn) + fn.Name.Name, Code: code.String()}
				all[d.Name] = d
				if short := "main." + receiver(fn) + fn.Name.Name; p.Name == "main" {
					if other, ok := all[short]; ok && other != d {
						d = Declared{}
					}
					all[short] = d
				}
			}
		}
	}
	delete(all, "")
	return all
}

// Declared is a function with its code.
type Declared struct{ Name, Code string }

// Outer is the name of the function that a literal is written in, as Go prints them.
func Outer(name string) string { return literal.ReplaceAllString(name, "") }

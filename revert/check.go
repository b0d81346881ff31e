package revert

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"slices"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/change"
)

// complaint is one error of the compiler, by the line of the file that was
// compiled.
type complaint struct {
	pkg  string
	file string
	line int
	msg  string
	text string // with the user's position
}

// check type-checks what the files change and every loaded package that
// depends on it, from the bottom up, and stops at the first package with
// errors: those above it would only repeat them.
func (x *composition) check(files map[string][]*file) []complaint {
	checked := make(map[string]*types.Package)
	for _, pkg := range bottomUp(x.Bad) {
		if len(files[pkg.PkgPath]) == 0 && !imports(pkg, checked) {
			continue
		}
		typ, errs := x.checkPackage(pkg, files[pkg.PkgPath], checked)
		if len(errs) > 0 {
			return errs
		}
		checked[pkg.PkgPath] = typ
	}
	return nil
}

func imports(pkg *packages.Package, of map[string]*types.Package) bool {
	for _, imp := range pkg.Imports {
		if of[imp.PkgPath] != nil {
			return true
		}
	}
	return false
}

// bottomUp gives the packages with source, imported ones first.
func bottomUp(s *change.Side) []*packages.Package {
	var list []*packages.Package
	packages.Visit(s.Prog.Packages(), nil, func(pkg *packages.Package) {
		if s.Loaded[pkg.PkgPath] == pkg {
			list = append(list, pkg)
		}
	})
	return list
}

func (x *composition) checkPackage(pkg *packages.Package, changed []*file, checked map[string]*types.Package) (*types.Package, []complaint) {
	fset := token.NewFileSet()
	var syntax []*ast.File
	var errs []complaint
	report := func(pos token.Pos, msg string) {
		at := fset.PositionFor(pos, false)
		errs = append(errs, complaint{pkg.PkgPath, at.Filename, at.Line, msg, fset.Position(pos).String() + ": " + msg})
	}
	for _, f := range pkg.Syntax {
		old := x.Bad.Prog.Fset.File(f.Package)
		if !slices.ContainsFunc(changed, func(c *file) bool { return c.name == old.Name() }) {
			fset.AddExistingFiles(old)
			syntax = append(syntax, f)
		}
	}
	for _, c := range changed {
		f, err := parser.ParseFile(fset, c.name, c.content, parser.ParseComments|parser.SkipObjectResolution)
		if list, ok := err.(scanner.ErrorList); ok {
			for _, e := range list {
				errs = append(errs, complaint{pkg.PkgPath, c.name, e.Pos.Line, e.Msg, e.Error()})
			}
			return nil, errs
		}
		syntax = append(syntax, f)
	}
	conf := types.Config{
		Importer: importer(func(path string) (*types.Package, error) { return x.imported(pkg, path, checked) }),
		Sizes:    pkg.TypesSizes,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				report(e.Pos, e.Msg)
			}
		},
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		conf.GoVersion = "go" + pkg.Module.GoVersion
	}
	typ, _ := conf.Check(pkg.PkgPath, fset, syntax, nil)
	return typ, errs
}

type importer func(string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

func (x *composition) imported(pkg *packages.Package, path string, checked map[string]*types.Package) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if imp := pkg.Imports[path]; imp != nil {
		path = x.ToBad(imp.PkgPath)
	}
	if t := checked[path]; t != nil {
		return t, nil
	}
	if have := x.Bad.Packages[path]; have != nil && have.Types != nil {
		return x.Bad.Prog.Exported(have), nil
	}
	if x.whole[path] {
		return x.checkWhole(path, checked)
	}
	return x.importExtra(path)
}

// importExtra gives the types of a package that good's code imports and bad's
// program doesn't link.
func (x *composition) importExtra(path string) (*types.Package, error) {
	if t := x.extra[path]; t != nil {
		return t, nil
	}
	_, dir := x.Bad.Prog.Package()
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedExportFile | packages.NeedDeps | packages.NeedImports,
		Dir:  dir, Env: x.Bad.Prog.Env(),
	}, path)
	if err != nil {
		return nil, err
	}
	known := make(map[string]*types.Package)
	for path, pkg := range x.Bad.Packages {
		if pkg.Types != nil {
			known[path] = x.Bad.Prog.Exported(pkg)
		}
	}
	for _, pkg := range list {
		if len(pkg.Errors) > 0 || pkg.ExportFile == "" {
			return nil, fmt.Errorf("package %s is not in bad's build", path)
		}
		if x.extra[path], err = readExport(pkg, known); err != nil {
			return nil, err
		}
	}
	return x.extra[path], nil
}

func readExport(pkg *packages.Package, known map[string]*types.Package) (*types.Package, error) {
	f, err := os.Open(pkg.ExportFile)
	if err != nil {
		return nil, fmt.Errorf("reading export data of %s: %w", pkg.PkgPath, err)
	}
	defer f.Close()
	//lint:ignore SA1019 today's go list -export gives archives, which Read alone refuses
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("reading export data of %s: %w", pkg.PkgPath, err)
	}
	return gcexportdata.Read(r, token.NewFileSet(), known, pkg.PkgPath)
}

// inside finds the piece that a line of an added file lies in, and the line
// of its declaration's own file.
func (f *file) inside(line int) (*piece, int) {
	for i, p := range slices.Backward(f.pieces) {
		if p.line <= line {
			first := p.line + headerLines(p.of)
			return f.pieces[i], p.of.Line(p.of.Node.Pos()) + line - first
		}
	}
	return nil, 0
}

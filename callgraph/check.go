package callgraph

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// LoadError is source that doesn't parse, type-check or list.
type LoadError struct {
	Lines []string // as the compiler prints them, "file.go:line:col: message", names relative to [Config.Dir]
}

func (e *LoadError) Error() string { return strings.Join(e.Lines, "\n") }

// checkSource parses and type-checks pkg, and sets its Syntax, Types and TypesInfo.
func (p *Program) checkSource(pkg *packages.Package) error {
	files, err := p.parse(pkg)
	if err != nil {
		return err
	}
	info := &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object),
		Uses:         make(map[*ast.Ident]types.Object),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection),
		Scopes:       make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string),
	}
	var lines []string
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) { return p.imported(pkg, path) }),
		Sizes:    pkg.TypesSizes,
		Error: func(err error) {
			lines = append(lines, p.errorLines(err)...)
		},
	}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		conf.GoVersion = "go" + pkg.Module.GoVersion
	}
	typ, err := conf.Check(pkg.PkgPath, p.Fset, files, info)
	if len(lines) == 0 && err != nil {
		lines = p.errorLines(err)
	}
	if len(lines) == 0 && len(files) == 0 && len(pkg.Errors) > 0 {
		return p.listErrors(pkg)
	}
	if len(lines) > 0 {
		return &LoadError{lines}
	}
	typ.SetName(cmp.Or(pkg.Name, typ.Name()))
	pkg.Syntax, pkg.Types, pkg.TypesInfo, pkg.Fset = files, typ, info, p.Fset
	return nil
}

// parse parses the files that the compiler would see, two at a time or more:
// parsing waits for the disk.
func (p *Program) parse(pkg *packages.Package) ([]*ast.File, error) {
	names := pkg.CompiledGoFiles
	if len(names) == 0 {
		names = pkg.GoFiles
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return filepath.Ext(name) == ".s" })
	files := make([]*ast.File, len(names))
	contents := make([][]byte, len(names))
	errs := make([]error, len(names))
	var wait sync.WaitGroup
	for i, name := range names {
		wait.Go(func() {
			if contents[i], errs[i] = p.readFile(name); errs[i] == nil {
				files[i], errs[i] = parser.ParseFile(p.Fset, name, contents[i],
					parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
			}
		})
	}
	wait.Wait()
	var lines []string
	for i, err := range errs {
		if err != nil {
			lines = append(lines, p.errorLines(err)...)
		}
		p.contents[names[i]] = contents[i]
	}
	if len(lines) > 0 {
		return nil, &LoadError{lines}
	}
	return files, nil
}

// imported gives the types of what pkg imports as path, which differs from
// the package's own path for the standard library's vendored packages.
func (p *Program) imported(pkg *packages.Package, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	imp := pkg.Imports[path]
	if imp == nil {
		for _, e := range pkg.Errors {
			if strings.Contains(e.Msg, path) {
				return nil, errors.New(e.Msg)
			}
		}
		return nil, fmt.Errorf("package %s is not in the build", path)
	}
	if t := p.types[imp.PkgPath]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("types of %s are missing", path)
}

type importerFunc func(string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// readExport sets pkg.Types from the compiler's export data.
func (p *Program) readExport(pkg *packages.Package) error {
	if pkg.ExportFile == "" {
		if len(pkg.Errors) > 0 {
			return p.listErrors(pkg)
		}
		return &LoadError{[]string{"no export data for " + pkg.PkgPath}}
	}
	f, err := os.Open(pkg.ExportFile)
	if err != nil {
		return fmt.Errorf("reading export data of %s: %w", pkg.PkgPath, err)
	}
	defer f.Close()
	//lint:ignore SA1019 today's go list -export gives archives, which Read alone refuses
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return fmt.Errorf("reading export data of %s: %w", pkg.PkgPath, err)
	}
	pkg.Types, err = gcexportdata.Read(r, p.Fset, p.types, pkg.PkgPath)
	if err != nil {
		return fmt.Errorf("reading export data of %s: %w", pkg.PkgPath, err)
	}
	return nil
}

// listErrors is what the go command said about pkg.
func (p *Program) listErrors(pkg *packages.Package) error {
	e := new(LoadError)
	for _, err := range pkg.Errors {
		line := err.Msg
		if err.Pos != "" && err.Pos != "-" {
			line = p.relative(err.Pos) + ": " + err.Msg
		}
		e.Lines = append(e.Lines, strings.Split(strings.TrimSpace(line), "\n")...)
	}
	return e
}

// errorLines formats what the parser and the type checker report.
func (p *Program) errorLines(err error) []string {
	switch err := err.(type) {
	case scanner.ErrorList:
		err.RemoveMultiples() // what follows the first on its line is the parser's confusion
		var lines []string
		for _, e := range err {
			lines = append(lines, p.errorLine(e.Pos, e.Msg))
		}
		return lines
	case types.Error:
		return strings.Split(p.errorLine(err.Fset.Position(err.Pos), err.Msg), "\n")
	}
	return []string{err.Error()}
}

func (p *Program) errorLine(pos token.Position, msg string) string {
	pos.Filename = p.relative(pos.Filename)
	return pos.String() + ": " + msg
}

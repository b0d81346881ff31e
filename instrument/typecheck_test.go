package instrument

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var typecheckFlag = flag.String("typecheck", "go/types,net/http", "patterns, separated by commas, of the packages that TestTypeCheck probes")

// TestTypeCheck probes all calls of packages, and type-checks what comes out.
// It is FuzzRewrite's property for code that people wrote.
func TestTypeCheck(t *testing.T) {
	probe := newImports(t).known[ProbePackage]
	var count tally
	packages := load(t, ".", withoutCgo, strings.Split(*typecheckFlag, ",")...)
	for _, path := range slices.Sorted(maps.Keys(packages)) {
		if Unprobed(path) != "" {
			continue
		}
		files := packages[path]
		changed, asked, refused, err := All(files, nil, 0)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		count.add(asked, refused)
		if *stdMissing {
			for _, r := range refused {
				t.Logf("%s: %s: %s", r.Pos, r.Text, r.Reason)
			}
		}
		for _, err := range typecheck(files, changed, probe) {
			t.Errorf("%s: %v", path, err)
		}
	}
	t.Logf("%d packages: %v", len(packages), &count)
}

// typecheck returns the errors in changed files.
func typecheck(files []File, changed map[string][]byte, probe *types.Package) (errs []error) {
	known := importMap{ProbePackage: probe, "unsafe": types.Unsafe}
	for _, p := range files[0].Pkg.Imports() {
		known[strings.TrimPrefix(p.Path(), "vendor/")] = p
	}
	var syntax []*ast.File
	for _, f := range files {
		src := f.Src
		if c, ok := changed[f.Name]; ok {
			src = c
		}
		file, err := parser.ParseFile(f.Fset, f.Name, src, parser.SkipObjectResolution)
		if err != nil {
			return []error{err}
		}
		syntax = append(syntax, file)
	}
	conf := types.Config{
		Importer: known,
		Error:    func(err error) { errs = append(errs, err) },
		Sizes:    types.SizesFor("gc", runtime.GOARCH),
	}
	if lang := files[0].LangVersion; lang != "" {
		conf.GoVersion = lang
		if _, ok := NeedsLang(files[0]); ok {
			conf.GoVersion = "go1.18"
		}
	}
	conf.Check(files[0].Pkg.Path(), files[0].Fset, syntax, nil)
	return errs
}

// importMap imports packages that are known.
type importMap map[string]*types.Package

func (m importMap) Import(path string) (*types.Package, error) {
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s here", path)
}

package callgraph

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

const metadata = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
	packages.NeedImports | packages.NeedDeps |
	packages.NeedModule | packages.NeedTypesSizes | packages.NeedForTest | packages.NeedEmbedFiles

// Load loads the workload's package and what it links. The packages of main
// modules (and of modules replaced by a directory) get syntax and SSA, all
// others only types, from export data. For that the go command compiles these
// others, where it has not yet; a build with the same flags finds them compiled.
// A package that the workload doesn't link is not looked at. The error is a
// [*LoadError] when the source is at fault.
func Load(ctx context.Context, cfg Config) (*Program, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", cfg.Package, err)
	}
	over, err := readOverlay(dir, cfg.BuildFlags)
	if err != nil {
		return nil, err
	}
	p := &Program{
		Fset:     token.NewFileSet(),
		dir:      dir,
		env:      cfg.Env,
		meta:     make(map[string]*packages.Package),
		types:    make(map[string]*types.Package),
		sources:  make(map[string]bool),
		extended: make(map[string]*types.Package),
		overlay:  over,
		contents: make(map[string][]byte),
	}
	list, err := packages.Load(&packages.Config{
		Context: ctx, Mode: metadata, Dir: dir, Fset: p.Fset,
		Tests: cfg.Tests, BuildFlags: cfg.BuildFlags, Env: cfg.Env,
	}, cfg.Package)
	if err != nil {
		return nil, fmt.Errorf("listing packages of %s: %w", cfg.Package, err)
	}
	if err := p.pickRoot(list, cfg); err != nil {
		return nil, err
	}
	if err := p.findExports(ctx, cfg); err != nil {
		return nil, err
	}
	if cfg.Compiled != nil {
		cfg.Compiled()
	}
	if err := p.check(ctx); err != nil {
		return nil, err
	}
	return p, p.buildSSA()
}

// pickRoot finds the workload's package among what was listed, and keeps of
// the graph only what the workload links. That has one variant of every
// import path, so that from here on a path names a package.
func (p *Program) pickRoot(list []*packages.Package, cfg Config) error {
	var plain, testMain []*packages.Package
	for _, pkg := range list {
		switch {
		case isTestMain(pkg):
			testMain = append(testMain, pkg)
		case !strings.HasSuffix(pkg.ID, ".test]"):
			plain = append(plain, pkg)
		}
	}
	if len(plain) == 0 {
		return fmt.Errorf("loading %s: no such package", cfg.Package)
	}
	if len(plain) > 1 {
		return fmt.Errorf("loading %s: matches %d packages (%s, %s...), want one",
			cfg.Package, len(plain), plain[0].PkgPath, plain[1].PkgPath)
	}
	p.root = plain[0]
	top := p.root
	if len(testMain) == 1 {
		top = testMain[0]
	}
	packages.Visit([]*packages.Package{top}, nil, func(pkg *packages.Package) {
		p.meta[pkg.PkgPath] = pkg
	})
	if linked, ok := p.meta[p.root.PkgPath]; ok {
		p.root = linked
	}
	if len(p.root.CompiledGoFiles)+len(p.root.GoFiles) == 0 && len(p.root.Errors) > 0 && top == p.root {
		return p.listErrors(p.root)
	}
	return nil
}

// check type-checks from the leaves upwards. Packages above a broken one are
// left out, as the go command leaves them out; all others are checked, so
// that every line is reported.
func (p *Program) check(ctx context.Context) error {
	var broken []string
	bad := make(map[string]bool)
	for _, pkg := range p.bottomUp() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if slices.ContainsFunc(imports(pkg), func(path string) bool { return bad[path] }) {
			bad[pkg.PkgPath] = true
			continue
		}
		if err := p.load(pkg); err != nil {
			var lines *LoadError
			if !errors.As(err, &lines) {
				return err
			}
			broken = append(broken, lines.Lines...)
			bad[pkg.PkgPath] = true
		}
	}
	if len(broken) > 0 {
		return &LoadError{broken}
	}
	return nil
}

func (p *Program) load(pkg *packages.Package) error {
	switch {
	case pkg.PkgPath == "unsafe":
		pkg.Types = types.Unsafe
	case isTestMain(pkg):
		return nil
	case p.hasSource(pkg):
		p.sources[pkg.PkgPath] = true
		if err := p.checkSource(pkg); err != nil {
			return err
		}
	default:
		if err := p.readExport(pkg); err != nil {
			return err
		}
	}
	p.types[pkg.PkgPath] = pkg.Types
	return nil
}

// bottomUp gives the packages, imported ones before their importers, in an
// order that depends on the import graph only.
func (p *Program) bottomUp() []*packages.Package {
	var order []*packages.Package
	seen := make(map[*packages.Package]bool)
	var visit func(*packages.Package)
	visit = func(pkg *packages.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		for _, path := range imports(pkg) {
			visit(p.meta[path])
		}
		order = append(order, pkg)
	}
	for _, path := range sortedKeys(p.meta) {
		visit(p.meta[path])
	}
	return order
}

// imports gives the sorted package paths that pkg imports.
func imports(pkg *packages.Package) []string {
	var paths []string
	for _, imp := range pkg.Imports {
		paths = append(paths, imp.PkgPath)
	}
	slices.Sort(paths)
	return paths
}

// buildSSA builds the loaded packages and lists their functions.
func (p *Program) buildSSA() error {
	p.ssa = ssa.NewProgram(p.Fset, ssa.InstantiateGenerics)
	for _, pkg := range p.bottomUp() {
		if pkg.Types == nil { // the test binary's main
			continue
		}
		var files []*ast.File
		var info *types.Info
		if p.sources[pkg.PkgPath] {
			files, info = pkg.Syntax, pkg.TypesInfo
		}
		p.ssa.CreatePackage(pkg.Types, files, info, true)
	}
	p.functions = newIndex()
	for _, path := range sortedKeys(p.sources) {
		if err := p.build(p.meta[path]); err != nil {
			return err
		}
	}
	return nil
}

// build builds one package. The builder panics on code that it doesn't know,
// such as a language feature newer than it.
func (p *Program) build(pkg *packages.Package) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("building SSA of %s: %v", pkg.PkgPath, r)
		}
	}()
	p.ssa.Package(pkg.Types).Build()
	p.addFunctions(pkg)
	return nil
}

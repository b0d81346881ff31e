package callgraph

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

// Config says what to load. Dir and Package are required.
type Config struct {
	Dir        string   // the module's directory or one below it
	Package    string   // the workload's package: ".", "./x" or an import path; it must match one package
	Tests      bool     // load the variants that the package's test binary links
	BuildFlags []string // for the go command: -tags, -overlay=FILE, -modfile=FILE
	Env        []string // of the go command; nil is the process's own
	Compiled   func()   // told when what else is linked is compiled, and only this package's module is left to be read; nil: nobody is
}

// Program is one loaded revision. Its methods are not safe for concurrent use.
type Program struct {
	Fset *token.FileSet

	dir       string
	env       []string                     // of the go command
	root      *packages.Package            // the workload's package, in the variant that is linked
	meta      map[string]*packages.Package // by import path; one variant each
	types     map[string]*types.Package    // by import path; the world of the workload
	sources   map[string]bool              // import paths whose syntax is loaded
	extended  map[string]*types.Package    // those of them that Extend loaded, with their types from export data
	overlay   overlay
	ssa       *ssa.Program
	contents  map[string][]byte // by file name, of parsed files
	functions index
	focus     *Function                       // what runs; nil is everything
	dynamic   *dynamic                        // nil until somebody asks for candidates
	edges     map[*Function]edgeSet           // nil until somebody asks what is reached
	values    map[types.Object]*ast.ValueSpec // of package-level variables; nil until somebody asks for fingerprints
	versions  map[string]string               // of the standard library, by GOROOT
	defined   map[*types.Named]string         // definitions in words; nil until somebody asks for fingerprints
}

// Package gives the import path of the workload's package and its directory.
func (p *Program) Package() (path, dir string) {
	dir = p.root.Dir
	if dir == "" && len(p.root.GoFiles) > 0 {
		dir = filepath.Dir(p.root.GoFiles[0])
	}
	return p.root.PkgPath, dir
}

// Env is the environment of the go command that listed the packages.
func (p *Program) Env() []string { return p.env }

// Linked is the package of an import path that the workload links, nil if it does not.
func (p *Program) Linked(path string) *packages.Package { return p.meta[path] }

// Packages gives the packages whose syntax is loaded, sorted by import path.
func (p *Program) Packages() []*packages.Package {
	var list []*packages.Package
	for _, path := range sortedKeys(p.sources) {
		list = append(list, p.meta[path])
	}
	return list
}

// Contents gives the bytes that were parsed for a file, nil when it was not.
func (p *Program) Contents(filename string) []byte { return p.contents[filename] }

func (p *Program) readFile(name string) ([]byte, error) {
	if to, ok := p.overlay[name]; ok {
		name = to
	}
	return os.ReadFile(name)
}

// relative shortens a file name (which may have a position behind it) that
// lies below the directory that was loaded.
func (p *Program) relative(name string) string {
	if rest, ok := strings.CutPrefix(name, p.dir+string(filepath.Separator)); ok {
		return rest
	}
	if rel, err := filepath.Rel(p.dir, name); err == nil && filepath.IsAbs(name) && strings.Count(rel, "..") < 3 {
		return rel
	}
	return name
}

// hasSource reports whether Load wants the syntax of pkg.
func (p *Program) hasSource(pkg *packages.Package) bool {
	if pkg.PkgPath == p.root.PkgPath || pkg.PkgPath == p.root.PkgPath+"_test" {
		return true
	}
	m := pkg.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// isTestMain reports whether pkg is the main package that the go command
// generates for a test binary; nobody else may import testdeps.
func isTestMain(pkg *packages.Package) bool {
	return pkg.Name == "main" && strings.HasSuffix(pkg.ID, ".test") && pkg.Imports["testing/internal/testdeps"] != nil
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m))
}

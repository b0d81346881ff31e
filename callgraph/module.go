package callgraph

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Module says where the code comes from: path@version, path@(devel) for a main
// module or a directory that replaces one, std@go1.N for the standard library;
// "" when the package is unknown.
func (fn *Function) Module() string { return fn.program.module(fn.Pkg) }

func (p *Program) module(pkg *packages.Package) string {
	switch {
	case pkg == nil:
		return ""
	case pkg.Module == nil:
		return "std@" + p.goVersion(pkg)
	}
	path, version := pkg.Module.Path, pkg.Module.Version
	if r := pkg.Module.Replace; r != nil {
		path, version = r.Path, r.Version
	}
	if version == "" {
		version = "(devel)"
	}
	return path + "@" + version
}

// goVersion reads the version of the standard library that pkg belongs to.
// There is none in a toolchain under development.
func (p *Program) goVersion(pkg *packages.Package) string {
	if len(pkg.GoFiles) == 0 {
		return ""
	}
	root, ok := strings.CutSuffix(filepath.ToSlash(filepath.Dir(pkg.GoFiles[0])), "/src/"+pkg.PkgPath)
	if !ok {
		return ""
	}
	version, ok := p.versions[root]
	if !ok {
		data, _ := os.ReadFile(filepath.Join(root, "VERSION"))
		version, _, _ = strings.Cut(string(data), "\n")
		if p.versions == nil {
			p.versions = make(map[string]string)
		}
		p.versions[root] = version
	}
	return version
}

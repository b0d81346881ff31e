package callgraph

import (
	"context"
	"fmt"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// Extend loads the source of one more package that the workload links (of a
// dependency, vendored or not, or of the standard library), so that its
// functions have layers and its calls count in candidates.
//
// The package is type-checked a second time, beside the types that others know
// from export data. Its types are not identical to those, and types that pass
// between both worlds look unrelated to VTA; functions are found by name, and
// so are candidates where VTA finds none, which makes the seam invisible to
// the layers. A [Function] that was known by name only becomes the one with
// source, without changing its address.
func (p *Program) Extend(ctx context.Context, importPath string) error {
	if p.sources[importPath] {
		return nil
	}
	pkg := p.meta[importPath]
	if pkg == nil || isTestMain(pkg) || importPath == "unsafe" {
		return fmt.Errorf("loading the source of %s: not a package that %s links", importPath, p.root.PkgPath)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	exported := pkg.Types
	if err := p.checkSource(pkg); err != nil {
		return err
	}
	p.ssa.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, false)
	p.sources[importPath], p.extended[importPath] = true, exported
	p.dynamic, p.edges, p.values = nil, nil, nil
	return p.build(pkg)
}

// Exported gives the types of a package as those know them that import it: where its own
// source was loaded by Extend, those of its export data.
func (p *Program) Exported(pkg *packages.Package) *types.Package {
	if t := p.extended[pkg.PkgPath]; t != nil {
		return t
	}
	return pkg.Types
}

func (p *Program) isExtended(importPath string) bool {
	_, ok := p.extended[importPath]
	return ok
}

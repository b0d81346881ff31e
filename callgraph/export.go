package callgraph

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/tools/go/packages"
)

// findExports asks the go command for the export data of the packages whose source
// is not wanted. The others it need not compile, which is most of the work where
// only they are new.
func (p *Program) findExports(ctx context.Context, cfg Config) error {
	var wanted []string
	variants := false
	for _, path := range sortedKeys(p.meta) {
		pkg := p.meta[path]
		if path == "unsafe" || isTestMain(pkg) || p.hasSource(pkg) {
			continue
		}
		wanted = append(wanted, path)
		// Compiled for one test binary only, as it imports what is tested there.
		variants = variants || strings.HasSuffix(pkg.ID, ".test]")
	}
	if len(wanted) == 0 {
		return nil
	}
	listing := packages.Config{
		Context: ctx, Mode: packages.NeedName | packages.NeedExportFile,
		Dir: p.dir, Fset: p.Fset, BuildFlags: cfg.BuildFlags, Env: cfg.Env,
	}
	if variants {
		listing.Tests = true
		listing.Mode |= packages.NeedImports | packages.NeedDeps
		wanted = []string{cfg.Package}
	}
	list, err := packages.Load(&listing, wanted...)
	if err != nil {
		return fmt.Errorf("listing the export data of what %s links: %w", cfg.Package, err)
	}
	packages.Visit(list, nil, func(listed *packages.Package) {
		pkg := p.meta[listed.PkgPath]
		if pkg == nil || pkg.ID != listed.ID {
			return
		}
		if pkg.ExportFile = listed.ExportFile; pkg.ExportFile == "" && len(pkg.Errors) == 0 {
			pkg.Errors = listed.Errors
		}
	})
	return nil
}

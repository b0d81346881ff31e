package revision

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/modules"
	"github.com/pinpoint-go/pinpoint/trace"
)

// dependencies opens code of a revision that isn't the main module's: dependencies
// and the standard library. It is loaded and built as it is until the search leads
// into it, so that a hunt that stays in the module pays nothing for it.
type dependencies struct {
	program *once[*callgraph.Program]
	copies  *modules.Copies
	lang    map[string]bool   // packages that are built in a newer language, since they have probes
	closed  map[string]string // import path → why its source can't be looked into
}

// newDependencies is for builds of a side, with what they need written to a directory.
func newDependencies(program *once[*callgraph.Program], gocmd *harness.Go, side harness.Side, cache, out string) *dependencies {
	return &dependencies{
		program: program,
		copies: modules.New(modules.Config{
			Go: gocmd.Cmd, Env: side.Env(gocmd), Dir: side.Dir,
			ModCache: gocmd.ModCache, Cache: cache, Out: filepath.Join(out, "modules"),
		}),
		lang:   make(map[string]bool),
		closed: make(map[string]string),
	}
}

// place completes what a build of the side takes: probed files of dependencies
// where they are compiled from, and what makes the go command take them from there.
//
// Packages of an older language than the probes' are built in the newer one
// from their first probe on, on this side. What was built before is not built
// again: up to Go 1.21 the language version decides what compiles, not what is
// made of it.
func (d *dependencies) place(ctx context.Context, s *harness.Side) error {
	for name := range s.Overlay {
		pkg := d.packageOf(name)
		if pkg == nil {
			continue
		}
		if err := d.copies.Add(ctx, pkg.Module); err != nil {
			return err
		}
		if m := pkg.Module; m != nil && !m.Main && olderThanProbes(m.GoVersion) {
			d.lang[pkg.PkgPath] = true
		}
	}
	var err error
	if s.Overlay, err = d.copies.Overlay(s.Overlay); err != nil {
		return err
	}
	s.GCFlags = slices.Clone(s.GCFlags)
	for _, path := range slices.Sorted(maps.Keys(d.lang)) {
		s.GCFlags = append(s.GCFlags, inProbesLanguage(path))
	}
	s.ModFile, s.WorkFile = d.copies.ModFile(), d.copies.WorkFile()
	return nil
}

// packageOf is the package with loaded source that a file belongs to, or that it
// is added to.
func (d *dependencies) packageOf(name string) *packages.Package {
	prog := d.program.known()
	if prog == nil { // the first build goes on beside the loading
		return nil
	}
	dir := filepath.Dir(name)
	for _, pkg := range (*prog).Packages() {
		if slices.ContainsFunc(pkg.GoFiles, func(file string) bool { return filepath.Dir(file) == dir }) {
			return pkg
		}
	}
	return nil
}

// open loads the source of a package. It gives why that can't be, "" if it is loaded now.
func (d *dependencies) open(ctx context.Context, pkg *packages.Package) (reason string, err error) {
	if pkg == nil {
		return "in a package that nothing is known of", nil
	}
	path := pkg.PkgPath
	if reason := d.closed[path]; reason != "" {
		return reason, nil
	}
	if reason = instrument.Unprobed(path); reason == "" {
		defer trace.Begin(ctx, trace.Load, path)()
		err = (*d.program.known()).Extend(ctx, path)
	}
	var broken *callgraph.LoadError
	if errors.As(err, &broken) {
		// Types from export data may be too few for source beside them.
		said, _, _ := strings.Cut(broken.Error(), "\n")
		reason, err = "its source does not load: "+said, nil
	}
	d.closed[path] = reason
	return reason, err
}

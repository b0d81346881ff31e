package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/modules"
)

// dependencies opens code of a side that isn't the main module's: dependencies
// and the standard library. It is loaded and built as it is until the search leads
// into it, so that a hunt that stays in the module pays nothing for it.
type dependencies struct {
	side   *side
	copies *modules.Copies
	lang   map[string]bool   // packages that are built in a newer language, since they have probes
	closed map[string]string // import path → why its source can't be looked into
}

// newDependencies is for after the toolchain is chosen.
func (h *hunt) newDependencies(s *side) *dependencies {
	return &dependencies{
		side: s,
		copies: modules.New(modules.Config{
			Go:       h.gocmd.Cmd,
			Env:      harness.Side{Label: s.label, Dir: s.dir, Top: s.tree.Dir}.Env(h.gocmd),
			Dir:      s.dir,
			ModCache: h.gocmd.ModCache,
			Cache:    h.opts.CacheDir,
			Out:      filepath.Join(h.temp.Path, s.label+"-modules"),
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
		s.GCFlags = append(s.GCFlags, path+"=-lang="+probesNeed)
	}
	s.ModFile, s.WorkFile = d.copies.ModFile(), d.copies.WorkFile()
	return nil
}

// packageOf is the package with loaded source that a file belongs to, or that it
// is added to.
func (d *dependencies) packageOf(name string) *packages.Package {
	if d.side.prog == nil { // the first build goes on beside the loading
		return nil
	}
	dir := filepath.Dir(name)
	for _, pkg := range d.side.prog.Packages() {
		if slices.ContainsFunc(pkg.GoFiles, func(file string) bool { return filepath.Dir(file) == dir }) {
			return pkg
		}
	}
	return nil
}

// shown gives the name of a file in the module cache or the standard library
// as people know it, and any other as it is.
func (d *dependencies) shown(goCmd *harness.Go, name string) string {
	if rel, err := filepath.Rel(filepath.Join(goCmd.Root, "src"), name); err == nil && filepath.IsLocal(rel) {
		return "std@" + goCmd.Version + "/" + filepath.ToSlash(rel)
	}
	return d.copies.Shown(name)
}

// open loads the source of a function. It gives why that can't be, "" if the
// function has a body now.
func (d *dependencies) open(ctx context.Context, fn *callgraph.Function) (reason string, err error) {
	if fn.Node == nil {
		if reason, err = d.openPackage(ctx, fn.Pkg); reason != "" || err != nil {
			return reason, err
		}
	}
	if !fn.HasBody() {
		return "no Go body", nil
	}
	return "", nil
}

func (d *dependencies) openPackage(ctx context.Context, pkg *packages.Package) (reason string, err error) {
	if pkg == nil {
		return "in a package that nothing is known of", nil
	}
	path := pkg.PkgPath
	if reason := d.closed[path]; reason != "" {
		return reason, nil
	}
	if reason = instrument.Unprobed(path); reason == "" {
		err = d.side.prog.Extend(ctx, path)
	}
	var broken *callgraph.LoadError
	if errors.As(err, &broken) {
		// Types from export data may be too few for source beside them.
		reason, err = "its source does not load: "+firstLine(broken), nil
	}
	d.closed[path] = reason
	return reason, err
}

// openBelow loads the source of what a guilty call leads to, where that lies in
// closed code and looking may help: the code isn't the same in both revisions,
// or it may call back into code that isn't. It gives why the search can't go on
// if all of it stays closed, StopNone otherwise.
func (h *hunt) openBelow(ctx context.Context, good, bad *dependencies, p part) (finder.Stop, error) {
	if p.goodCall == nil || p.badCall == nil {
		return finder.StopNone, nil
	}
	if slices.ContainsFunc(slices.Concat(p.goodCall.Callees, p.badCall.Callees), func(fn *callgraph.Function) bool { return fn.Cgo }) {
		return finder.StopNoSource + ": in a file that cgo rewrites", nil
	}
	goodClosed, badClosed := closedCallees(p.goodCall), closedCallees(p.badCall)
	if len(goodClosed)+len(badClosed) == 0 {
		return finder.StopNone, nil
	}
	if h.sameBelow(h.pairUp(goodClosed, badClosed)) && !callsBack(good.side, p.goodCall, p.goodIn) && !callsBack(bad.side, p.badCall, p.badIn) {
		if len(h.callees(p)) > 0 {
			return finder.StopNone, nil // other candidates may be what differs
		}
		return finder.StopSameCode, nil
	}
	goodReason, goodErr := good.openAll(ctx, goodClosed)
	badReason, badErr := bad.openAll(ctx, badClosed)
	if err := errors.Join(goodErr, badErr); err != nil {
		return finder.StopFailed, err
	}
	if reason := cmp.Or(badReason, goodReason); reason != "" && len(h.callees(p)) == 0 {
		return finder.StopNoSource + finder.Stop(": "+reason), nil
	}
	return finder.StopNone, nil
}

// openAll gives why one of the functions could not be opened, "" if all were.
func (d *dependencies) openAll(ctx context.Context, fns []*callgraph.Function) (reason string, err error) {
	for _, fn := range fns {
		why, err := d.open(ctx, fn)
		if err != nil {
			return "", fmt.Errorf("%s: opening %s: %w", d.side.label, fn.Name, err)
		}
		reason = cmp.Or(reason, why)
	}
	return reason, nil
}

// closedCallees are the functions that a call may run and whose source isn't loaded.
func closedCallees(c *callgraph.Call) []*callgraph.Function {
	var list []*callgraph.Function
	for _, fn := range c.Callees {
		if fn.Node == nil {
			list = append(list, fn)
		}
	}
	return list
}

// callsBack reports whether what a call hands over may make a closed callee run
// code whose source is loaded: a function, a value with methods of such code, or an
// interface, behind which anything may be.
func callsBack(s *side, c *callgraph.Call, in *callgraph.Function) bool {
	open := make(map[string]bool)
	for _, pkg := range s.prog.Packages() {
		open[pkg.PkgPath] = true
	}
	operands := slices.Clone(c.Expr.Args)
	if sel, ok := ast.Unparen(c.Expr.Fun).(*ast.SelectorExpr); ok {
		operands = append(operands, sel.X)
	}
	seen := make(map[types.Type]bool)
	return slices.ContainsFunc(operands, func(e ast.Expr) bool { return leadsBack(in.Pkg.TypesInfo.TypeOf(e), open, seen) })
}

func leadsBack(t types.Type, open map[string]bool, seen map[types.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	switch t := types.Unalias(t).(type) {
	case *types.Signature, *types.TypeParam, *types.Interface:
		return true
	case *types.Named:
		pkg := t.Obj().Pkg()
		return pkg != nil && open[pkg.Path()] && t.NumMethods() > 0 || leadsBack(t.Underlying(), open, seen)
	case *types.Tuple:
		for v := range t.Variables() {
			if leadsBack(v.Type(), open, seen) {
				return true
			}
		}
	case *types.Struct:
		for field := range t.Fields() {
			if leadsBack(field.Type(), open, seen) {
				return true
			}
		}
	case *types.Map:
		return leadsBack(t.Key(), open, seen) || leadsBack(t.Elem(), open, seen)
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return leadsBack(t.Elem(), open, seen)
	}
	return false
}

// maxOpened is how many packages are opened before the search is led to them.
// With more, finding them one by one is faster.
const maxOpened = 30

// openChanged loads, on both sides, the source of those packages of dependencies
// in different versions that the timed functions reach. What differs in them is
// then as suspect as any other code. It gives how many were opened.
func (h *hunt) openChanged(ctx context.Context, good, bad *dependencies) (int, error) {
	goodVersions, badVersions := versions(good.side), versions(bad.side)
	opened := 0
	for {
		before := opened
		for _, d := range []*dependencies{good, bad} {
			for _, fn := range d.side.prog.Reach(d.side.timed) {
				if fn.Node != nil || fn.Pkg == nil || fn.Pkg.Module == nil || d.closed[fn.Pkg.PkgPath] != "" || opened == maxOpened {
					continue
				}
				if path := fn.Pkg.Module.Path; goodVersions[path] == badVersions[path] {
					continue
				}
				known := len(d.side.prog.Packages())
				if _, err := d.openPackage(ctx, fn.Pkg); err != nil {
					return opened, fmt.Errorf("%s: opening %s: %w", d.side.label, fn.Pkg.PkgPath, err)
				}
				opened += len(d.side.prog.Packages()) - known
			}
		}
		if opened == before {
			return opened, nil
		}
	}
}

// versions are the versions of the modules that a side links, by path.
func versions(s *side) map[string]string {
	list := make(map[string]string)
	packages.Visit(s.prog.Packages(), nil, func(pkg *packages.Package) {
		if m := pkg.Module; m != nil {
			list[m.Path] = m.Version
			if m.Replace != nil {
				list[m.Path] = m.Replace.Path + "@" + m.Replace.Version
			}
		}
	})
	return list
}

// changedDependencies are the functions of opened dependencies that the timed
// functions reach and that differ, in both revisions.
func (h *hunt) changedDependencies() []part {
	if list := h.changedFrom(h.bad.timed); len(list) > 0 {
		return list
	}
	return h.changedFrom(outermost(h.bad.timed)) // which may have made what is run
}

// changedFrom are those that a function of bad reaches.
func (h *hunt) changedFrom(from *callgraph.Function) []part {
	var list []part
	for _, fn := range h.bad.prog.Reach(from) {
		if !fn.HasBody() || fn.Pkg.Module == nil || fn.Pkg.Module.Main || fn.Outer != nil {
			continue
		}
		twin, ok := h.change().InGood(fn)
		if ok && twin.HasBody() && h.differs(twin, fn) {
			list = append(list, h.unwrap(part{goodFunc: twin, badFunc: fn}))
		}
	}
	return list
}

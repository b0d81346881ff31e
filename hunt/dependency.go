package hunt

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
)

// openBelow loads the source of what a guilty call leads to, where that lies in
// closed code and looking may help: the code isn't the same in both revisions,
// or it may call back into code that isn't. It gives why the search can't go on
// if all of it stays closed, StopNone otherwise.
func (h *hunt) openBelow(ctx context.Context, good, bad *side, p part) (finder.Stop, error) {
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
	if h.sameBelow(h.pairUp(goodClosed, badClosed)) && !callsBack(good, p.goodCall, p.goodIn) && !callsBack(bad, p.badCall, p.badIn) {
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
func (s *side) openAll(ctx context.Context, fns []*callgraph.Function) (reason string, err error) {
	for _, fn := range fns {
		why, err := s.Open(ctx, fn)
		if err != nil {
			return "", fmt.Errorf("%s: opening %s: %w", s.Label, fn.Name, err)
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
func (h *hunt) openChanged(ctx context.Context, good, bad *side) (int, error) {
	goodVersions, badVersions := good.Versions(), bad.Versions()
	opened := 0
	for {
		before := opened
		for _, s := range []*side{good, bad} {
			for _, fn := range s.prog.Reach(s.timed) {
				if fn.Node != nil || fn.Pkg == nil || fn.Pkg.Module == nil || s.Closed(fn.Pkg) || opened == maxOpened {
					continue
				}
				if path := fn.Pkg.Module.Path; goodVersions[path] == badVersions[path] {
					continue
				}
				known := len(s.prog.Packages())
				if _, err := s.OpenPackage(ctx, fn.Pkg); err != nil {
					return opened, err
				}
				opened += len(s.prog.Packages()) - known
			}
		}
		if opened == before {
			return opened, nil
		}
	}
}

// changedIn are the functions of an opened dependency that the timed functions reach and
// that differ, in both revisions.
func (h *hunt) changedIn(module string) []change.Functions {
	list := h.changedFrom(h.bad.timed, module)
	if len(list) == 0 {
		list = h.changedFrom(change.Outermost(h.bad.timed), module) // which may have made what is run
	}
	return list
}

// changedFrom are those that a function of bad reaches.
func (h *hunt) changedFrom(from *callgraph.Function, module string) (list []change.Functions) {
	for _, fn := range h.bad.prog.Reach(from) {
		if !fn.HasBody() || fn.Pkg.Module == nil || fn.Pkg.Module.Path != module || fn.Outer != nil {
			continue
		}
		twin, ok := h.change().InGood(fn)
		f := change.Functions{Good: twin, Bad: fn}
		if ok && twin.HasBody() && h.change().Differs(f) {
			list = append(list, change.Narrow(h.change().Unwrap(f)))
		}
	}
	return list
}

package layers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
)

// openBelow loads the source of what a guilty call leads to, where that lies in
// closed code and looking may help: the code isn't the same in both revisions,
// or it may call back into code that isn't. It gives why the search can't go on
// if all of it stays closed, StopNone otherwise.
func (pr *Prober) openBelow(ctx context.Context, p Part) (finder.Stop, error) {
	if p.Calls.Good == nil || p.Calls.Bad == nil {
		return finder.StopNone, nil
	}
	if slices.ContainsFunc(slices.Concat(p.Calls.Good.Callees, p.Calls.Bad.Callees), func(fn *callgraph.Function) bool { return fn.Cgo }) {
		return finder.StopNoSource + ": in a file that cgo rewrites", nil
	}
	goodClosed, badClosed := closedCallees(p.Calls.Good), closedCallees(p.Calls.Bad)
	if len(goodClosed)+len(badClosed) == 0 {
		return finder.StopNone, nil
	}
	if pr.SameBelow(pr.pairUp(goodClosed, badClosed)) && !callsBack(pr.Good, p.Calls.Good, p.In.Good) && !callsBack(pr.Bad, p.Calls.Bad, p.In.Bad) {
		if len(pr.Callees(p)) > 0 {
			return finder.StopNone, nil // other candidates may be what differs
		}
		return finder.StopSameCode, nil
	}
	goodReason, goodErr := openAll(ctx, pr.Good, goodClosed)
	badReason, badErr := openAll(ctx, pr.Bad, badClosed)
	if err := errors.Join(goodErr, badErr); err != nil {
		return finder.StopFailed, err
	}
	if reason := cmp.Or(badReason, goodReason); reason != "" && len(pr.Callees(p)) == 0 {
		return finder.StopNoSource + finder.Stop(": "+reason), nil
	}
	return finder.StopNone, nil
}

// openAll gives why one of the functions could not be opened, "" if all were.
func openAll(ctx context.Context, s *sides.Side, fns []*callgraph.Function) (reason string, err error) {
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
func callsBack(s *sides.Side, c *callgraph.Call, in *callgraph.Function) bool {
	open := make(map[string]bool)
	for _, pkg := range s.Prog.Packages() {
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

package evidence

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// addDecisions says what the compiler decided differently.
func (g *Gatherer) addDecisions(ctx context.Context, c *report.Culprit, code change.Functions) {
	for _, f := range g.compiled(ctx, code.Good, code.Bad) {
		c.Attest(f)
	}
}

// compiled says what the compiler decided differently in the unprobed builds:
// which of the function and its callees it inlines in one revision only, what of
// the function's it puts on the heap, and how many bounds checks it left there.
func (g *Gatherer) compiled(ctx context.Context, good, bad *callgraph.Function) []report.Fact {
	if m := bad.Pkg.Module; m == nil || !m.Main || g.Sampler.Budget.Left() <= 0 {
		return nil
	}
	g.Sampler.Log.Phase("asking the compiler what it decided otherwise")
	var inGood, inBad harness.Decisions
	err := change.Together(
		func() (err error) { inGood, err = g.Good.Decide(ctx, nil, good); return err },
		func() (err error) { inBad, err = g.Bad.Decide(ctx, nil, bad); return err },
	)
	if err != nil {
		return nil
	}
	list := g.inlinedOnce(g.atHand(good, bad), inGood, inBad)
	return append(list, placedOtherwise(placedIn(g.Good, good, inGood), placedIn(g.Bad, bad, inBad), list)...)
}

// placedOtherwise says what the compiler made otherwise of a function's lines, but for what
// was said already.
func placedOtherwise(from, to placed, said []report.Fact) (list []report.Fact) {
	for _, h := range to.heap {
		// What is no longer there made nothing slower.
		text := h.what + " is put on the heap in bad, and not in good"
		saying := func(f report.Fact) bool { return f.Text == text }
		if !slices.ContainsFunc(from.heap, func(o onHeap) bool { return o.what == h.what }) && !slices.ContainsFunc(list, saying) && !slices.ContainsFunc(said, saying) {
			list = append(list, report.Fact{Kind: compiler, Function: to.function, Position: h.position, Text: text})
		}
	}
	if good, bad := float64(from.bounds), float64(to.bounds); good != bad {
		list = append(list, report.Fact{
			Kind: compiler, Function: to.function, Position: to.position, Good: &good, Bad: &bad, Unit: "bounds checks",
			Text: fmt.Sprintf("the compiled function checks %s in good and %s in bad", bounds(from.bounds), bounds(to.bounds)),
		})
	}
	return list
}

// compiler is the kind of facts that the compiler tells.
const compiler = "compiler"

func bounds(n int) string {
	if n == 1 {
		return "1 index against its bounds"
	}
	return fmt.Sprintf("%d indexes against their bounds", n)
}

// inlinedOnce lists the functions that are inlined in one revision only, with what
// the compiler said of them.
func (g *Gatherer) inlinedOnce(fns []*callgraph.Function, good, bad harness.Decisions) []report.Fact {
	var list []report.Fact
	for _, fn := range fns {
		name, pkg := compilerName(fn), fn.Pkg.PkgPath
		was, is := good.Inlinable[pkg][name], bad.Inlinable[pkg][name]
		if was == is {
			continue
		}
		line := fn.Name + " is inlined in good and no longer in bad"
		if is {
			line = fn.Name + " is inlined in bad, and not in good"
		}
		if before, now := good.Inlining[pkg][name], bad.Inlining[pkg][name]; before != "" && now != "" {
			line += fmt.Sprintf(" (good: %s; bad: %s)", before, now)
		}
		list = append(list, report.Fact{Kind: compiler, Function: fn.Name, Position: g.Position(fn.Pos), Text: line})
	}
	return list
}

// placed is what the compiler made of a function's lines.
type placed struct {
	function, position string
	heap               []onHeap
	bounds             int
}

type onHeap struct{ what, position string }

func placedIn(s *sides.Side, fn *callgraph.Function, d harness.Decisions) placed {
	p := placed{function: fn.Name, position: s.Position(fn.Pos)}
	last := s.Prog.Fset.Position(fn.Node.End()).Line
	for n := fn.Pos.Line; n <= last; n++ {
		at := harness.Line{File: fn.Filename(), Line: n}
		pos := fn.Pos
		pos.Line, pos.Column = n, 1
		for _, what := range d.Heap[at] {
			p.heap = append(p.heap, onHeap{what, s.Position(pos)})
		}
		p.bounds += d.Bounds[at]
	}
	return p
}

// atHand are the functions of bad's package that exist in good too: the function
// itself and those it calls.
func (g *Gatherer) atHand(good, bad *callgraph.Function) []*callgraph.Function {
	list := []*callgraph.Function{bad}
	layer, err := g.Bad.Prog.Layer(bad)
	if err != nil {
		return nil
	}
	for _, c := range layer.Calls {
		fn := c.Callee()
		if fn == nil || fn.Pkg == nil || fn.Pkg.PkgPath != bad.Pkg.PkgPath || slices.Contains(list, fn) {
			continue
		}
		if _, err := g.Good.Prog.Func(fn.Name); err == nil {
			list = append(list, fn)
		}
	}
	return list
}

// compilerName is what -m calls a function of the package it compiles.
func compilerName(fn *callgraph.Function) string {
	return strings.TrimPrefix(fn.Name, fn.Pkg.PkgPath+".")
}

// mostOtherwise is how many decisions of the compiler are listed where no source is a reason
// for them, of so many functions at most.
const (
	mostOtherwise = 8
	mostHot       = 20
)

// addOtherwise says what the compiler decided differently of functions that are run, where
// it is not code that is to blame, but what it is compiled by.
func (g *Gatherer) addOtherwise(ctx context.Context, c *report.Culprit, _ change.Functions) {
	if c.Kind != report.Built || g.Sampler.Budget.Left() < 0 {
		return
	}
	fns := g.hottest(ctx)
	var pkgs []string
	for _, fn := range fns {
		if path := fn.Pkg.PkgPath; !slices.Contains(pkgs, path) {
			pkgs = append(pkgs, path)
		}
	}
	decided, err := change.Both(change.Pair[*sides.Side]{Good: g.Good, Bad: g.Bad}, func(s *sides.Side) (harness.Decisions, error) {
		return s.Decisions(ctx, revision.Build{}, true, pkgs...)
	})
	if err != nil {
		return
	}
	list := g.inlinedOnce(fns, decided.Good, decided.Bad)
	for _, fn := range fns {
		twin := g.Good.LookUp(fn.Name)
		if twin == nil || !twin.HasBody() {
			continue
		}
		for _, f := range placedOtherwise(placedIn(g.Good, twin, decided.Good), placedIn(g.Bad, fn, decided.Bad), nil) {
			f.Text = fmt.Sprintf("in %s, %s", fn.Name, f.Text)
			list = append(list, f)
		}
	}
	for _, f := range list[:min(len(list), mostOtherwise)] {
		c.Attest(f)
	}
}

// hottest are functions of bad whose source is loaded and that the timed one reaches, those
// first that take most of the time by its profile, as far as there is one.
func (g *Gatherer) hottest(ctx context.Context) []*callgraph.Function {
	var list []*callgraph.Function
	for _, fn := range g.Bad.Prog.Reach(g.Bad.Timed) {
		if fn.Pkg != nil && fn.HasBody() {
			list = append(list, fn)
		}
	}
	if stacks, err := g.Recorder.Both(ctx); err == nil {
		weight, _ := profile.Inclusive(stacks.Bad)
		slices.SortStableFunc(list, func(a, b *callgraph.Function) int { return cmp.Compare(weight[b], weight[a]) })
	}
	return list[:min(len(list), mostHot)]
}

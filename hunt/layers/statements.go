package layers

import (
	"context"
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// statement is one that a function's body is made of, on either side; nil where
// that side lacks it.
type statement = change.Pair[ast.Stmt]

// mostStatements are those that are probed at once.
const mostStatements = 100

// Statement is the statement of a function that most of a difference of it is in; nil
// where none was seen to be. It decides nothing: what it says is evidence.
func (pr *Prober) Statement(ctx context.Context, code change.Functions, difference report.Interval) (*report.Statement, error) {
	list := pr.statements(code)
	if len(list) == 0 || len(list) > mostStatements || pr.Sampler.Budget.Left() <= 0 {
		return nil, nil
	}
	pr.Sampler.Log.Phase("building both revisions with probes at the statements of " + code.Bad.Name)
	built, err := pr.buildStatements(ctx, code, list)
	if err != nil {
		return nil, err
	}
	// What counts rounds would be most of what a short loop takes, so it is on in
	// batches of its own.
	var on, rounds []int
	for i := range list {
		on, rounds = append(on, 2*i), append(rounds, 2*i+1)
	}
	f, m := &Layer{Parts: make([]Part, 2*len(list))}, masks{on: [][]int{on}}
	if pr.alternates() {
		m = masks{on: [][]int{nil, rounds, on}}
		for range list {
			m.of = append(m.of, 2, 1)
		}
	}
	r := readings{frame: f}
	best, of := -1, stats.Comparison{}
	pairs, err := pr.Sampler.Until(ctx, "measuring the statements of "+code.Bad.Name, pr.Sampler.Campaign(built.Good, built.Bad), nil, m.on, compare.Showing, func(pairs []harness.Pair) bool {
		r = pr.read(f, pairs, m)
		best, of = pr.largestStatement(r, list)
		return best >= 0 && of.Verdict == stats.Slower
	})
	if err != nil {
		return nil, err
	}
	pr.record("statements of "+code.Bad.Name, f, r, pairs, finder.Region{})
	// What is surely beyond the difference is done in good, too, in other words.
	explains := best >= 0 && of.Diff.Mean >= difference.Mean/2 && !SurelyBeyond(of.Diff, difference)
	if explains && of.Verdict == stats.Slower {
		counted := r
		if !r.alternate {
			more, err := pr.Sampler.Pairs(ctx, "counting the rounds of "+code.Bad.Name, pr.Sampler.Campaign(built.Good, built.Bad), [][]int{rounds}, 0, 1)
			if err != nil {
				return nil, err
			}
			counted = pr.read(f, more, m)
		}
		return pr.describe(list[best], best, r, counted, of), nil
	}
	return nil, nil
}

// statements pairs up the statements of both bodies: those that say the same, in
// their order, and between them those of one kind.
func (pr *Prober) statements(code change.Functions) []statement {
	from, to := code.Good.Body(), code.Bad.Body()
	if from == nil || to == nil {
		return nil
	}
	var list []statement
	gap, rest := []ast.Stmt(nil), from.List
	for _, b := range to.List {
		at := slices.IndexFunc(rest, func(g ast.Stmt) bool { return pr.sameText(g, b) })
		if at < 0 {
			gap = append(gap, b)
			continue
		}
		list = append(list, pairStatements(rest[:at], gap)...)
		list = append(list, statement{Good: rest[at], Bad: b})
		gap, rest = nil, rest[at+1:]
	}
	return append(list, pairStatements(rest, gap)...)
}

// pairStatements pairs up statements that changed, each with the next of its kind.
func pairStatements(good, bad []ast.Stmt) []statement {
	var list []statement
	for _, b := range bad {
		at := slices.IndexFunc(good, func(g ast.Stmt) bool { return reflect.TypeOf(g) == reflect.TypeOf(b) })
		if at < 0 {
			list = append(list, statement{Bad: b})
			continue
		}
		for _, g := range good[:at] {
			list = append(list, statement{Good: g})
		}
		list = append(list, statement{Good: good[at], Bad: b})
		good = good[at+1:]
	}
	for _, g := range good {
		list = append(list, statement{Good: g})
	}
	return list
}

// sameText compares source without regard to how it is laid out.
func (pr *Prober) sameText(good, bad ast.Stmt) bool {
	return slices.Equal(strings.Fields(string(pr.Good.Prog.Text(good))), strings.Fields(string(pr.Bad.Prog.Text(bad))))
}

// buildStatements builds both sides with a clock around statement i by the ID 2i,
// and what counts its rounds by 2i+1. A statement that either side refuses is out
// on both.
func (pr *Prober) buildStatements(ctx context.Context, code change.Functions, list []statement) (built change.Pair[harness.Binary], err error) {
	for range 2 { // the second time without what was refused
		again := false
		files := make(map[*sides.Side]map[string][]byte)
		for _, s := range pr.Sides() {
			text, refused, err := withStatements(s, code.Of(s.Which), list)
			if err != nil {
				return built, err
			}
			for _, r := range refused {
				again = again || list[r.ID/2] != statement{}
				list[r.ID/2] = statement{}
			}
			files[s] = text
		}
		if again {
			continue
		}
		return change.Both(pr.pair(), func(s *sides.Side) (harness.Binary, error) { return s.Make(ctx, files[s], 2*len(list)) })
	}
	return built, fmt.Errorf("probing the statements of %s: refused in turn", code.Bad.Name)
}

// withStatements is the side's file of fn with probes around its part of list.
func withStatements(s *sides.Side, fn *callgraph.Function, list []statement) (map[string][]byte, []instrument.Refusal, error) {
	w := &rewriting{side: s, files: make(map[string]*edits)}
	e, err := w.edits(fn)
	if err != nil {
		return nil, nil, err
	}
	var probes []instrument.StatementProbe
	for i, st := range list {
		if stmt := st.Of(s.Which); stmt != nil {
			probes = append(probes, instrument.StatementProbe{ID: 2 * i, Stmt: stmt, Rounds: 2*i + 1})
		}
	}
	text, refused, err := instrument.Statements(e.file, fn.Node, probes)
	return map[string][]byte{e.file.Name: text}, refused, err
}

// largestStatement is the statement that gained most, and by how much; -1 if none
// was measured.
func (pr *Prober) largestStatement(r readings, list []statement) (int, stats.Comparison) {
	best, most := -1, stats.Comparison{}
	rule := pr.Sampler.Rule(pr.searchAlpha(), r.operation().good)
	for i := range list {
		one := finder.Region{From: 2 * i, To: 2*i + 1}
		s := r.region(one)
		c := doubt(rule.Compare(s.good, s.bad), r.unsure(one))
		if best < 0 || c.Diff.Mean > most.Diff.Mean {
			best, most = i, c
		}
	}
	return best, most
}

func (pr *Prober) describe(s statement, index int, r, rounds readings, c stats.Comparison) *report.Statement {
	out := &report.Statement{Delta: *pr.Sampler.Delta(c)}
	side, node := pr.Bad, s.Bad
	if node == nil {
		side, node = pr.Good, s.Good
	}
	out.Position = pr.Position(side.Prog.Fset.Position(node.Pos()))
	out.Text, _, _ = strings.Cut(string(side.Prog.Text(node)), "\n")
	out.Loop = instrument.IsLoop(node)
	switch {
	case s.Good == nil:
		out.Only = pr.Bad.Label
	case s.Bad == nil:
		out.Only = pr.Good.Label
	}
	out.Changed = s.Good == nil || s.Bad == nil || !pr.sameText(s.Good, s.Bad)
	if out.Loop {
		out.RoundsGood, out.RoundsBad = rounds.calls(2*index + 1)
	} else {
		out.RoundsGood, out.RoundsBad = r.calls(2 * index)
	}
	return out
}

package hunt

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
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// statement is one that a function's body is made of, on either side; nil where
// that side lacks it.
type statement struct{ good, bad ast.Stmt }

// mostStatements are those that are probed at once.
const mostStatements = 100

// narrowOwn looks which statement of a culprit's body most of its difference is
// in. It decides nothing, the culprit is proved by now: what it says is evidence.
func (h *hunt) narrowOwn(ctx context.Context, c *report.Culprit, good, bad *callgraph.Function) error {
	list := h.statements(good, bad)
	if len(list) == 0 || len(list) > mostStatements || h.budget.Left() <= 0 {
		return nil
	}
	h.log.Phase("building both revisions with probes at the statements of " + bad.Name)
	built, err := h.buildStatements(ctx, good, bad, list)
	if err != nil {
		return err
	}
	// What counts rounds would be most of what a short loop takes, so it is on in
	// batches of its own.
	var on, rounds []int
	for i := range list {
		on, rounds = append(on, 2*i), append(rounds, 2*i+1)
	}
	f, m := &frame{parts: make([]part, 2*len(list))}, masks{on: [][]int{on}}
	if h.alternates() {
		m = masks{on: [][]int{nil, rounds, on}}
		for range list {
			m.of = append(m.of, 2, 1)
		}
	}
	r := readings{frame: f}
	best, of := -1, stats.Comparison{}
	pairs, err := h.sampler.Until(ctx, "measuring the statements of "+bad.Name, h.sampler.Campaign(built[0], built[1]), nil, m.on, compare.Showing, func(pairs []harness.Pair) bool {
		r = h.read(f, pairs, m)
		best, of = h.largestStatement(r, list)
		return best >= 0 && of.Verdict == stats.Slower
	})
	if err != nil {
		return err
	}
	h.record("statements of "+bad.Name, f, r, pairs, finder.Region{})
	// What is surely beyond the difference is done in good, too, in other words.
	explains := best >= 0 && of.Diff.Mean >= c.Delta.Diff.Mean/2 && !surelyBeyond(of.Diff, c.Delta.Diff)
	if explains && of.Verdict == stats.Slower {
		counted := r
		if !r.alternate {
			more, err := h.sampler.Pairs(ctx, "counting the rounds of "+bad.Name, h.sampler.Campaign(built[0], built[1]), [][]int{rounds}, 0, 1)
			if err != nil {
				return err
			}
			counted = h.read(f, more, m)
		}
		c.Statement = h.describe(list[best], best, r, counted, of)
	}
	return nil
}

// statements pairs up the statements of both bodies: those that say the same, in
// their order, and between them those of one kind.
func (h *hunt) statements(good, bad *callgraph.Function) []statement {
	from, to := good.Body(), bad.Body()
	if from == nil || to == nil {
		return nil
	}
	var list []statement
	gap, rest := []ast.Stmt(nil), from.List
	for _, b := range to.List {
		at := slices.IndexFunc(rest, func(g ast.Stmt) bool { return sameText(h.good.text(g), h.bad.text(b)) })
		if at < 0 {
			gap = append(gap, b)
			continue
		}
		list = append(list, pairStatements(rest[:at], gap)...)
		list = append(list, statement{rest[at], b})
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
			list = append(list, statement{bad: b})
			continue
		}
		for _, g := range good[:at] {
			list = append(list, statement{good: g})
		}
		list = append(list, statement{good[at], b})
		good = good[at+1:]
	}
	for _, g := range good {
		list = append(list, statement{good: g})
	}
	return list
}

// sameText compares source without regard to how it is laid out.
func sameText(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) }

// text is the source of a node.
func (s *side) text(n ast.Node) string { return string(s.prog.Text(n)) }

// buildStatements builds both sides with a clock around statement i by the ID 2i,
// and what counts its rounds by 2i+1. A statement that either side refuses is out
// on both.
func (h *hunt) buildStatements(ctx context.Context, good, bad *callgraph.Function, list []statement) (built [2]harness.Binary, err error) {
	for range 2 { // the second time without what was refused
		var files [2]map[string][]byte
		again := false
		for i, s := range []*side{h.good, h.bad} {
			text, refused, err := s.withStatements([]*callgraph.Function{good, bad}[i], list)
			if err != nil {
				return built, err
			}
			for _, r := range refused {
				again = again || list[r.ID/2] != statement{}
				list[r.ID/2] = statement{}
			}
			files[i] = text
		}
		if again {
			continue
		}
		err := change.Together(
			func() (err error) { built[0], err = h.build(ctx, h.good, files[0], 2*len(list)); return err },
			func() (err error) { built[1], err = h.build(ctx, h.bad, files[1], 2*len(list)); return err },
		)
		return built, err
	}
	return built, fmt.Errorf("probing the statements of %s: refused in turn", bad.Name)
}

// withStatements is the side's file of fn with probes around its part of list.
func (s *side) withStatements(fn *callgraph.Function, list []statement) (map[string][]byte, []instrument.Refusal, error) {
	w := &rewriting{side: s, files: make(map[string]*edits)}
	e, err := w.edits(fn)
	if err != nil {
		return nil, nil, err
	}
	var probes []instrument.StatementProbe
	for i, st := range list {
		stmt := st.bad
		if s.Label == "good" {
			stmt = st.good
		}
		if stmt != nil {
			probes = append(probes, instrument.StatementProbe{ID: 2 * i, Stmt: stmt, Rounds: 2*i + 1})
		}
	}
	text, refused, err := instrument.Statements(e.file, fn.Node, probes)
	return map[string][]byte{e.file.Name: text}, refused, err
}

// largestStatement is the statement that gained most, and by how much; -1 if none
// was measured.
func (h *hunt) largestStatement(r readings, list []statement) (int, stats.Comparison) {
	best, most := -1, stats.Comparison{}
	rule := h.sampler.Rule(h.searchAlpha(), r.operation().good)
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

func (h *hunt) describe(s statement, index int, r, rounds readings, c stats.Comparison) *report.Statement {
	out := &report.Statement{Delta: *h.delta(c)}
	side, node := h.bad, s.bad
	if node == nil {
		side, node = h.good, s.good
	}
	out.Position = h.position(side.prog.Fset.Position(node.Pos()))
	out.Text, _, _ = strings.Cut(side.text(node), "\n")
	out.Loop = instrument.IsLoop(node)
	switch {
	case s.good == nil:
		out.Only = h.bad.Label
	case s.bad == nil:
		out.Only = h.good.Label
	}
	out.Changed = s.good == nil || s.bad == nil || !sameText(h.good.text(s.good), h.bad.text(s.bad))
	if out.Loop {
		out.RoundsGood, out.RoundsBad = rounds.calls(2*index + 1)
	} else {
		out.RoundsGood, out.RoundsBad = r.calls(2 * index)
	}
	return out
}

package revert

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
)

// Hunk is a part of a function that differs: some statements of a list, or what is
// before the body of one of them, as a condition.
type Hunk struct {
	Of                change.Suspect
	Index             int    // among the function's, in the order of bad
	Good, Bad         string // source; empty on a side that has nothing there
	GoodLine, BadLine int    // where it starts, or what there is would

	good, bad span
	list      bool // statements, which stand on lines of their own
}

// Name is the function's with the hunk's number, counted from 1.
func (h Hunk) Name() string { return fmt.Sprintf("%s#%d", h.Of.Name, h.Index+1) }

func (h Hunk) same(o Hunk) bool { return h.Of.BadDecl == o.Of.BadDecl && h.Index == o.Index }

// span is a range of a file; from and to are equal where nothing stands.
type span struct{ from, to token.Pos }

func (s span) holds(p token.Pos) bool { return s.from <= p && p < s.to }

// Hunks gives what differs within a function, as small as it comes apart: bodies are
// compared statement by statement, those of compound statements and of function literals
// in turn. Nothing is said about which of them compile one without the other, see
// [ComposeHunks]. The error says why a function has none: a revision lacks it or its
// body, or its callers have to know which one it is.
func Hunks(c *change.Change, s change.Suspect) ([]Hunk, error) {
	g, b, err := resolve(c, s)
	if err != nil {
		return nil, err
	}
	switch {
	case g == nil || b == nil || g.Func() == nil || b.Func() == nil:
		return nil, fmt.Errorf("comparing %s: only one revision has such a function", s.Name)
	case g.Func().Body == nil || b.Func().Body == nil:
		return nil, fmt.Errorf("comparing %s: it has no body in Go", s.Name)
	case !sameShape(c, g, b):
		return nil, fmt.Errorf("comparing %s: its signature differs", s.Name)
	}
	if name := importedAsOther(c, g, b); name != "" {
		return nil, fmt.Errorf("comparing %s: %s is another package", s.Name, name)
	}
	s.GoodDecl, s.BadDecl = g, b
	d := &differ{of: s, good: renamedAs(g, b)}
	d.block(g.Func().Body, b.Func().Body)
	return d.hunks, nil
}

// importedAsOther is a name that both functions use for a package, and not the same one.
func importedAsOther(c *change.Change, g, b *change.Decl) string {
	good, bad := &piece{imports: make(map[string]string)}, &piece{imports: make(map[string]string)}
	imported(g, g.Node, good)
	imported(b, b.Node, bad)
	for name, path := range good.imports {
		if other, both := bad.imports[name]; both && other != c.ToBad(path) {
			return name
		}
	}
	return ""
}

// renamedAs gives good's function with the names that bad gives it and its parameters.
func renamedAs(g, b *change.Decl) *edits {
	e, names := newEdits(g), ownNames(g, b)
	ast.Inspect(g.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if to, ok := names[g.Pkg.TypesInfo.ObjectOf(id)]; ok {
				e.rename(id, to)
			}
		}
		return true
	})
	return e
}

// ownNames are what a function of good and its parameters are called in bad.
func ownNames(good, bad *change.Decl) map[types.Object]string {
	names := make(map[types.Object]string)
	g, b := good.Object().(*types.Func), bad.Object().(*types.Func)
	names[g] = b.Name()
	x, y := variables(g.Signature()), variables(b.Signature())
	for i := range x {
		if name := y[i].Name(); name != "" && name != "_" && x[i].Name() != "_" {
			names[x[i]] = name
		}
	}
	return names
}

func variables(sig *types.Signature) (list []*types.Var) {
	if r := sig.Recv(); r != nil {
		list = append(list, r)
	}
	list = slices.AppendSeq(list, sig.Params().Variables())
	return slices.AppendSeq(list, sig.Results().Variables())
}

// differ gathers hunks.
type differ struct {
	of    change.Suspect
	good  *edits // good's function in bad's words
	hunks []Hunk
}

// normalGood and normalBad are source in a form that formatting doesn't change.
func (d *differ) normalGood(s span) string {
	return callgraph.Normal([]byte(d.good.between(s.from, s.to)))
}

func (d *differ) normalBad(s span) string {
	return callgraph.Normal([]byte(d.of.BadDecl.Source(s.from, s.to)))
}

func (d *differ) block(g, b *ast.BlockStmt) {
	d.lists(g.List, b.List, g.Lbrace+1, b.Lbrace+1)
}

// lists compares two lists of statements, which begin at gAt and bAt.
func (d *differ) lists(g, b []ast.Stmt, gAt, bAt token.Pos) {
	var gText, bText []string
	for _, s := range g {
		gText = append(gText, d.normalGood(whole(s)))
	}
	for _, s := range b {
		bText = append(bText, d.normalBad(whole(s)))
	}
	equal := func(i, j int) bool { return gText[i] == bText[j] }
	d.gaps(g, b, gAt, bAt, equal, nil, func(g, b []ast.Stmt, gAt, bAt token.Pos) {
		d.gaps(g, b, gAt, bAt, func(i, j int) bool { return d.alike(g[i], b[j]) }, d.stmt, d.run)
	})
}

// gaps matches statements and gives what is matched, and what is between.
func (d *differ) gaps(g, b []ast.Stmt, gAt, bAt token.Pos, match func(i, j int) bool,
	matched func(g, b ast.Stmt), gap func(g, b []ast.Stmt, gAt, bAt token.Pos)) {
	i, j := 0, 0
	between := func(m, n int) {
		if i < m || j < n {
			gap(g[i:m], b[j:n], gAt, bAt)
		}
	}
	for _, p := range change.Common(len(g), len(b), match) {
		between(p.Good, p.Bad)
		if matched != nil {
			matched(g[p.Good], b[p.Bad])
		}
		i, j = p.Good+1, p.Bad+1
		gAt, bAt = g[p.Good].End(), b[p.Bad].End()
	}
	between(len(g), len(b))
}

// run makes a hunk of statements.
func (d *differ) run(g, b []ast.Stmt, gAt, bAt token.Pos) {
	d.add(spanOf(g, gAt), spanOf(b, bAt), true)
}

func spanOf(list []ast.Stmt, at token.Pos) span {
	if len(list) == 0 {
		return span{at, at}
	}
	return span{list[0].Pos(), list[len(list)-1].End()}
}

// part makes a hunk of two spans unless they say the same.
func (d *differ) part(g, b span) {
	if d.normalGood(g) != d.normalBad(b) {
		d.add(g, b, false)
	}
}

func (d *differ) add(g, b span, list bool) {
	good, bad := d.of.GoodDecl, d.of.BadDecl
	d.hunks = append(d.hunks, Hunk{
		Of: d.of, Index: len(d.hunks), good: g, bad: b, list: list,
		Good: good.Source(g.from, g.to), Bad: bad.Source(b.from, b.to),
		GoodLine: good.Line(g.from), BadLine: bad.Line(b.from),
	})
}

// leastAlike is the similarity from which on statements are compared within.
const leastAlike = 0.5

// alike reports whether two statements that differ are versions of one.
func (d *differ) alike(g, b ast.Stmt) bool {
	if reflect.TypeOf(g) != reflect.TypeOf(b) {
		return false
	}
	x, y := strings.Fields(d.normalGood(whole(g))), strings.Fields(d.normalBad(whole(b)))
	return change.Similarity(x, y, leastAlike) >= leastAlike
}

// stmt compares within two statements of one kind.
func (d *differ) stmt(good, bad ast.Stmt) {
	switch g := good.(type) {
	case *ast.BlockStmt:
		d.block(g, bad.(*ast.BlockStmt))
		return
	case *ast.LabeledStmt:
		if b := bad.(*ast.LabeledStmt); g.Label.Name == b.Label.Name && reflect.TypeOf(g.Stmt) == reflect.TypeOf(b.Stmt) {
			d.stmt(g.Stmt, b.Stmt)
			return
		}
	case *ast.IfStmt:
		b := bad.(*ast.IfStmt)
		d.headed(g.If, g.Body, b.If, b.Body)
		d.otherwise(g, b)
		return
	case *ast.ForStmt:
		b := bad.(*ast.ForStmt)
		d.headed(g.For, g.Body, b.For, b.Body)
		return
	case *ast.RangeStmt:
		b := bad.(*ast.RangeStmt)
		d.headed(g.For, g.Body, b.For, b.Body)
		return
	case *ast.SwitchStmt:
		b := bad.(*ast.SwitchStmt)
		d.headed(g.Switch, g.Body, b.Switch, b.Body)
		return
	case *ast.TypeSwitchStmt:
		b := bad.(*ast.TypeSwitchStmt)
		d.headed(g.Switch, g.Body, b.Switch, b.Body)
		return
	case *ast.SelectStmt:
		d.block(g.Body, bad.(*ast.SelectStmt).Body)
		return
	case *ast.CaseClause:
		b := bad.(*ast.CaseClause)
		d.part(span{g.Case, g.Colon}, span{b.Case, b.Colon})
		d.lists(g.Body, b.Body, g.Colon+1, b.Colon+1)
		return
	case *ast.CommClause:
		b := bad.(*ast.CommClause)
		d.part(span{g.Case, g.Colon}, span{b.Case, b.Colon})
		d.lists(g.Body, b.Body, g.Colon+1, b.Colon+1)
		return
	}
	if !d.literals(good, bad) {
		d.part(whole(good), whole(bad))
	}
}

// headed compares statements that are a keyword, a header and a body.
func (d *differ) headed(gAt token.Pos, g *ast.BlockStmt, bAt token.Pos, b *ast.BlockStmt) {
	d.part(span{gAt, g.Lbrace}, span{bAt, b.Lbrace})
	d.block(g, b)
}

// otherwise compares what follows else.
func (d *differ) otherwise(g, b *ast.IfStmt) {
	if g.Else != nil && b.Else != nil && reflect.TypeOf(g.Else) == reflect.TypeOf(b.Else) {
		d.stmt(g.Else, b.Else)
		return
	}
	d.part(span{g.Body.End(), g.End()}, span{b.Body.End(), b.End()})
}

// literals compares within the function literals of two statements that are the same
// outside of them, and reports whether they are.
func (d *differ) literals(good, bad ast.Stmt) bool {
	g, gOutside := outside(good, d.good.between)
	b, bOutside := outside(bad, d.of.BadDecl.Source)
	if len(g) == 0 || len(g) != len(b) || gOutside != bOutside {
		return false
	}
	for i := range g {
		d.block(g[i], b[i])
	}
	return true
}

// outside gives the bodies of a statement's literals, and what is around them.
func outside(s ast.Stmt, source func(from, to token.Pos) string) (bodies []*ast.BlockStmt, text string) {
	var out strings.Builder
	at := s.Pos()
	ast.Inspect(s, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		bodies = append(bodies, lit.Body)
		out.WriteString(source(at, lit.Body.Lbrace))
		out.WriteString("{}")
		at = lit.Body.End()
		return false
	})
	out.WriteString(source(at, s.End()))
	return bodies, callgraph.Normal([]byte(out.String()))
}

func whole(s ast.Stmt) span { return span{s.Pos(), s.End()} }

// declares reports whether a hunk declares a name in either revision.
func (h Hunk) declares(name string) bool {
	in := func(d *change.Decl, s span) (found bool) {
		ast.Inspect(d.Node, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name && s.holds(id.Pos()) && d.Pkg.TypesInfo.Defs[id] != nil
			return !found
		})
		return found
	}
	return in(h.Of.GoodDecl, h.good) || in(h.Of.BadDecl, h.bad)
}

// mentions reports whether a hunk mentions a name in either revision.
func (h Hunk) mentions(name string) bool {
	return hasWord(h.Good, name) || hasWord(h.Bad, name)
}

// resolve finds the declarations of a suspect that a caller may have made.
func resolve(c *change.Change, s change.Suspect) (good, bad *change.Decl, err error) {
	if s.GoodDecl != nil || s.BadDecl != nil {
		return s.GoodDecl, s.BadDecl, nil
	}
	name := s.Name
	switch {
	case s.Bad != nil:
		name = s.Bad.Name
	case s.Good != nil:
		name = s.Good.Name
	}
	found, err := c.Find(name)
	return found.GoodDecl, found.BadDecl, err
}

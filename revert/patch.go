package revert

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/change"
)

// patch is a function of bad of which some hunks are good's.
type patch struct {
	good, bad *change.Decl
	into      *packages.Package
	all       []Hunk // of the function
	in        []Hunk // that are good's, in the order of bad
	data      bool   // see take
}

// patch puts a hunk into the composition, and reports whether that was news.
func (x *composition) patch(h Hunk) (bool, error) {
	g, b := h.Of.GoodDecl, h.Of.BadDecl
	if x.byGood[g] != nil { // all of it
		return false, nil
	}
	if err := refuse(g, b); err != nil {
		return false, err
	}
	p := x.patches[b]
	if p == nil {
		all, err := Hunks(x.Change, h.Of)
		if err != nil {
			return false, err
		}
		p = &patch{good: g, bad: b, into: b.Pkg, all: all}
		x.patches[b] = p
		x.gone[b] = true
	}
	if slices.ContainsFunc(p.in, h.same) {
		return false, nil
	}
	p.in = append(p.in, p.all[h.Index])
	slices.SortFunc(p.in, func(a, b Hunk) int { return a.Index - b.Index })
	p.data = false
	return true, nil
}

// patched are the functions with hunks of good, in the order of bad.
func (x *composition) patched() []*patch {
	list := slices.Collect(maps.Values(x.patches))
	slices.SortFunc(list, func(a, b *patch) int { return strings.Compare(a.bad.Name(), b.bad.Name()) })
	return list
}

// piece is bad's function with good's hunks in it. What is bad's stands on bad's lines,
// and what is good's on good's.
func (p *patch) piece(x *composition) *piece {
	out := &piece{of: p.bad, patch: p, imports: make(map[string]string)}
	kept := func(at token.Pos) bool {
		return !slices.ContainsFunc(p.in, func(h Hunk) bool { return h.bad.holds(at) })
	}
	ast.Inspect(p.bad.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && kept(id.Pos()) {
			imported(p.bad, id, out)
			if obj := p.bad.Pkg.TypesInfo.Uses[id]; obj != nil && dotted(p.bad, id, obj) {
				out.imports[". "+obj.Pkg().Path()] = obj.Pkg().Path()
			}
		}
		return true
	})
	e := newEdits(p.bad)
	good := x.edits(p.good, p.into, out, p.holds, ownNames(p.good, p.bad))
	for _, h := range p.in {
		text := good.between(h.good.from, h.good.to)
		if text != "" {
			text = lineComment(p.good, h.good.from) + text
		}
		if h.list && h.bad.from == h.bad.to {
			text = "\n" + text + "\n"
		}
		e.replace(h.bad.from, h.bad.to, text+lineComment(p.bad, h.bad.to))
	}
	out.text = header(p.bad) + e.apply() + "\n"
	return out
}

// lineComment has the compiler take what follows for what stands at a position.
func lineComment(d *change.Decl, at token.Pos) string {
	pos := d.Side.Prog.Fset.PositionFor(at, false)
	return fmt.Sprintf("/*line %s:%d:%d*/", d.Filename, pos.Line, pos.Column)
}

// holds reports whether a place in good's function is in the composition.
func (p *patch) holds(at token.Pos) bool {
	return slices.ContainsFunc(p.in, func(h Hunk) bool { return h.good.holds(at) })
}

// needPatch serves an error in a function with hunks: what they mention and bad lacks
// comes along, then other hunks that have to do with a name in the error, and if nothing
// helps the whole function.
func (x *composition) needPatch(p *patch, msg string, careful bool) (bool, error) {
	grown := false
	for _, m := range x.mentionsIn(p.good, p.holds) {
		if careful && !hasWord(msg, m.obj.Name()) {
			continue
		}
		more, err := x.supply(m)
		if err != nil {
			return false, err
		}
		if more {
			x.fresh[m.obj] = true
		}
		grown = grown || x.fresh[m.obj]
	}
	if grown {
		return true, nil
	}
	for _, concerns := range []func(Hunk, string) bool{Hunk.declares, Hunk.mentions} {
		for _, h := range p.all {
			if !slices.ContainsFunc(p.in, h.same) && slices.ContainsFunc(words.FindAllString(msg, -1), func(w string) bool { return concerns(h, w) }) {
				more, err := x.patch(h)
				if err != nil {
					return false, err
				}
				grown = grown || more
			}
		}
		if grown {
			return true, nil
		}
	}
	if careful {
		return false, nil
	}
	return x.put(p.good, p.bad, false)
}

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

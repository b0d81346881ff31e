package revert

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

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

package revert

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

// edits are replacements in the source of one declaration.
type edits struct {
	d    *change.Decl
	list []edit
}

type edit struct {
	from, to token.Pos
	text     string
}

func newEdits(d *change.Decl) *edits { return &edits{d: d} }

func (e *edits) replace(from, to token.Pos, text string) {
	e.list = append(e.list, edit{from, to, text})
}

func (e *edits) rename(id *ast.Ident, to string) {
	if id.Name != to {
		e.replace(id.Pos(), id.End(), to)
	}
}

// apply gives the edited text. Edits don't overlap.
func (e *edits) apply() string { return e.between(e.d.Node.Pos(), e.d.Node.End()) }

func (e *edits) between(at, end token.Pos) string {
	slices.SortFunc(e.list, func(a, b edit) int { return int(a.from - b.from) })
	var b strings.Builder
	for _, ed := range e.list {
		if ed.from < at || ed.to > end {
			continue
		}
		b.WriteString(e.d.Source(at, ed.from))
		b.WriteString(ed.text)
		at = ed.to
	}
	b.WriteString(e.d.Source(at, end))
	return b.String()
}

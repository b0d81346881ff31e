package change

import (
	"go/ast"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// declTokens is what makes two declarations the same code: their tokens and the
// compiler's directives. That a constant counts on its place in a group is not seen: one
// more in front of it would make suspects of all that follow.
func declTokens(d *Decl) []string {
	var list []string
	list = append(list, Directives(d.Doc())...)
	if d.Group != nil {
		list = append(list, d.Group.Tok.String())
	}
	list = append(list, callgraph.Tokens([]byte(d.Source(d.Node.Pos(), d.Node.End())))...)
	return list
}

// Directives are the lines of a comment that the compiler reads.
func Directives(doc *ast.CommentGroup) []string {
	if doc == nil {
		return nil
	}
	var list []string
	for _, c := range doc.List {
		if strings.HasPrefix(c.Text, "//go:") && !strings.HasPrefix(c.Text, "//go:generate") {
			list = append(list, c.Text)
		}
	}
	return list
}

package revert

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// declTokens is what makes two declarations the same code: their tokens and the
// compiler's directives. That a constant counts on its place in a group is not seen: one
// more in front of it would make suspects of all that follow.
func declTokens(d *decl) []string {
	var list []string
	list = append(list, directives(d.doc())...)
	if d.group != nil {
		list = append(list, d.group.Tok.String())
	}
	list = append(list, tokens(d.source(d.node.Pos(), d.node.End()))...)
	return list
}

// directives are the lines of a comment that the compiler reads.
func directives(doc *ast.CommentGroup) []string {
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

// tokens gives the tokens of source, without comments, and without what
// formatting adds or leaves out: semicolons at line ends, trailing commas.
func tokens(src string) []string {
	var list []string
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), []byte(src), func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return trimSeparators(list)
		case token.SEMICOLON:
			list = append(list, ";")
		case token.RPAREN, token.RBRACK, token.RBRACE:
			list = append(trimSeparators(list), tok.String())
		default:
			if !tok.IsLiteral() {
				lit = tok.String()
			}
			list = append(list, lit)
		}
	}
}

func trimSeparators(list []string) []string {
	for n := len(list); n > 0 && (list[n-1] == ";" || list[n-1] == ","); n-- {
		list = list[:n-1]
	}
	return list
}

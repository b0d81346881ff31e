package callgraph

import (
	"go/scanner"
	"go/token"
	"strings"
)

// tokens gives the tokens of a piece of source, without comments, white space
// and the semicolons that newlines stand for.
func tokens(src []byte) []string {
	var list []string
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON:
			list = append(list, ";")
		case tok.IsLiteral():
			list = append(list, lit)
		default:
			list = append(list, tok.String())
		}
	}
}

// normal is source in a form that formatting and comments don't change.
func normal(src []byte) string {
	list := tokens(src)
	if n := len(list); n > 0 && list[n-1] == ";" { // inserted at the end of the text
		list = list[:n-1]
	}
	text := strings.Join(list, " ")
	for _, close := range []string{")", "}", "]"} { // a trailing comma is formatting
		text = strings.ReplaceAll(text, ", "+close, " "+close)
		text = strings.ReplaceAll(text, ", ; "+close, " "+close)
		text = strings.ReplaceAll(text, "; "+close, close)
	}
	return text
}

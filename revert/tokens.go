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

// similarity of two token sequences is the length of their longest common
// subsequence, twice, over the length of both. Below least it may be
// given as 0, which saves comparing what has too few tokens in common.
func similarity(a, b []string, least float64) float64 {
	all := float64(len(a) + len(b))
	if all == 0 {
		return 1
	}
	if 2*float64(min(len(a), len(b))) < least*all || 2*float64(shared(a, b)) < least*all {
		return 0
	}
	return 2 * float64(common(a, b)) / all
}

// shared counts the tokens that a and b have in common in any order.
func shared(a, b []string) int {
	count := make(map[string]int)
	for _, t := range a {
		count[t]++
	}
	n := 0
	for _, t := range b {
		if count[t] > 0 {
			count[t]--
			n++
		}
	}
	return n
}

// common is the length of the longest common subsequence. Equal ends, which
// is most of a changed function, are taken off first.
func common(a, b []string) int {
	n := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, n = a[1:], b[1:], n+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return n + row[len(b)]
}

package callgraph

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// Tokens gives the tokens of a piece of source, without comments, and without what
// formatting adds or leaves out: separators before a closing bracket and at the end,
// which depend on line breaks. Semicolons that newlines stand for are like written ones.
func Tokens(src []byte) []string {
	var list []string
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), src, func(token.Position, string) {}, 0)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return withoutSeparators(list)
		case tok == token.SEMICOLON:
			list = append(list, ";")
		case tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE:
			list = append(withoutSeparators(list), tok.String())
		case tok.IsLiteral():
			list = append(list, lit)
		default:
			list = append(list, tok.String())
		}
	}
}

func withoutSeparators(list []string) []string {
	for n := len(list); n > 0 && (list[n-1] == ";" || list[n-1] == ","); n-- {
		list = list[:n-1]
	}
	return list
}

// Normal is source in a form that formatting and comments don't change.
func Normal(src []byte) string { return strings.Join(Tokens(src), " ") }

// Tokens gives the function without its name and receiver; nil without source.
func (fn *Function) Tokens() []string {
	if fn.tokens == nil && fn.Node != nil {
		var typ *ast.FuncType
		switch n := fn.Node.(type) {
		case *ast.FuncDecl:
			typ = n.Type
		case *ast.FuncLit:
			typ = n.Type
		}
		fn.tokens = Tokens(fn.Source()[typ.Params.Pos()-fn.Node.Pos():])
	}
	return fn.tokens
}

// Literals are the function literals in the body, but for those inside literals, in the
// order of the source. One that nothing can run is nil.
func (fn *Function) Literals() []*Function {
	var list []*Function
	if !fn.HasBody() {
		return nil
	}
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			list = append(list, fn.program.functions.byNode[lit])
		}
		return !ok
	})
	return list
}

package modules

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// located returns Go source that the compiler takes for the file name, wherever
// it lies. Nothing in it moves to another line: a line comment goes before the
// package keyword, where neither build constraints nor cgo's preamble mind it.
func located(name string, src []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.PackageClauseOnly)
	if err != nil || fset.Position(f.Package).Filename != name || strings.ContainsAny(name, "*\n") {
		return src
	}
	at := fset.PositionFor(f.Package, false)
	return slices.Insert(slices.Clone(src), at.Offset, fmt.Appendf(nil, "/*line %s:%d:%d*/", name, at.Line, at.Column)...)
}

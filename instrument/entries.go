package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

// CountEntries returns a file's source with every function in it, literals
// included, counting when it is entered, for builds whose meter is [MeterCalls]. It
// may have probes already. Lines stay what they are.
//
// What is not counted: functions that must not call any other (linkname, nosplit
// and their like), and code that is not Go's.
func CountEntries(name string, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("counting entries: %w", err)
	}
	probe := freeNameIn(src, "_pinpointCount")
	buf := buffer{old: src}
	offset := func(pos token.Pos) int { return fset.PositionFor(pos, false).Offset }
	counted := false
	ast.Inspect(file, func(n ast.Node) bool {
		if decl, ok := n.(*ast.FuncDecl); ok && hasDirective(decl) {
			return false
		}
		if body := bodyOf(n); body != nil {
			at := offset(body.Lbrace)
			buf.around(at, at+1, rankStop, "", " "+probe+".Count();")
			counted = true
		}
		return true
	})
	if !counted {
		return src, nil
	}
	end := offset(file.Name.End())
	buf.around(offset(file.Name.Pos()), end, rankStop, "", "; import "+probe+` "`+ProbePackage+`"`)
	out, _, err := buf.bytes()
	if err != nil {
		err = fmt.Errorf("counting entries in %s: %w", name, err)
	}
	return out, err
}

// hasDirective reports whether a declaration is told to the compiler to be
// special.
func hasDirective(d *ast.FuncDecl) bool {
	if d.Doc == nil {
		return false
	}
	for _, c := range d.Doc.List {
		switch directive(c) {
		case "go:nosplit", "go:linkname", "go:systemstack", "go:nowritebarrier", "go:nowritebarrierrec", "go:yeswritebarrierrec", "go:cgo_unsafe_args":
			return true
		}
	}
	return false
}

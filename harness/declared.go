package harness

import (
	"go/ast"
	"strings"
	"unicode"
	"unicode/utf8"
)

// KindOf says whether a declaration of a test file is a benchmark or a test, by the
// rules of go test.
func KindOf(fn *ast.FuncDecl) (kind Kind, ok bool) {
	if fn.Recv != nil || fn.Type.TypeParams != nil || fn.Type.Results.NumFields() > 0 || fn.Type.Params.NumFields() != 1 {
		return 0, false
	}
	for _, kind := range []Kind{Bench, Test} {
		rest, ok := strings.CutPrefix(fn.Name.Name, prefixes[kind])
		first, _ := utf8.DecodeRuneInString(rest)
		if ok && !unicode.IsLower(first) && fn.Name.Name != "TestMain" {
			return kind, true
		}
	}
	return 0, false
}

// prefixes are what the names of workloads begin with.
var prefixes = map[Kind]string{Bench: "Benchmark", Test: "Test"}

package instrument

import (
	"fmt"
	"go/ast"
	"hash/fnv"
	"path/filepath"
	"strings"
)

// names are the identifiers that a rewritten file gains.
type names struct {
	probe        string // the probe runtime
	marks        string
	deferred     string // marks of deferred probes
	entered      string // mark of the body's probe
	packageMarks string
	result       string // with a number appended
}

// newNames finds names that nothing in the file or the package starts with, so
// that they neither shadow anything nor are shadowed, whatever the program
// calls its own.
func newNames(f File) names {
	base := "_pinpoint"
	for i := 1; taken(f, base); i++ {
		base = fmt.Sprintf("_pinpoint%d_", i)
	}
	h := fnv.New32a()
	h.Write([]byte(filepath.Base(f.Name))) // a package lies in one directory
	return names{
		probe:        base,
		marks:        base + "T",
		deferred:     base + "D",
		entered:      base + "E",
		packageMarks: fmt.Sprintf("%sP%08x", base, h.Sum32()),
		result:       base + "R",
	}
}

func taken(f File, base string) bool {
	for _, name := range f.Pkg.Scope().Names() {
		if strings.HasPrefix(name, base) {
			return true
		}
	}
	found := false
	ast.Inspect(f.Syntax, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, base) {
			found = true
		}
		return !found
	})
	return found
}

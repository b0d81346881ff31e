package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// BoxClasses are the classes of values that conversions to interface are counted
// by, as the runtime tells them apart. The class's index is the ID of its probe.
// Words are values of exactly that size without pointers: integers, floats,
// structures of one.
var BoxClasses = []string{"word16", "word32", "word64", "string", "slice", "other"}

// boxFunctions are where the compiler leaves a conversion to the runtime, with
// their class. A conversion is not left to it, or not allocated for, when the
// value is a pointer, has no size, is one byte or a word below 256, an empty string
// or nil slice, a constant, or does not outlive the function.
var boxFunctions = map[string]int{
	"convT16": 0, "convT32": 1, "convT64": 2, "convTstring": 3, "convTslice": 4, "convT": 5, "convTnoptr": 5,
}

// AddBoxes makes the runtime beneath goroot count the conversions to interface
// that allocate, in all code, that of the standard library included. A board
// needs len(BoxClasses) probes. All packages are built anew for it.
func (o *Overlay) AddBoxes(goroot string) error {
	dir := filepath.Join(goroot, "src", "runtime")
	iface := filepath.Join(dir, "iface.go")
	src, err := os.ReadFile(iface)
	if err != nil {
		return fmt.Errorf("reading package runtime: %w", err)
	}
	hooked, err := boxHook(src)
	if err != nil {
		return err
	}
	files := map[string][]byte{iface: hooked}
	for name, source := range map[string]string{
		filepath.Join(dir, "pinpoint_boxes.go"):                      "boxes_runtime",
		filepath.Join(goroot, "src", "testing", "pinpoint_boxes.go"): "boxes",
	} {
		if files[name], err = gaugeSource.ReadFile("hook/" + source + ".go.txt"); err != nil {
			return fmt.Errorf("reading the counter of conversions: %w", err)
		}
	}
	return o.Add(files)
}

// boxHook puts a call in front of every statement of boxFunctions that
// allocates. It fails if one of them doesn't, once.
func boxHook(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "runtime/iface.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("hooking into conversions: %w", err)
	}
	h := hooks{file: fset.File(file.Pos())}
	missing := maps.Clone(boxFunctions)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || f.Body == nil {
			continue
		}
		class, ok := boxFunctions[f.Name.Name]
		if !ok {
			continue
		}
		if at := allocations(f.Body); len(at) == 1 {
			h.insert(at[0], fmt.Sprintf("pinpointBox(%d); ", class))
			delete(missing, f.Name.Name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("hooking into conversions: runtime/iface.go has no single call of mallocgc in %s",
			strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	}
	return h.apply(src), nil
}

// allocations are the assignments of what mallocgc returns.
func allocations(body *ast.BlockStmt) []token.Pos {
	var at []token.Pos
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Rhs) != 1 {
			return true
		}
		if call, ok := a.Rhs[0].(*ast.CallExpr); ok {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "mallocgc" {
				at = append(at, a.Pos())
			}
		}
		return true
	})
	return at
}

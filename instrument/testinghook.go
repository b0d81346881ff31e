package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// TestingHook returns Go's src/testing/benchmark.go with calls inserted that
// tell the probe runtime when a benchmark's timer starts, stops and is reset,
// and what each batch, one run of (*B).runN, came to. The functions called are
// in the file that AddRuntime adds to the package.
//
// With -test.benchtime=Nx, a benchmark runs all batches that -test.count orders
// in one launch. Package testing by itself starts each from the beginning, with
// a single iteration, and collects garbage before either; where batches are
// short, that takes longer than they do. Garbage is collected before the first
// batch. What the others leave is paid where the collector comes for it.
//
// It knows the file's shape since Go 1.21, and fails naming what it misses in
// another. Lines stay what they are.
func TestingHook(src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "testing/benchmark.go", src, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("hooking into benchmarks: %w", err)
	}
	h := hooks{file: fset.File(file.Pos()), methods: methodsOfB(file)}
	h.timer()
	h.batch()
	h.repeat()
	h.parallel()
	if len(h.missing) > 0 {
		return nil, fmt.Errorf("hooking into benchmarks: %s has no %s", h.file.Name(), strings.Join(h.missing, ", no "))
	}
	return h.apply(src), nil
}

// hooks are calls to insert, by byte offset, and what was looked for in vain.
type hooks struct {
	file    *token.File
	methods map[string]*ast.FuncDecl
	calls   []hookCall
	missing []string
}

type hookCall struct {
	offset int
	text   string
}

// timer hooks into the methods that control the timer. What is timed holds all
// that is probed: the clock of the probes starts after the timer's and stops
// before it.
func (h *hooks) timer() {
	if on := h.timerSwitch("StartTimer"); on != nil {
		h.insert(on.Rbrace, "pinpointStart(); ")
	}
	if off := h.timerSwitch("StopTimer"); off != nil {
		h.insert(off.Lbrace+1, " pinpointPause();")
	}
	if reset := h.method("ResetTimer"); reset != nil {
		h.insert(reset.Body.Lbrace+1, " pinpointForget();")
		h.insert(reset.Body.Rbrace, "pinpointReset(); ")
	}
}

// timerSwitch returns the block of a method of the timer's that is run when the
// timer is in the other state.
func (h *hooks) timerSwitch(name string) *ast.BlockStmt {
	method := h.method(name)
	if method == nil {
		return nil
	}
	for _, s := range method.Body.List {
		if s, ok := s.(*ast.IfStmt); ok && mentions(s.Cond, "timerOn") && mentions(s.Body, "timerOn") {
			return s.Body
		}
	}
	h.missing = append(h.missing, "b.timerOn tested and set in (*B)."+name)
	return nil
}

// batch hooks into runN, whose receiver must be b: around the four statements
// that time the benchmark.
func (h *hooks) batch() {
	run := h.method("runN")
	if run == nil {
		return
	}
	b := nameOf(run.Recv)
	h.collection(run)
	next := 0
	order := []string{"ResetTimer", "StartTimer", "benchFunc", "StopTimer"}
	for _, s := range run.Body.List {
		if next == len(order) || !isCallOf(s, b, order[next]) {
			continue
		}
		if next == 0 {
			h.insert(s.Pos(), "pinpointRun("+b+"); ")
		}
		next++
	}
	if next < len(order) {
		h.missing = append(h.missing, "call of b."+order[next]+" in (*B).runN")
		return
	}
	h.insert(run.Body.Rbrace, "pinpointRecord("+b+"); ")
}

// collection makes the collection at the beginning of runN one that a batch
// can go without.
func (h *hooks) collection(run *ast.FuncDecl) {
	for _, s := range run.Body.List {
		if isCallOf(s, "runtime", "GC") {
			h.insert(s.Pos(), "if pinpointCollects() { ")
			h.insert(s.End(), " }")
			return
		}
	}
	h.missing = append(h.missing, "call of runtime.GC in (*B).runN")
}

// repeat hooks into launch, whose receiver must be b: between the benchmark's
// last run and the taking of its result.
func (h *hooks) repeat() {
	launch := h.method("launch")
	if launch == nil {
		return
	}
	b := nameOf(launch.Recv)
	for _, s := range launch.Body.List {
		if a, ok := s.(*ast.AssignStmt); ok && mentions(a.Lhs[0], "result") {
			h.insert(a.Pos(), "pinpointRepeat("+b+"); ")
			return
		}
	}
	h.missing = append(h.missing, "assignment to b.result in (*B).launch")
}

func (h *hooks) parallel() {
	if run := h.method("RunParallel"); run != nil {
		h.insert(run.Body.Lbrace+1, " pinpointParallel("+nameOf(run.Type.Params)+");")
	}
}

// method returns a method of B, or notes that there is none.
func (h *hooks) method(name string) *ast.FuncDecl {
	m := h.methods[name]
	if m == nil {
		h.missing = append(h.missing, "method (*B)."+name)
	}
	return m
}

func (h *hooks) insert(at token.Pos, text string) {
	h.calls = append(h.calls, hookCall{h.file.Offset(at), text})
}

func (h *hooks) apply(src []byte) []byte {
	slices.SortFunc(h.calls, func(a, b hookCall) int { return cmp.Compare(a.offset, b.offset) })
	var out []byte
	done := 0
	for _, c := range h.calls {
		out = append(out, src[done:c.offset]...)
		out = append(out, c.text...)
		done = c.offset
	}
	return append(out, src[done:]...)
}

// methodsOfB returns the methods of *B that have a body.
func methodsOfB(file *ast.File) map[string]*ast.FuncDecl {
	methods := make(map[string]*ast.FuncDecl)
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || f.Body == nil {
			continue
		}
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			if id, ok := star.X.(*ast.Ident); ok && id.Name == "B" {
				methods[f.Name.Name] = f
			}
		}
	}
	return methods
}

// nameOf returns the name of the first field of a list.
func nameOf(fields *ast.FieldList) string {
	if len(fields.List) == 0 || len(fields.List[0].Names) == 0 {
		return "_"
	}
	return fields.List[0].Names[0].Name
}

// isCallOf reports whether s is the statement x.name(..).
func isCallOf(s ast.Stmt, x, name string) bool {
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == x
}

// mentions reports whether a field of the name is selected in n.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			found = true
		}
		return !found
	})
	return found
}

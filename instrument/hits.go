package instrument

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// A BodyHit asks for a function's entries to be counted, without a clock: the
// calls of probe ID are how often the function began.
type BodyHit struct {
	ID   int
	Func ast.Node // *ast.FuncDecl or *ast.FuncLit
	Ever bool     // of probe ID+1 the calls are those of the whole process, timed or not, in force or not
}

// A CallHit asks for a call expression's evaluations to be counted, just before its
// operands are evaluated.
type CallHit struct {
	ID   int
	Call *ast.CallExpr
}

// CountCalls returns f's source counting what is asked for. Probes of [Rewrite]
// count regions that come to their end; hits count what begins, so a panic or a
// goroutine that goes on makes no difference. Where nothing is counted it is f.Src
// itself.
func CountCalls(f File, bodies []BodyHit, calls []CallHit) (out []byte, refused []Refusal, err error) {
	w := newRewriter(f)
	counted := 0
	for _, h := range bodies {
		cur, ok := w.root.FindNode(h.Func)
		if !ok {
			return nil, nil, fmt.Errorf("counting entries %d: not in %s", h.ID, f.Name)
		}
		if reason := w.bodyReason(h.Func, cur); reason != "" {
			w.refuse(h.ID, h.Func, reason)
			continue
		}
		hit := "Hit"
		if h.Ever {
			hit = "Ran"
		}
		w.following(bodyOf(h.Func).Lbrace, len("{"), rankBlock, fmt.Sprintf(" %s.%s(%d);", w.names.probe, hit, h.ID))
		counted++
	}
	for _, h := range calls {
		if w.countCall(h) {
			counted++
		}
	}
	return w.finish(counted)
}

// countCall wraps the callee of a call: its operand comes first, and has a type
// whatever the call's results are.
func (w *rewriter) countCall(h CallHit) bool {
	cur, ok := w.root.FindNode(h.Call)
	if !ok {
		return false
	}
	s := &site{CallProbe: CallProbe{ID: h.ID, Call: h.Call}, cur: cur}
	if reason := w.refuser.call(s); reason != "" {
		w.refuse(h.ID, h.Call, reason)
		return false
	}
	if _, generic := w.Info.Instances[calleeIdent(h.Call.Fun)]; generic {
		w.refuse(h.ID, h.Call, "calls a generic function: its type arguments may be inferred from the operands")
		return false
	}
	w.around(h.Call.Fun, rankStop, fmt.Sprintf("%s.HitWith(%d, ", w.names.probe, h.ID), ")")
	return true
}

// calleeIdent is the name in a callee that may be generic, nil if there is none.
func calleeIdent(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	case *ast.IndexExpr:
		return calleeIdent(fun.X)
	case *ast.IndexListExpr:
		return calleeIdent(fun.X)
	}
	return nil
}

// finish imports the probe runtime where something was counted or probed.
func (w *rewriter) finish(counted int) ([]byte, []Refusal, error) {
	if counted == 0 {
		return w.Src, w.refused, nil
	}
	w.importRuntime()
	out, _, err := w.buf.bytes()
	if err != nil {
		err = fmt.Errorf("editing %s: %w", w.Name, err)
	}
	return out, w.refused, err
}

// CountStatements returns a file's source with probe id counting the statements
// that are executed: the counters stand where Go's cover tool puts them, one a
// block, and each counts the statements of its block when control enters it.
// gocmd is the go command whose cover tool it is.
func CountStatements(ctx context.Context, gocmd, name string, src []byte, id int) ([]byte, error) {
	const counter = "_pinpointCover"
	cmd := exec.CommandContext(ctx, gocmd, "tool", "cover", "-mode=set", "-var="+counter, name)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("counting the statements of %s: %w\n%s", name, err, strings.TrimSpace(stderr.String()))
	}
	text, table, ok := strings.Cut(string(out), "\nvar "+counter+" = struct {")
	if !ok {
		return src, nil // no statement
	}
	if _, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(text, "//line ") {
		text = rest
	}
	sizes := statements(table)
	if len(sizes) == 0 {
		return src, nil // nor one here: a file of declarations, or of a package clause
	}
	probe := freeNameIn(src, "_pinpointHit")
	text = regexp.MustCompile(regexp.QuoteMeta(counter)+`\.Count\[(\d+)\] = 1;`).ReplaceAllStringFunc(text, func(s string) string {
		i, _ := strconv.Atoi(s[strings.IndexByte(s, '[')+1 : strings.IndexByte(s, ']')])
		return fmt.Sprintf("%s.HitN(%d, %d);", probe, id, sizes[i])
	})
	return importProbe(name, []byte(text), probe)
}

// statements reads the sizes of the blocks from the table that the cover tool
// appends.
func statements(table string) map[int]int {
	_, table, _ = strings.Cut(table, "NumStmt: ")
	sizes := make(map[int]int)
	for _, m := range regexp.MustCompile(`(?m)^\s*(\d+), // (\d+)$`).FindAllStringSubmatch(table, -1) {
		n, _ := strconv.Atoi(m[1])
		block, _ := strconv.Atoi(m[2])
		sizes[block] = n
	}
	return sizes
}

// freeNameIn is a name that the source doesn't mention.
func freeNameIn(src []byte, base string) string {
	name := base
	for i := 1; strings.Contains(string(src), name); i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	return name
}

// importProbe imports the runtime behind the package clause, on its line.
func importProbe(name string, src []byte, as string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.PackageClauseOnly)
	if err != nil {
		return nil, fmt.Errorf("counting statements: %w", err)
	}
	at := fset.PositionFor(file.Name.End(), false).Offset
	return []byte(string(src[:at]) + "; import " + as + ` "` + ProbePackage + `"` + string(src[at:])), nil
}

// enclosingUnevaluated reports whether a node is an operand of unsafe.Sizeof and
// its like.
func (w *rewriter) enclosingUnevaluated(cur inspector.Cursor) bool {
	for p := range cur.Parent().Enclosing((*ast.CallExpr)(nil)) {
		if kindOf(w.Info, p.Node().(*ast.CallExpr)) == kindUnevaluated {
			return true
		}
	}
	return false
}

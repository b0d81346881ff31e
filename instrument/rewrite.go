// Package instrument puts probes into Go source, and keeps the runtime that
// they call.
//
// It promises that nothing moves that it wasn't asked to move: it only inserts
// bytes, every token of the input stays on its line, deleting what was inserted
// gives the input back, and the probed program does what it did. Every call
// expression that it is asked for is either probed or refused with a reason.
//
// # Forms
//
// With P for the probe runtime and t for a local array of marks:
//
//   - A call with one result, wherever it stands, is an expression:
//     P.Stop(P.Begin(&t[0], 17), f(x)).
//   - If the operands of f contain calls, the last of them that is evaluated
//     becomes P.Restart(&t[0], g(y)), and the time of f starts there.
//   - A call that is a statement, or the right side of one, is put between
//     P.Begin(&t[0], 17) and P.End(&t[0], 17). In the header of an if, switch
//     or for, Begin precedes the statement, and End moves into the condition.
//   - return f(x) with several results becomes
//     { P.Begin(&t[0], 17); r0, r1 := /*return*/ f(x); P.End(&t[0], 17); return r0, r1 }.
//   - g(f(x)) with several results becomes
//     g(P.Stop2[A, B](P.Begin(&t[0], 17)).Do(f(x))), if A and B have names there.
//   - defer f(x) stays what it is, for only a function that is itself deferred
//     can recover. It goes between defer P.End(&d[0], 17) and
//     defer P.Begin(&d[0], 17), and its time counts when it runs. Where the
//     compiler then no longer keeps a function's deferred calls in line (8 of
//     them, 15 times its returns), each costs tens of nanoseconds more, which
//     the function's own code seems to take.
//   - go f(x) counts what it takes to start the goroutine. The time of the
//     function is that of a [BodyProbe].
//
// Begin is BeginGroup in a recursive function, and BeginWithin where only what comes
// by a path counts. In either, if operands of the call contain calls, it is BeginLater,
// and the probe begins at P.Restart: what the operands run is not within the call.
//
// Marks are reused: a function has as many as there are probes open at once.
package instrument

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"
)

// ProbePackage is the import path that the overlay gives the probe runtime.
const ProbePackage = "debug"

// A File is one type-checked file.
type File struct {
	Fset   *token.FileSet
	Syntax *ast.File // with comments
	Info   *types.Info
	Pkg    *types.Package
	Src    []byte
	Name   string

	// LangVersion is the language version of the file's module, such as
	// "go1.16". Empty means the toolchain's own.
	LangVersion string
}

// FileOf is a file of a package that was loaded with its syntax and types; contents
// gives what was parsed of a name.
func FileOf(pkg *packages.Package, syntax *ast.File, contents func(name string) []byte) File {
	name := pkg.Fset.File(syntax.Package).Name()
	f := File{
		Fset: pkg.Fset, Syntax: syntax, Info: pkg.TypesInfo, Pkg: pkg.Types, Src: contents(name), Name: name,
	}
	if m := pkg.Module; m != nil && m.GoVersion != "" {
		f.LangVersion = "go" + m.GoVersion
	}
	return f
}

// A CallProbe asks for a probe around one call expression.
type CallProbe struct {
	ID   int
	Call *ast.CallExpr

	// Func is the declaration or literal that the call lies in directly; nil
	// for the initialiser of a package's variable.
	Func ast.Node

	// Group is not zero where the callee may reach itself. Of the probes of a
	// group only the outermost counts on a goroutine.
	Group int

	// Within is not zero where a probe counts on a path only: while one of the
	// group Within runs on the same goroutine.
	Within int
}

// A BodyProbe asks for a probe around the body of a function declaration or
// literal, from entry to return, deferred calls included.
type BodyProbe struct {
	ID     int
	Func   ast.Node
	Group  int // as in CallProbe
	Within int // as in CallProbe
}

// A Refusal is a probe that can't be had.
type Refusal struct {
	ID     int
	Pos    token.Position
	Text   string // of the call or of the function's beginning, in one line
	Reason string // one of few, in words
}

// Rewrite returns f's source with probes. Where nothing is probed it is f.Src
// itself. An error means that the request makes no sense, such as a call that
// isn't f's, or that the edits contradict each other.
func Rewrite(f File, calls []CallProbe, bodies []BodyProbe) (out []byte, refused []Refusal, err error) {
	out, _, refused, err = rewrite(f, calls, bodies)
	return out, refused, err
}

// rewrite also returns the insertions.
func rewrite(f File, calls []CallProbe, bodies []BodyProbe) ([]byte, []insertion, []Refusal, error) {
	w := newRewriter(f)
	for _, p := range calls {
		if err := w.addCall(p); err != nil {
			return nil, nil, nil, err
		}
	}
	for _, p := range bodies {
		if err := w.addBody(p); err != nil {
			return nil, nil, nil, err
		}
	}
	w.emit()
	out, ins, err := w.buf.bytes()
	if err != nil {
		err = fmt.Errorf("editing %s: %w", f.Name, err)
	}
	slices.SortStableFunc(w.refused, func(a, b Refusal) int { return cmp.Compare(a.Pos.Offset, b.Pos.Offset) })
	return out, ins, w.refused, err
}

// A rewriter rewrites one file.
type rewriter struct {
	File
	root    inspector.Cursor
	refuser refuser
	names   names
	refused []Refusal
	sites   []*site
	bodies  []BodyProbe

	frames map[ast.Node]*frame // by function; nil is the file itself
	opens  map[ast.Node]bool   // nodes while which are evaluated a probe is open
	ended  map[ast.Node]bool   // statements in whose headers probes end
	buf    buffer
}

func newRewriter(f File) *rewriter {
	return &rewriter{
		File:    f,
		root:    inspector.New([]*ast.File{f.Syntax}).Root(),
		refuser: newRefuser(f),
		names:   newNames(f),
		frames:  make(map[ast.Node]*frame),
		opens:   make(map[ast.Node]bool),
		ended:   make(map[ast.Node]bool),
		buf:     buffer{old: f.Src},
	}
}

// addCall finds the form for a probe, or the reason against it.
func (w *rewriter) addCall(p CallProbe) error {
	cur, ok := w.root.FindNode(p.Call)
	if !ok {
		return fmt.Errorf("probing call %d: not in %s", p.ID, w.Name)
	}
	s := &site{CallProbe: p, cur: cur}
	s.Func = enclosingFunc(cur)
	reason := w.refuser.call(s)
	if reason == "" {
		reason = w.classify(s)
	}
	if reason != "" {
		w.refuse(p.ID, p.Call, reason)
		return nil
	}
	w.sites = append(w.sites, s)
	if s.form != formDefer {
		w.opens[s.open] = true
	}
	return nil
}

func (w *rewriter) addBody(p BodyProbe) error {
	cur, ok := w.root.FindNode(p.Func)
	if !ok {
		return fmt.Errorf("probing body %d: not in %s", p.ID, w.Name)
	}
	if reason := w.bodyReason(p.Func, cur); reason != "" {
		w.refuse(p.ID, p.Func, reason)
		return nil
	}
	w.bodies = append(w.bodies, p)
	return nil
}

func (w *rewriter) refuse(id int, n ast.Node, reason string) {
	w.refused = append(w.refused, Refusal{
		ID:     id,
		Pos:    w.Fset.Position(n.Pos()),
		Text:   oneLine(w.Src[w.offset(n.Pos()):w.offset(n.End())]),
		Reason: reason,
	})
}

// offset returns a position's offset in the file, whatever //line says.
func (w *rewriter) offset(pos token.Pos) int {
	return w.Fset.PositionFor(pos, false).Offset
}

// around queues an edit of a node.
func (w *rewriter) around(n ast.Node, rank int, before, after string) {
	w.buf.around(w.offset(n.Pos()), w.offset(n.End()), rank, before, after)
}

// following queues text behind a token of the given length.
func (w *rewriter) following(pos token.Pos, length int, rank int, text string) {
	w.buf.around(w.offset(pos), w.offset(pos)+length, rank, "", text)
}

// emit queues all edits.
func (w *rewriter) emit() {
	if len(w.sites)+len(w.bodies) == 0 {
		return
	}
	for _, p := range w.bodies {
		w.frame(p.Func).body = &p
	}
	for _, s := range w.sites {
		w.emitSite(s)
	}
	for fn, fr := range w.frames {
		w.declareMarks(fn, fr)
	}
	w.importRuntime()
}

// importRuntime imports the probe runtime behind the package clause.
func (w *rewriter) importRuntime() {
	w.around(w.Syntax.Name, rankStop, "", "; import "+w.names.probe+` "`+ProbePackage+`"`)
}

// bodyReason is why a function's body can't have a probe; "" if it can.
func (w *rewriter) bodyReason(fn ast.Node, cur inspector.Cursor) string {
	reason := w.refuser.function(enclosingDecl(cur))
	if reason == "" && bodyOf(fn) == nil {
		reason = reasonNoBody
	}
	return reason
}

// enclosingFunc returns the declaration or literal that a call lies in
// directly, nil if there is none.
func enclosingFunc(cur inspector.Cursor) ast.Node {
	for f := range cur.Parent().Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return f.Node()
	}
	return nil
}

// bodyOf returns a function's body, nil if it has none.
func bodyOf(fn ast.Node) *ast.BlockStmt {
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		return fn.Body
	case *ast.FuncLit:
		return fn.Body
	}
	return nil
}

// oneLine returns the beginning of source text, with each run of space one
// blank.
func oneLine(src []byte) string {
	const most = 60
	var out []rune
	for _, r := range string(src) {
		if r == ' ' || r == '\t' || r == '\r' || r == '\n' {
			if len(out) > 0 && out[len(out)-1] != ' ' {
				out = append(out, ' ')
			}
			continue
		}
		if len(out) == most {
			return string(out) + "..."
		}
		out = append(out, r)
	}
	return string(out)
}

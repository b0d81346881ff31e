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
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

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

package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// CountField returns f's source counting the accesses of a field: the calls of
// probe read are how often a selector read it, those of write how often one
// assigned to it. Assigning to an element or a field of it is a write where the
// field holds them itself (an array, a structure), a read where it only leads to
// them (a slice, a map, a pointer). x.f += y and x.f++ are both.
//
// What no selector of the field's says is not counted: composite literals, copies
// and comparisons of the whole structure, reflection, and what goes through a
// pointer that &x.f made; taken lists the places that do that. So do methods
// with a pointer receiver that are called on the field.
//
// Where nothing is counted it is f.Src itself. Operands that the language leaves
// unordered may be evaluated in another order.
func CountField(f File, field *types.Var, read, write int) (out []byte, taken []token.Position, refused []Refusal, err error) {
	w := newRewriter(f)
	counted := 0
	for cur := range w.root.Preorder((*ast.SelectorExpr)(nil)) {
		sel := cur.Node().(*ast.SelectorExpr)
		s := f.Info.Selections[sel]
		if s == nil || s.Kind() != types.FieldVal || s.Obj().(*types.Var).Origin() != field {
			continue
		}
		if reason := w.refuser.function(enclosingDecl(cur)); reason != "" {
			w.refuse(read, sel, reason)
			continue
		}
		if w.enclosingUnevaluated(cur) {
			continue
		}
		use := w.use(cur)
		if use == addressed {
			taken = append(taken, f.Fset.Position(sel.Pos()))
			continue
		}
		w.countAccess(sel, use, read, write)
		counted++
	}
	out, refused, err = w.finish(counted)
	return out, taken, refused, err
}

// A use is what is done with a selected field.
type use int

const (
	readOnly use = iota
	written
	updated   // read and written
	addressed // its address is taken
)

// use climbs from a selector through what it holds itself to what is done with
// it.
func (w *rewriter) use(cur inspector.Cursor) use {
	for {
		child := cur.Node().(ast.Expr)
		cur = cur.Parent()
		switch n := cur.Node().(type) {
		case *ast.ParenExpr:
		case *ast.SelectorExpr:
			s := w.Info.Selections[n]
			if s == nil || s.Kind() != types.FieldVal {
				return w.method(s, child)
			}
			if isPointer(w.Info.TypeOf(child)) {
				return readOnly
			}
		case *ast.IndexExpr:
			if n.X != child {
				return readOnly
			}
			if _, array := w.Info.TypeOf(child).Underlying().(*types.Array); !array {
				return readOnly
			}
		case *ast.SliceExpr:
			if _, array := w.Info.TypeOf(child).Underlying().(*types.Array); array && n.X == child {
				return addressed
			}
			return readOnly
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				return addressed
			}
			return readOnly
		case *ast.AssignStmt:
			return assigned(n, child)
		case *ast.IncDecStmt:
			return updated
		case *ast.RangeStmt:
			if n.Key == child || n.Value == child {
				return written
			}
			return readOnly
		default:
			return readOnly
		}
	}
}

// method is what a method selected on the field does with it: with a pointer
// receiver it takes its address.
func (w *rewriter) method(s *types.Selection, field ast.Expr) use {
	if s == nil || s.Kind() != types.MethodVal || isPointer(w.Info.TypeOf(field)) {
		return readOnly
	}
	if sig, ok := s.Obj().Type().(*types.Signature); ok && sig.Recv() != nil && isPointer(sig.Recv().Type()) {
		return addressed
	}
	return readOnly
}

func assigned(n *ast.AssignStmt, to ast.Expr) use {
	for _, lhs := range n.Lhs {
		if lhs != to {
			continue
		}
		if n.Tok == token.ASSIGN {
			return written
		}
		return updated
	}
	return readOnly
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// countAccess wraps what the field is selected from. A pointer stays one, and what
// has an address keeps it, so the field can still be assigned to.
func (w *rewriter) countAccess(sel *ast.SelectorExpr, use use, read, write int) {
	call := func(id int) string { return fmt.Sprintf("%s.HitWith(%d, ", w.names.probe, id) }
	before, after := call(read), ")"
	switch use {
	case written:
		before = call(write)
	case updated:
		before, after = call(write)+call(read), "))"
	}
	tv := w.Info.Types[sel.X]
	if tv.Addressable() && !isPointer(tv.Type) {
		before += "&"
	}
	w.around(sel.X, rankStop, before, after)
}

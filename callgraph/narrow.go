package callgraph

import (
	"bytes"
	"go/ast"
	"slices"
)

// Narrow gives, of two revisions of a function, the innermost literals in them
// that hold all that differs; the functions themselves if the code outside their
// literals differs too, or several literals do.
func Narrow(good, bad *Function) (*Function, *Function) {
	if parts := Differing(good, bad); len(parts) == 1 {
		return parts[0][0], parts[0][1]
	}
	return good, bad
}

// Differing gives, of two revisions of a function, good and bad, what of it differs: the
// innermost literals, and the functions themselves first if the code outside their
// literals differs. Where literals can't be told apart, or nothing differs, it is the
// functions as a whole.
func Differing(good, bad *Function) [][2]*Function {
	whole := [][2]*Function{{good, bad}}
	if !good.HasBody() || !bad.HasBody() {
		return whole
	}
	goodLits, badLits := directLiterals(good), directLiterals(bad)
	if len(goodLits) != len(badLits) || slices.Contains(goodLits, nil) || slices.Contains(badLits, nil) {
		return whole
	}
	var parts [][2]*Function
	if normal(without(good, goodLits)) != normal(without(bad, badLits)) {
		parts = whole
	}
	for i := range goodLits {
		if normal(goodLits[i].Source()) != normal(badLits[i].Source()) {
			parts = append(parts, Differing(goodLits[i], badLits[i])...)
		}
	}
	if parts == nil {
		return whole
	}
	return parts
}

// directLiterals are the literals of a function, but for those inside literals, in
// the order of the source.
func directLiterals(fn *Function) []*Function {
	var list []*Function
	ast.Inspect(fn.Body(), func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			list = append(list, fn.program.functions.byNode[lit])
		}
		return !ok
	})
	return list
}

// without is the source of a function with a word in place of each literal.
func without(fn *Function, lits []*Function) []byte {
	src := fn.Source()
	var out bytes.Buffer
	at := 0
	for _, lit := range lits {
		from, to := int(lit.Node.Pos()-fn.Node.Pos()), int(lit.Node.End()-fn.Node.Pos())
		out.Write(src[at:from])
		out.WriteString(" func ")
		at = to
	}
	out.Write(src[at:])
	return out.Bytes()
}

package change

import (
	"bytes"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Narrow gives, of two revisions of a function, the innermost literals in them
// that hold all that differs; the functions themselves if the code outside their
// literals differs too, or several literals do.
func Narrow(p Functions) Functions {
	if parts := Parts(p); len(parts) == 1 {
		return parts[0]
	}
	return p
}

// Parts gives, of two revisions of a function, what of it differs: the innermost
// literals, and the functions themselves first if the code outside their literals
// differs. Where literals can't be told apart, or nothing differs, it is the functions
// as a whole.
func Parts(p Functions) []Functions {
	whole := []Functions{p}
	if !p.Good.HasBody() || !p.Bad.HasBody() {
		return whole
	}
	good, bad := p.Good.Literals(), p.Bad.Literals()
	if len(good) != len(bad) || slices.Contains(good, nil) || slices.Contains(bad, nil) {
		return whole
	}
	var parts []Functions
	if callgraph.Normal(without(p.Good, good)) != callgraph.Normal(without(p.Bad, bad)) {
		parts = whole
	}
	for i := range good {
		if callgraph.Normal(good[i].Source()) != callgraph.Normal(bad[i].Source()) {
			parts = append(parts, Parts(Functions{Good: good[i], Bad: bad[i]})...)
		}
	}
	if parts == nil {
		return whole
	}
	return parts
}

// Outermost is the declaration that a literal lies in, or the function itself.
func Outermost(fn *callgraph.Function) *callgraph.Function {
	for fn.Outer != nil {
		fn = fn.Outer
	}
	return fn
}

// without is the source of a function with a word in place of each literal.
func without(fn *callgraph.Function, literals []*callgraph.Function) []byte {
	src := fn.Source()
	var out bytes.Buffer
	at := 0
	for _, lit := range literals {
		from, to := int(lit.Node.Pos()-fn.Node.Pos()), int(lit.Node.End()-fn.Node.Pos())
		out.Write(src[at:from])
		out.WriteString(" func ")
		at = to
	}
	out.Write(src[at:])
	return out.Bytes()
}

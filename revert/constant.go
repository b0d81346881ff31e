package revert

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

// explicit reports whether a constant says its value itself, without iota.
func explicit(d *change.Decl) bool {
	spec := d.Node.(*ast.ValueSpec)
	ok := len(spec.Values) > 0
	for _, v := range spec.Values {
		ast.Inspect(v, func(n ast.Node) bool {
			if id, isID := n.(*ast.Ident); isID && id.Name == "iota" {
				ok = false
			}
			return ok
		})
	}
	return ok
}

// constants writes constants that depend on their place in a group by value.
func (x *composition) constants(t *take) string {
	var lines []string
	for _, id := range t.good.Node.(*ast.ValueSpec).Names {
		c, ok := t.good.Pkg.TypesInfo.Defs[id].(*types.Const)
		if !ok {
			continue
		}
		typ := ""
		if b, ok := c.Type().(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
			typ = types.TypeString(c.Type(), func(p *types.Package) string {
				if p == t.good.Pkg.Types {
					return ""
				}
				return p.Name()
			})
		}
		lines = append(lines, fmt.Sprintf("const %s %s = %s", t.name(id.Name), typ, exact(x.value(t, c))))
	}
	return strings.Join(lines, "; ") + "\n"
}

// exact writes a constant. Fractions need a point, lest they be integers.
func exact(v constant.Value) string {
	s := v.ExactString()
	if num, den, ok := strings.Cut(s, "/"); ok && v.Kind() == constant.Float {
		return num + ".0/" + den + ".0"
	}
	return s
}

// value gives every constant one value for the round.
func (x *composition) value(t *take, c *types.Const) constant.Value {
	if x.values[c] == nil {
		x.values[c] = x.choose(t, c)
	}
	return x.values[c]
}

// choose gives the value of a constant in the composition: good's, unless bad lacks
// the constant and its group has given the value to another one. Two opcodes
// of one value would mean each other.
func (x *composition) choose(t *take, c *types.Const) constant.Value {
	if explicit(t.good) || x.Namesake(t.good) != nil || c.Val().Kind() != constant.Int {
		return c.Val()
	}
	taken := x.enumeration(t)
	for _, v := range taken {
		if constant.Compare(v, token.EQL, c.Val()) {
			free := unused(taken)
			x.note("%s is %s here: its value %s in good is another constant's in bad", t.good.Name(), free, c.Val())
			return free
		}
	}
	return c.Val()
}

// enumeration gives the integers of the group in bad that holds any of the
// constants beside t's, and those that were added to it.
func (x *composition) enumeration(t *take) []constant.Value {
	groups := make(map[*ast.GenDecl]bool)
	mates := make(map[*change.Decl]bool)
	for _, g := range x.Good.ByFile[t.good.Filename] {
		if g.Group == t.good.Group {
			mates[g] = true
			if b := x.Namesake(g); b != nil && change.KindOf(b) == change.Const {
				groups[b.Group] = true
			}
		}
	}
	var values []constant.Value
	add := func(d *change.Decl, value func(*types.Const) constant.Value) {
		for _, id := range d.Node.(*ast.ValueSpec).Names {
			if c, ok := d.Pkg.TypesInfo.Defs[id].(*types.Const); ok && c.Val().Kind() == constant.Int {
				values = append(values, value(c))
			}
		}
	}
	for _, b := range x.Bad.Decls {
		if groups[b.Group] && !x.gone[b] {
			add(b, (*types.Const).Val)
		}
	}
	for _, other := range x.takes {
		if other == t {
			break
		}
		if mates[other.good] {
			add(other.good, func(c *types.Const) constant.Value { return x.value(other, c) })
		}
	}
	return values
}

// unused is the next integer of an enumeration: twice the largest when all are
// powers of two, one more otherwise.
func unused(values []constant.Value) constant.Value {
	one := constant.MakeInt64(1)
	largest, flags := values[0], true
	for _, v := range values {
		if constant.Compare(v, token.GTR, largest) {
			largest = v
		}
		less := constant.BinaryOp(v, token.SUB, one)
		flags = flags && constant.Sign(v) > 0 && constant.Sign(constant.BinaryOp(v, token.AND, less)) == 0
	}
	if flags && len(values) > 2 {
		return constant.Shift(largest, token.SHL, 1)
	}
	return constant.BinaryOp(largest, token.ADD, one)
}

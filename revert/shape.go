package revert

import (
	"cmp"
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

// typeString is a type as both revisions write it.
func typeString(c *change.Change, s *change.Side, t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if s == c.Good {
			return c.ToBad(p.Path())
		}
		return p.Path()
	})
}

// param is one parameter; the receiver counts as the first one.
type param struct {
	name, typ string
	receiver  bool
}

type shape struct {
	params   []param
	results  []string
	variadic bool
	generic  int // type parameters
}

// shapeOf is what callers of a function rely on.
func shapeOf(c *change.Change, d *change.Decl) shape {
	fn := d.Object().(*types.Func)
	sig := fn.Signature()
	s := shape{variadic: sig.Variadic(), generic: sig.TypeParams().Len()}
	numbers := typeParams(sig)
	write := func(t types.Type) string {
		return words.ReplaceAllStringFunc(typeString(c, d.Side, t), func(w string) string { return cmp.Or(numbers[w], w) })
	}
	if r := sig.Recv(); r != nil {
		s.params = append(s.params, param{r.Name(), write(r.Type()), true})
	}
	for v := range sig.Params().Variables() {
		s.params = append(s.params, param{v.Name(), write(v.Type()), false})
	}
	for v := range sig.Results().Variables() {
		s.results = append(s.results, write(v.Type()))
	}
	return s
}

// typeParams numbers the type parameters, whose names are nobody else's business.
func typeParams(sig *types.Signature) map[string]string {
	numbers := make(map[string]string)
	for _, list := range []*types.TypeParamList{sig.RecvTypeParams(), sig.TypeParams()} {
		for p := range list.TypeParams() {
			numbers[p.Obj().Name()] = "$" + strconv.Itoa(len(numbers))
		}
	}
	return numbers
}

func (s shape) types() string {
	var list []string
	for _, p := range s.params {
		if p.receiver {
			p.typ += "."
		}
		list = append(list, p.typ)
	}
	return strings.Join(list, ", ")
}

// sameShape reports whether g may stand in b's place for all callers.
func sameShape(c *change.Change, g, b *change.Decl) bool {
	x, y := shapeOf(c, g), shapeOf(c, b)
	return x.types() == y.types() && slices.Equal(x.results, y.results) && x.variadic == y.variadic && x.generic == y.generic
}

// canAdapt reports whether a function of b's signature can call g.
func canAdapt(c *change.Change, g, b *change.Decl) bool {
	_, ok := arguments(c, g, b)
	return ok
}

// arguments gives for each parameter of g which one of b's it is handed: that
// of the same type and name, else that of the name that is the address of it or what lies
// there, else the next one of the same type.
func arguments(c *change.Change, g, b *change.Decl) ([]int, bool) {
	x, y := shapeOf(c, g), shapeOf(c, b)
	if _, ok := returned(x, y); !ok || x.variadic && !y.variadic || x.generic != y.generic {
		return nil, false
	}
	used := make([]bool, len(y.params))
	args := make([]int, len(x.params))
	for i := range args {
		args[i] = -1
	}
	pick := func(i int, fits func(p, q param) bool) {
		for j, q := range y.params {
			if args[i] < 0 && !used[j] && fits(x.params[i], q) {
				args[i], used[j] = j, true
			}
		}
	}
	same := func(p, q param) bool { return p.typ == q.typ }
	named := func(p, q param) bool { return p.name == q.name && p.name != "" && p.name != "_" }
	for i := range args {
		pick(i, func(p, q param) bool { return same(p, q) && named(p, q) })
	}
	for i := range args {
		pick(i, func(p, q param) bool {
			_, ok := pointing(q.typ, p.typ)
			return ok && (named(p, q) || p.receiver && q.receiver)
		})
	}
	for i := range args {
		pick(i, same)
		if args[i] < 0 {
			return nil, false
		}
	}
	return args, true
}

// pointing is what stands before a variable of a type to make another one of it.
func pointing(from, to string) (operator string, ok bool) {
	switch {
	case from == to:
		return "", true
	case to == "*"+from:
		return "&", true
	case from == "*"+to:
		return "*", true
	}
	return "", false
}

// returned says how good's results, by name in order, make bad's: each of its type or the
// address of it or what lies there, and an error that only bad gives is nil.
func returned(good, bad shape) (list []string, ok bool) {
	for i, to := range bad.results {
		if i == len(good.results) {
			list = append(list, "nil")
			return list, i == len(bad.results)-1 && to == "error"
		}
		operator, ok := pointing(good.results[i], to)
		if !ok {
			return nil, false
		}
		list = append(list, operator+resultName(i))
	}
	return list, len(good.results) == len(bad.results)
}

func resultName(i int) string { return fmt.Sprintf("r__%d", i) }

func hasWord(text, word string) bool {
	return slices.Contains(words.FindAllString(text, -1), word)
}

var words = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

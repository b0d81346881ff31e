package change

import (
	"maps"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Change is what lies between two revisions. Its methods are not safe for concurrent use.
type Change struct {
	Good, Bad *Side
	// Standard says that the sides have standard libraries of their own, whose
	// packages are suspects as the module's own are, where their source is loaded.
	Standard bool

	renamed map[*Decl]*Decl // functions whose code moved to another name, both ways
	twins   []Suspect       // the same, as suspects, whether their code is equal or not
}

// Between compares two loaded revisions of one module.
func Between(good, bad *callgraph.Program) *Change {
	c := &Change{Good: newSide(good), Bad: newSide(bad)}
	c.pairRenamed()
	return c
}

// refresh looks at the source that a revision has opened since.
func (c *Change) refresh() {
	good, bad := c.Good.complete(), c.Bad.complete()
	if good || bad {
		c.pairRenamed()
	}
}

// Functions is a function as it is in either revision.
type Functions = Pair[*callgraph.Function]

// InGood finds the function of good that has the code of one of bad's, or had it.
func (c *Change) InGood(bad *callgraph.Function) (*callgraph.Function, bool) {
	c.refresh()
	if bad.Outer != nil {
		outer, ok := c.InGood(bad.Outer)
		if !ok {
			return nil, false
		}
		return literalLike(bad, outer)
	}
	if d := c.Bad.declaring(bad); d != nil {
		for _, twin := range []*Decl{c.Namesake(d), c.renamed[d]} {
			if twin == nil {
				continue
			}
			if same := function(twin); same != nil { // a variable of function type is none
				return same, true
			}
		}
	}
	same := c.Good.Prog.Lookup(bad.Name)
	return same, same != nil
}

// literalLike finds the literal of outer that has the code of fn: the one in the same
// place if it has most of it, else the most similar.
func literalLike(fn, outer *callgraph.Function) (*callgraph.Function, bool) {
	mine, others := fn.Outer.Literals(), outer.Literals()
	var best *callgraph.Function
	score := leastSimilarity
	for i, other := range others {
		if other == nil {
			continue
		}
		s := Similar(fn, other)
		samePlace := len(mine) == len(others) && mine[i] == fn
		if s > score || s == score && best == nil || samePlace && s >= leastSimilarity {
			best, score = other, s
		}
		if samePlace && s >= leastSimilarity {
			break
		}
	}
	if best == nil && len(mine) == len(others) { // all of it was rewritten
		for i, lit := range mine {
			if lit == fn && others[i] != nil {
				return others[i], true
			}
		}
	}
	return best, best != nil
}

// Differs says whether a function's own code is not the same in both revisions, the
// literals in it included.
func (c *Change) Differs(p Functions) bool {
	return c.Good.Prog.Fingerprint(p.Good) != c.Bad.Prog.Fingerprint(p.Bad)
}

// DiffersDeep says whether its code is not the same, or what that refers to: types,
// constants, variables.
func (c *Change) DiffersDeep(p Functions) bool {
	return c.Good.Prog.FingerprintDeep(p.Good) != c.Bad.Prog.FingerprintDeep(p.Bad)
}

// SameBelow says whether everything that functions reach is the same code in both
// revisions. Where one side lacks a function, it is not.
func (c *Change) SameBelow(list []Functions) bool {
	good, bad := make(map[string]string), make(map[string]string)
	for _, p := range list {
		if p.Good == nil || p.Bad == nil {
			return false
		}
		maps.Copy(good, c.Good.Prog.ReachPrint(p.Good))
		maps.Copy(bad, c.Bad.Prog.ReachPrint(p.Bad))
	}
	return maps.Equal(good, bad)
}

// Unwrap looks through a wrapper that one revision has put around a function: the code
// that was there has moved to another name.
func (c *Change) Unwrap(p Functions) Functions {
	if p.Good == nil || p.Bad == nil || !c.Differs(p) {
		return p
	}
	c.refresh()
	if d := c.Good.declaring(p.Good); d != nil && c.renamed[d] != nil && c.calls(p.Bad, c.renamed[d]) {
		return Functions{Good: p.Good, Bad: function(c.renamed[d])}
	}
	if d := c.Bad.declaring(p.Bad); d != nil && c.renamed[d] != nil && c.calls(p.Good, c.renamed[d]) {
		return Functions{Good: function(c.renamed[d]), Bad: p.Bad}
	}
	return p
}

// Wraps says whether what is in a wrapper, as unwrapped, is the code that was there before.
// Then whatever differs is the wrapper's.
func Wraps(unwrapped Functions) bool { return Similar(unwrapped.Good, unwrapped.Bad) == 1 }

// calls says whether a function calls a declaration of its own side.
func (c *Change) calls(fn *callgraph.Function, d *Decl) bool {
	layer, err := d.Side.Prog.Layer(fn)
	if err != nil {
		return false
	}
	callee := function(d)
	for _, call := range layer.Calls {
		if call.Callee() == callee && callee != nil && callee != fn {
			return true
		}
	}
	return false
}

// Matched pairs up functions of both sides by name and, where one is left over on each,
// those two: what was renamed still stands at the same place. Those of one side only come
// last, good's before bad's.
func (c *Change) Matched(good, bad []*callgraph.Function) []Functions {
	byName := make(map[string]*callgraph.Function)
	for _, fn := range good {
		byName[fn.Name] = fn
	}
	var pairs, onlyGood, onlyBad []Functions
	for _, fn := range bad {
		if g := byName[fn.Name]; g != nil {
			pairs = append(pairs, c.Unwrap(Functions{Good: g, Bad: fn}))
			delete(byName, fn.Name)
		} else {
			onlyBad = append(onlyBad, Functions{Bad: fn})
		}
	}
	for _, fn := range good {
		if byName[fn.Name] != nil {
			onlyGood = append(onlyGood, Functions{Good: fn})
		}
	}
	if len(onlyGood) == 1 && len(onlyBad) == 1 {
		return append(pairs, c.Unwrap(Functions{Good: onlyGood[0].Good, Bad: onlyBad[0].Bad}))
	}
	return append(append(pairs, onlyGood...), onlyBad...)
}

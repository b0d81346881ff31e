package revert

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Kind tells what a suspect is.
type Kind int

const (
	Func Kind = iota
	Type
	Const
	Var
)

func (k Kind) String() string { return [...]string{"func", "type", "const", "var"}[k] }

// Suspect is a declaration whose code differs between the revisions.
type Suspect struct {
	Kind Kind
	Name string // in bad, or in good when bad lacks it; of functions the contract name, of others import/path.Name

	Good, Bad  *callgraph.Function // of functions; nil on the side that lacks it. Of others see Added and Removed
	Similarity float64             // of renamed twins, by tokens; 1 when the name is the same

	good, bad *decl
}

// Added reports whether only bad has the declaration.
func (s Suspect) Added() bool { return s.good == nil }

// Removed reports whether only good has the declaration.
func (s Suspect) Removed() bool { return s.bad == nil }

// leastSimilarity of two functions that are taken for one that was renamed.
const leastSimilarity = 0.6

// Change is what lies between two revisions. Its methods are not safe for
// concurrent use.
type Change struct {
	good, bad *side
	twins     []Suspect       // renamed functions, their code equal or not
	twinOf    map[*decl]*decl // of bad's to good's
}

// Between compares two loaded revisions of one module.
func Between(good, bad *callgraph.Program) *Change {
	c := &Change{good: newSide(good), bad: newSide(bad), twinOf: make(map[*decl]*decl)}
	c.pairTwins()
	return c
}

// Suspects lists the declarations that differ in packages with loaded source
// of the module, test files excepted, in the order of packages, files and lines. A literal
// belongs to the function that it is written in. A function that bad wraps
// (its body has moved to a new one) is listed under both names.
func (c *Change) Suspects() []Suspect {
	var list []Suspect
	twin := make(map[*decl]bool)
	for _, t := range c.twins {
		twin[t.good], twin[t.bad] = true, true
		if !sameBody(t.good, t.bad) {
			list = append(list, t)
		}
	}
	for _, d := range c.bad.decls {
		if d.test() || !local(d.pkg) {
			continue
		}
		if g := c.namesake(d); g == nil && !twin[d] || g != nil && !g.same(d) {
			list = append(list, c.suspect(g, d, 1))
		}
	}
	for _, g := range c.good.decls {
		if !g.test() && local(g.pkg) && !twin[g] && c.counterpart(g) == nil {
			list = append(list, c.suspect(g, nil, 1))
		}
	}
	slices.SortStableFunc(list, func(a, b Suspect) int { return place(a).compare(place(b)) })
	return list
}

type position struct {
	pkg, file string
	line      int
}

func place(s Suspect) position {
	d := s.bad
	if d == nil {
		d = s.good
	}
	return position{d.pkg.PkgPath, d.name, d.line(d.node.Pos())}
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.pkg, q.pkg), cmp.Compare(p.file, q.file), cmp.Compare(p.line, q.line))
}

func (c *Change) suspect(good, bad *decl, similarity float64) Suspect {
	s := Suspect{Similarity: similarity, good: good, bad: bad}
	d := bad
	if d == nil {
		d = good
	}
	s.Name, s.Kind = d.label(), kindOf(d)
	if good != nil {
		s.Good = function(good)
	}
	if bad != nil {
		s.Bad = function(bad)
	}
	return s
}

func kindOf(d *decl) Kind {
	switch {
	case d.group == nil:
		return Func
	case d.group.Tok.String() == "type":
		return Type
	case d.group.Tok.String() == "const":
		return Const
	}
	return Var
}

func function(d *decl) *callgraph.Function {
	if d.fn() == nil {
		return nil
	}
	fn, err := d.side.prog.FuncAt(d.name, d.line(d.fn().Pos()))
	for err == nil && fn != nil {
		if fn.Node == ast.Node(d.fn()) {
			return fn
		}
		fn = fn.Outer
	}
	return nil
}

// Find gives the suspect for a function of bad or good, by its contract name,
// whether it differs or not; a literal's stands for the declaration around it.
// Type arguments don't matter.
func (c *Change) Find(name string) (Suspect, error) {
	plain, _, _ := strings.Cut(name, "[")
	for _, b := range c.bad.decls {
		if within(plain, b.label()) {
			g := c.namesake(b)
			if g == nil {
				g = c.twinOf[b]
			}
			return c.pair(g, b), nil
		}
	}
	for _, g := range c.good.decls {
		if within(plain, g.label()) {
			return c.pair(g, c.twinIn(g)), nil
		}
	}
	return Suspect{}, fmt.Errorf("finding %s: no loaded declaration of that name", name)
}

// pair is the suspect of two declarations, with the similarity they were found by.
func (c *Change) pair(good, bad *decl) Suspect {
	for _, t := range c.twins {
		if t.good == good && t.bad == bad {
			return t
		}
	}
	return c.suspect(good, bad, 1)
}

// within reports whether name is that of a declaration or of a literal in it.
func within(name, label string) bool {
	rest, ok := strings.CutPrefix(name, label)
	return ok && (rest == "" || strings.HasPrefix(rest, ".func"))
}

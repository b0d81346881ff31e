package change

import (
	"cmp"
	"fmt"
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

	GoodDecl, BadDecl *Decl // nil on the side that lacks it
}

// Added reports whether only bad has the declaration.
func (s Suspect) Added() bool { return s.GoodDecl == nil }

// Removed reports whether only good has the declaration.
func (s Suspect) Removed() bool { return s.BadDecl == nil }

// Suspects lists the declarations that differ in packages with loaded source
// of the module, test files excepted, in the order of packages, files and lines. A literal
// belongs to the function that it is written in. A function that bad wraps
// (its body has moved to a new one) is listed under both names.
func (c *Change) Suspects() []Suspect {
	c.refresh()
	var list []Suspect
	twin := make(map[*Decl]bool)
	for _, t := range c.twins {
		twin[t.GoodDecl], twin[t.BadDecl] = true, true
		if c.Own(t.BadDecl.Pkg) && !sameBody(t.GoodDecl, t.BadDecl) {
			list = append(list, t)
		}
	}
	for _, d := range c.Bad.Decls {
		if d.Test() || !c.Own(d.Pkg) {
			continue
		}
		if g := c.Namesake(d); g == nil && !twin[d] || g != nil && !g.Same(d) {
			list = append(list, c.suspect(g, d, 1))
		}
	}
	for _, g := range c.Good.Decls {
		if !g.Test() && c.Own(g.Pkg) && !twin[g] && c.Namesake(g) == nil {
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
	d := s.BadDecl
	if d == nil {
		d = s.GoodDecl
	}
	return position{d.Pkg.PkgPath, d.Filename, d.Line(d.Node.Pos())}
}

func (p position) compare(q position) int {
	return cmp.Or(cmp.Compare(p.pkg, q.pkg), cmp.Compare(p.file, q.file), cmp.Compare(p.line, q.line))
}

func (c *Change) suspect(good, bad *Decl, similarity float64) Suspect {
	s := Suspect{Similarity: similarity, GoodDecl: good, BadDecl: bad}
	d := bad
	if d == nil {
		d = good
	}
	s.Name, s.Kind = d.Name(), KindOf(d)
	if good != nil {
		s.Good = function(good)
	}
	if bad != nil {
		s.Bad = function(bad)
	}
	return s
}

// KindOf is what a declaration is.
func KindOf(d *Decl) Kind {
	switch {
	case d.Group == nil:
		return Func
	case d.Group.Tok.String() == "type":
		return Type
	case d.Group.Tok.String() == "const":
		return Const
	}
	return Var
}

// function is the declared function; nil if it is none, or not known to the program.
func function(d *Decl) *callgraph.Function {
	if d.Func() == nil {
		return nil
	}
	return d.Side.Prog.Of(d.Func())
}

// Find gives the suspect for a function of bad or good, by its contract name,
// whether it differs or not; a literal's stands for the declaration around it.
// Type arguments don't matter.
func (c *Change) Find(name string) (Suspect, error) {
	c.refresh()
	plain, _, _ := strings.Cut(name, "[")
	for _, b := range c.Bad.Decls {
		if within(plain, b.Name()) {
			g := c.Namesake(b)
			if g == nil {
				g = c.renamed[b]
			}
			return c.pair(g, b), nil
		}
	}
	for _, g := range c.Good.Decls {
		if within(plain, g.Name()) {
			return c.pair(g, c.renamed[g]), nil
		}
	}
	return Suspect{}, fmt.Errorf("finding %s: no loaded declaration of that name", name)
}

// pair is the suspect of two declarations, with the similarity they were found by.
func (c *Change) pair(good, bad *Decl) Suspect {
	for _, t := range c.twins {
		if t.GoodDecl == good && t.BadDecl == bad {
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

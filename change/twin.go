package change

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Local reports whether the package's files may be overlaid and differ between
// trees: those of a main module, or of one that a directory replaces.
func Local(pkg *packages.Package) bool {
	m := pkg.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// Own reports whether what differs in a package's code is anybody's change that can be put
// back alone: it is [Local], or of standard libraries that differ.
func (c *Change) Own(pkg *packages.Package) bool {
	return Local(pkg) || c.Standard && pkg.Module == nil
}

// Namesake is the other revision's declaration of the same name; nil if it has none.
func (c *Change) Namesake(d *Decl) *Decl {
	if d.Side == c.Good {
		return c.Bad.ByKey[Key{c.ToBad(d.Pkg.PkgPath), d.Keys[0].Name}]
	}
	return c.Good.ByKey[Key{c.ToGood(d.Pkg.PkgPath), d.Keys[0].Name}]
}

// Renamed is the other revision's function that d was renamed to, or from; nil if it was
// not.
func (c *Change) Renamed(d *Decl) *Decl { return c.renamed[d] }

// ToBad is the import path that a package of good has in bad: the same, unless
// the module itself was renamed (a new major version).
func (c *Change) ToBad(pkg string) string { return mapPath(pkg, c.Good, c.Bad) }

// ToGood is the import path that a package of bad has in good.
func (c *Change) ToGood(pkg string) string { return mapPath(pkg, c.Bad, c.Good) }

func mapPath(pkg string, from, to *Side) string {
	if to.Packages[pkg] != nil {
		return pkg
	}
	have := from.Packages[pkg]
	root, _ := to.Prog.Package()
	top := to.Packages[root]
	if have == nil || have.Module == nil || !have.Module.Main || top == nil || top.Module == nil {
		return pkg
	}
	rest, ok := strings.CutPrefix(pkg, have.Module.Path)
	if !ok {
		return pkg
	}
	return top.Module.Path + rest
}

// pairRenamed finds functions that were renamed: among those that good lost
// and those that bad gained, the most similar first. A function whose name stayed
// while its code moved to another one (a wrapper was put around it, or taken away)
// counts as lost and gained, too. Only the base name or the package may differ, not both, unless the
// code is long enough to be told apart.
func (c *Change) pairRenamed() {
	c.renamed, c.twins = make(map[*Decl]*Decl), nil
	lost, gained := c.lost(c.Good), c.lost(c.Bad)
	type twins struct {
		good, bad  *Decl
		similarity float64
	}
	var found []twins
	for _, g := range lost {
		for _, b := range gained {
			if !c.plausible(g, b) {
				continue
			}
			if s := Similarity(body(g), body(b), leastSimilarity); s >= leastSimilarity {
				found = append(found, twins{g, b, s})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b twins) int { return cmp.Compare(b.similarity, a.similarity) })
	for _, t := range found {
		if c.renamed[t.good] == nil && c.renamed[t.bad] == nil {
			c.renamed[t.good], c.renamed[t.bad] = t.bad, t.good
			c.twins = append(c.twins, c.suspect(t.good, t.bad, t.similarity))
		}
	}
}

// lost are the functions of a side whose code the other has not under their name.
func (c *Change) lost(s *Side) []*Decl {
	var list []*Decl
	for _, d := range s.Decls {
		if d.Func() == nil || d.Test() {
			continue
		}
		if o := c.Namesake(d); o == nil || o.Func() != nil && Similarity(body(d), body(o), leastSimilarity) < leastSimilarity {
			list = append(list, d)
		}
	}
	return list
}

// fewTokens is the length below which code looks like much other code.
const fewTokens = 40

func (c *Change) plausible(g, b *Decl) bool {
	samePackage := c.ToBad(g.Pkg.PkgPath) == b.Pkg.PkgPath
	sameName := strings.EqualFold(g.Func().Name.Name, b.Func().Name.Name)
	if !Local(g.Pkg) || !Local(b.Pkg) {
		return samePackage // of dependencies there may be thousands
	}
	return samePackage || sameName || len(g.text) >= fewTokens
}

// body is the code of a function without its name and receiver.
func body(d *Decl) []string {
	fn := d.Func()
	if fn.Body == nil {
		return nil
	}
	return callgraph.Tokens([]byte(d.Source(fn.Type.Params.Pos(), fn.End())))
}

func sameBody(a, b *Decl) bool {
	return slices.Equal(body(a), body(b)) && receiver(a) == receiver(b)
}

func receiver(d *Decl) string {
	if d.Func().Recv == nil {
		return ""
	}
	return callgraph.Normal([]byte(d.Source(d.Func().Recv.Pos(), d.Func().Recv.End())))
}

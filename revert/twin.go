package revert

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// local reports whether the package's files may be overlaid and differ between
// trees: those of a main module, or of one that a directory replaces.
func local(pkg *packages.Package) bool {
	m := pkg.Module
	return m != nil && (m.Main || m.Replace != nil && m.Replace.Version == "")
}

// counterpart is bad's declaration of the name that g has in good.
func (c *Change) counterpart(g *decl) *decl {
	return c.bad.byKey[key{c.toBad(g.pkg.PkgPath), g.keys[0].name}]
}

// namesake is good's declaration of the name that b has in bad.
func (c *Change) namesake(b *decl) *decl {
	return c.good.byKey[key{c.toGood(b.pkg.PkgPath), b.keys[0].name}]
}

// toBad is the import path that a package of good has in bad: the same, unless
// the module itself was renamed (a new major version).
func (c *Change) toBad(pkg string) string { return mapPath(pkg, c.good, c.bad) }

func (c *Change) toGood(pkg string) string { return mapPath(pkg, c.bad, c.good) }

func mapPath(pkg string, from, to *side) string {
	if to.pkgs[pkg] != nil {
		return pkg
	}
	have := from.pkgs[pkg]
	root, _ := to.prog.Package()
	top := to.pkgs[root]
	if have == nil || have.Module == nil || !have.Module.Main || top == nil || top.Module == nil {
		return pkg
	}
	rest, ok := strings.CutPrefix(pkg, have.Module.Path)
	if !ok {
		return pkg
	}
	return top.Module.Path + rest
}

// pairTwins finds functions that were renamed: among those that good lost
// and those that bad gained, the most similar first. A function whose name stayed
// while its code moved to a new one (a wrapper was put around it) counts as
// lost too. Only the base name or the package may differ, not both, unless the
// code is long enough to be told apart.
func (c *Change) pairTwins() {
	var lost, gained []*decl
	for _, g := range c.good.decls {
		if g.fn() == nil || g.test() || !local(g.pkg) {
			continue
		}
		if b := c.counterpart(g); b == nil || callgraph.Similarity(body(g), body(b), leastSimilarity) < leastSimilarity {
			lost = append(lost, g)
		}
	}
	for _, b := range c.bad.decls {
		if b.fn() != nil && !b.test() && local(b.pkg) && c.namesake(b) == nil {
			gained = append(gained, b)
		}
	}
	var found []Suspect
	for _, g := range lost {
		for _, b := range gained {
			if !plausible(g, b, c) {
				continue
			}
			if s := callgraph.Similarity(body(g), body(b), leastSimilarity); s >= leastSimilarity {
				found = append(found, Suspect{Similarity: s, good: g, bad: b})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Suspect) int { return cmp.Compare(b.Similarity, a.Similarity) })
	used := make(map[*decl]bool)
	for _, t := range found {
		if !used[t.good] && !used[t.bad] {
			used[t.good], used[t.bad] = true, true
			c.twinOf[t.bad] = t.good
			c.twins = append(c.twins, c.suspect(t.good, t.bad, t.Similarity))
		}
	}
}

// fewTokens is the length below which code looks like much other code.
const fewTokens = 40

func plausible(g, b *decl, c *Change) bool {
	samePackage := c.toBad(g.pkg.PkgPath) == b.pkg.PkgPath
	sameName := strings.EqualFold(g.fn().Name.Name, b.fn().Name.Name)
	return samePackage || sameName || len(g.text) >= fewTokens
}

// body is the code of a function without its name and receiver.
func body(d *decl) []string {
	fn := d.fn()
	if fn.Body == nil {
		return nil
	}
	return tokens(d.source(fn.Type.Params.Pos(), fn.End()))
}

func sameBody(a, b *decl) bool {
	return slices.Equal(body(a), body(b)) && receiverTokens(a) == receiverTokens(b)
}

func receiverTokens(d *decl) string {
	if d.fn().Recv == nil {
		return ""
	}
	return strings.Join(tokens(d.source(d.fn().Recv.Pos(), d.fn().Recv.End())), " ")
}

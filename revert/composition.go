package revert

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/pinpoint-go/pinpoint/change"
)

// take is one declaration of good in the composition.
type take struct {
	good    *change.Decl
	into    *packages.Package // of bad
	rename  map[string]string // of the names it declares; nil when they stay
	adapter *change.Decl      // bad's function, whose signature stays and calls good's
	asked   bool
	data    bool // its variables were looked at, see composition.supplyData
}

func (t *take) name(name string) string {
	if to, ok := t.rename[name]; ok {
		return to
	}
	return name
}

// composition is bad with some declarations of good: what the rounds of
// closing it add to.
type composition struct {
	*change.Change
	takes   []*take
	byGood  map[*change.Decl]*take
	patches map[*change.Decl]*patch         // of bad's functions
	gone    map[*change.Decl]bool           // of bad: blanked
	hollow  map[*change.Decl]bool           // constants of gone: their expressions too
	merged  map[*change.Decl][]change.Ref   // fields of good that bad's struct gains or whose type it changes to
	unused  map[string]map[int]bool         // imports of bad's files that became unused, by line
	names   map[string]map[string]bool      // made up, by package
	extra   map[string]*types.Package       // imported by good's code, not linked by bad
	fresh   map[types.Object]bool           // supplied since the last check: errors that name it again are answered
	alias   map[*change.Decl]string         // of functions of good that are not taken: their names in bad
	fields  map[types.Object]string         // of good's that were renamed: their names in bad
	values  map[*types.Const]constant.Value // of good's constants, in this round
	whole   map[string]bool                 // import paths of packages that only good has
	notes   []string
}

func begin(c *change.Change) *composition {
	return &composition{
		Change:  c,
		byGood:  make(map[*change.Decl]*take),
		patches: make(map[*change.Decl]*patch),
		gone:    make(map[*change.Decl]bool),
		hollow:  make(map[*change.Decl]bool),
		merged:  make(map[*change.Decl][]change.Ref),
		unused:  make(map[string]map[int]bool),
		names:   make(map[string]map[string]bool),
		extra:   make(map[string]*types.Package),
		fresh:   make(map[types.Object]bool),
		alias:   make(map[*change.Decl]string),
		fields:  make(map[types.Object]string),
		values:  make(map[*types.Const]constant.Value),
		whole:   make(map[string]bool),
	}
}

func (x *composition) note(format string, args ...any) {
	if n := fmt.Sprintf(format, args...); !slices.Contains(x.notes, n) {
		x.notes = append(x.notes, n)
	}
}

// put replaces bad's declaration b by good's g; either may be nil. It reports
// whether that was news.
func (x *composition) put(g, b *change.Decl, asked bool) (bool, error) {
	if g == nil {
		return x.remove(b)
	}
	if x.byGood[g] != nil {
		return false, nil
	}
	if err := x.refuse(g, b); err != nil {
		return false, err
	}
	t, err := x.newTake(g, b)
	if err != nil {
		return false, err
	}
	t.asked = asked
	delete(x.patches, b)
	switch {
	case g.Func() == nil:
		x.replaceSpec(g)
	case b == nil:
	case b.Func() == nil: // a variable or type has taken its name
		x.gone[b] = true
	case sameShape(x.Change, g, b):
		x.gone[b] = true
		if old, to := g.Func().Name.Name, b.Func().Name.Name; old != to {
			t.rename = map[string]string{old: to}
		}
	default:
		x.gone[b] = true
		if canAdapt(x.Change, g, b) {
			t.adapter = b
			x.copyName(t)
		} else if x.Namesake(g) != b && x.Namesake(g) != nil {
			x.copyName(t)
		}
	}
	return true, nil
}

// replaceSpec takes away everything in bad that has one of the names.
func (x *composition) replaceSpec(g *change.Decl) {
	for _, k := range g.Keys {
		if b := x.Bad.ByKey[change.Key{Pkg: x.ToBad(k.Pkg), Name: k.Name}]; b != nil {
			x.gone[b] = true
			delete(x.merged, b)
		}
	}
}

func (x *composition) newTake(g, b *change.Decl) (*take, error) {
	path := x.ToBad(g.Pkg.PkgPath)
	if b != nil {
		path = b.Pkg.PkgPath
	}
	into := x.Bad.Loaded[path]
	if into == nil {
		return nil, fmt.Errorf("taking %s from good: bad's program has no source of package %s", g.Name(), path)
	}
	t := &take{good: g, into: into}
	x.takes = append(x.takes, t)
	x.byGood[g] = t
	return t, nil
}

// copyIn brings good's g in beside bad's declaration of the same name.
func (x *composition) copyIn(g *change.Decl) (bool, error) {
	if x.byGood[g] != nil {
		return false, nil
	}
	if err := x.refuse(g, nil); err != nil {
		return false, err
	}
	t, err := x.newTake(g, nil)
	if err != nil {
		return false, err
	}
	x.copyName(t)
	return true, nil
}

// copyName gives the take names that nothing in bad's package has.
func (x *composition) copyName(t *take) {
	t.rename = make(map[string]string)
	path := t.into.PkgPath
	if x.names[path] == nil {
		x.names[path] = make(map[string]bool)
	}
	for _, k := range t.good.Keys {
		name := k.Name[strings.LastIndex(k.Name, ".")+1:]
		to := name + "__good"
		for x.names[path][to] || t.into.Types.Scope().Lookup(to) != nil {
			to += "_"
		}
		x.names[path][to] = true
		t.rename[name] = to
	}
}

func (x *composition) remove(b *change.Decl) (bool, error) {
	if x.gone[b] {
		return false, nil
	}
	if err := x.refuse(nil, b); err != nil {
		return false, err
	}
	x.gone[b] = true
	return true, nil
}

// merge gives bad's struct the field as good declares it, and takes along
// the functions that write it.
func (x *composition) merge(b *change.Decl, field change.Ref) (bool, error) {
	if x.gone[b] || slices.Contains(x.merged[b], field) {
		return false, nil
	}
	if err := x.refuse(nil, b); err != nil {
		return false, err
	}
	x.merged[b] = append(x.merged[b], field)
	return true, x.writers(fieldObject(field))
}

// mergedInto are bad's structs with fields of good, by name.
func (x *composition) mergedInto() []*change.Decl {
	return slices.SortedFunc(maps.Keys(x.merged), func(a, b *change.Decl) int { return strings.Compare(a.Name(), b.Name()) })
}

func fieldObject(f change.Ref) types.Object {
	for _, field := range f.Decl.Struct().Fields.List {
		for _, id := range change.FieldNames(field) {
			if id.Name == f.Field {
				return f.Decl.Pkg.TypesInfo.Defs[id]
			}
		}
	}
	return nil
}

// writers takes the functions that write obj in good and that bad has in
// another form. What only good has needs a caller first.
func (x *composition) writers(obj types.Object) error {
	for _, g := range x.Good.WritersOf(obj) {
		b := x.Namesake(g)
		if b == nil {
			b = x.Renamed(g)
		}
		if g.Test() || b == nil || g.Same(b) {
			continue
		}
		if _, err := x.put(g, b, false); err != nil {
			return err
		}
	}
	return nil
}

// refuse names what can't be replaced through an overlay of Go source.
func (x *composition) refuse(decls ...*change.Decl) error {
	for _, d := range decls {
		switch {
		case d == nil:
		case !x.Own(d.Pkg):
			return fmt.Errorf("replacing %s: it is in %s, of which only the whole version can be reverted", d.Name(), moduleOf(d.Pkg))
		case usesCgo(d.File):
			return fmt.Errorf("replacing %s: its file uses cgo", d.Name())
		case d.Func() != nil && d.Func().Body == nil:
			return fmt.Errorf("replacing %s: it has no body in Go", d.Name())
		}
	}
	return nil
}

func moduleOf(pkg *packages.Package) string {
	if pkg.Module == nil {
		return "the standard library"
	}
	return "module " + pkg.Module.Path + "@" + pkg.Module.Version
}

// usesCgo reports whether a file is what cgo made of one that imports "C".
func usesCgo(file *ast.File) bool {
	for _, c := range file.Comments {
		if c.Pos() < file.Package && strings.HasPrefix(c.List[0].Text, "// Code generated by cmd/cgo") {
			return true
		}
	}
	return slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` })
}

// patch is a function of bad of which some hunks are good's.
type patch struct {
	good, bad *change.Decl
	into      *packages.Package
	all       []Hunk // of the function
	in        []Hunk // that are good's, in the order of bad
	data      bool   // see take
}

// patch puts a hunk into the composition, and reports whether that was news.
func (x *composition) patch(h Hunk) (bool, error) {
	g, b := h.Of.GoodDecl, h.Of.BadDecl
	if x.byGood[g] != nil { // all of it
		return false, nil
	}
	if err := x.refuse(g, b); err != nil {
		return false, err
	}
	p := x.patches[b]
	if p == nil {
		all, err := Hunks(x.Change, h.Of)
		if err != nil {
			return false, err
		}
		p = &patch{good: g, bad: b, into: b.Pkg, all: all}
		x.patches[b] = p
		x.gone[b] = true
	}
	if slices.ContainsFunc(p.in, h.same) {
		return false, nil
	}
	p.in = append(p.in, p.all[h.Index])
	slices.SortFunc(p.in, func(a, b Hunk) int { return a.Index - b.Index })
	p.data = false
	return true, nil
}

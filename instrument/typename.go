package instrument

import (
	"go/token"
	"go/types"
	"strings"
)

// mostResults is how many results the probe runtime passes on.
const mostResults = 6

// typeList writes the types of several results as they are called at a place
// in the file, or returns the reason why it can't.
func (w *rewriter) typeList(results *types.Tuple, pos token.Pos) (list, reason string) {
	if results.Len() > mostResults {
		return "", reasonTooMany
	}
	n := namer{pkg: w.Pkg, scope: w.Info.Scopes[w.Syntax].Innermost(pos), pos: pos}
	var names []string
	for v := range results.Variables() {
		if !n.can(v.Type()) {
			return "", reasonUnnamed
		}
		names = append(names, types.TypeString(v.Type(), n.qualifier))
	}
	return strings.Join(names, ", "), ""
}

// A namer knows which types can be written at a place.
type namer struct {
	pkg   *types.Package
	scope *types.Scope
	pos   token.Pos
}

// can reports whether a type can be written. A type that contains itself
// without a name in between can't exist, so the walk ends.
func (n namer) can(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return n.imported(types.Unsafe) != ""
		}
		return t.Kind() != types.Invalid && n.sees(types.Universe.Lookup(t.Name()))
	case *types.Named:
		return n.canName(t.Obj(), t.TypeArgs())
	case *types.Alias:
		return n.canName(t.Obj(), t.TypeArgs())
	case *types.TypeParam:
		return n.sees(t.Obj())
	case *types.Pointer:
		return n.can(t.Elem())
	case *types.Slice:
		return n.can(t.Elem())
	case *types.Array:
		return n.can(t.Elem())
	case *types.Chan:
		return n.can(t.Elem())
	case *types.Map:
		return n.can(t.Key()) && n.can(t.Elem())
	case *types.Signature:
		return n.canAll(t.Params()) && n.canAll(t.Results())
	case *types.Struct:
		return n.canStruct(t)
	case *types.Interface:
		return n.canInterface(t)
	}
	return false
}

func (n namer) canAll(t *types.Tuple) bool {
	for v := range t.Variables() {
		if !n.can(v.Type()) {
			return false
		}
	}
	return true
}

func (n namer) canStruct(t *types.Struct) bool {
	for f := range t.Fields() {
		if !f.Exported() && f.Pkg() != n.pkg || !n.can(f.Type()) {
			return false
		}
	}
	return true
}

func (n namer) canInterface(t *types.Interface) bool {
	for m := range t.ExplicitMethods() {
		if !m.Exported() && m.Pkg() != n.pkg || !n.can(m.Type()) {
			return false
		}
	}
	for e := range t.EmbeddedTypes() {
		if !n.can(e) {
			return false
		}
	}
	return true
}

func (n namer) canName(obj *types.TypeName, args *types.TypeList) bool {
	for arg := range args.Types() {
		if !n.can(arg) {
			return false
		}
	}
	if obj.Pkg() == nil || obj.Pkg() == n.pkg {
		return n.sees(obj)
	}
	return obj.Exported() && n.imported(obj.Pkg()) != ""
}

// sees reports whether an object's name means that object here.
func (n namer) sees(obj types.Object) bool {
	if obj == nil {
		return false
	}
	_, found := n.scope.LookupParent(obj.Name(), n.pos)
	return found == obj
}

// imported returns the name that a package has here, "" if it has none.
func (n namer) imported(pkg *types.Package) string {
	for s := n.scope; s != nil; s = s.Parent() {
		for _, name := range s.Names() {
			p, ok := s.Lookup(name).(*types.PkgName)
			if ok && p.Imported() == pkg && n.sees(p) {
				return name
			}
		}
	}
	return ""
}

func (n namer) qualifier(pkg *types.Package) string {
	if pkg == n.pkg {
		return ""
	}
	return n.imported(pkg)
}

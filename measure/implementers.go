package measure

import (
	"go/types"
	"slices"
)

// implements reports whether a method is of a type that implements an interface, itself
// or its pointer, as the package from knows both; known, whether the interface is to be
// found from there.
func implements(from *types.Package, method *types.Func, name string) (does, known bool) {
	i := interfaceFrom(from, name)
	if i == nil {
		return false, false
	}
	recv := method.Signature().Recv()
	if recv == nil {
		return false, true
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	return types.Implements(t, i) || types.Implements(types.NewPointer(t), i), true
}

// interfaceFrom looks an interface up by its name, io.Reader or import/path.Name, in a
// package and in what it imports, however indirectly: the nearest is taken. nil: none.
func interfaceFrom(from *types.Package, name string) *types.Interface {
	path, name, ok := cutLast(name, ".")
	if !ok {
		return interfaceIn(types.Universe, path) // error
	}
	for all, i := []*types.Package{from}, 0; i < len(all); i++ {
		if p := all[i]; p.Path() == path || p.Name() == path {
			if found := interfaceIn(p.Scope(), name); found != nil {
				return found
			}
		}
		for _, p := range all[i].Imports() {
			if !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return nil
}

func interfaceIn(scope *types.Scope, name string) *types.Interface {
	t, ok := scope.Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	i, _ := t.Type().Underlying().(*types.Interface)
	return i
}

package revert

import (
	"go/types"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
)

// renamedField is what bad calls a field that it does not have by good's name; empty if
// none is surely meant. It is the only one of its type that bad's struct gained, good's the
// only one of that type that it lost, and half of the name is the same: two fields of
// one type may hold different things.
func (x *composition) renamedField(b *change.Decl, field change.Ref) string {
	f := fieldObject(field)
	if f == nil {
		return ""
	}
	typ := typeString(x.Change, x.Good, f.Type())
	lost, gained := x.only(field.Decl, b, typ), x.only(b, field.Decl, typ)
	if len(lost) != 1 || len(gained) != 1 || lost[0] != field.Field || !alikeNames(lost[0], gained[0]) {
		return ""
	}
	return gained[0]
}

// only are the fields of a type that a struct has and another one has not by that name.
func (x *composition) only(in, other *change.Decl, typ string) (names []string) {
	have := make(map[string]bool)
	for _, v := range fieldsOf(other) {
		have[v.Name()] = true
	}
	for _, v := range fieldsOf(in) {
		if !have[v.Name()] && typeString(x.Change, in.Side, v.Type()) == typ {
			names = append(names, v.Name())
		}
	}
	return names
}

func fieldsOf(d *change.Decl) (list []types.Object) {
	for _, f := range d.Struct().Fields.List {
		for _, id := range change.FieldNames(f) {
			if obj := d.Pkg.TypesInfo.Defs[id]; obj != nil {
				list = append(list, obj)
			}
		}
	}
	return list
}

// alikeNames says whether two names begin and end alike, in half of the longer one.
func alikeNames(a, b string) bool {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	for end := 1; same < len(a) && end <= len(a) && a[len(a)-end] == b[len(b)-end]; end++ {
		same++
	}
	return 2*same >= len(b)
}

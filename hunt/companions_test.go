package hunt

import (
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
)

// What came along and did not run is told from what did, on either side, and from what is
// no function.
func TestCompanions(t *testing.T) {
	fn := func(name string) *callgraph.Function { return &callgraph.Function{Name: name} }
	list := []prove.Element{
		{Suspects: []change.Suspect{{Kind: change.Func, Good: fn("m.old"), Bad: fn("m.F")}}},
		{Suspects: []change.Suspect{{Kind: change.Func, Good: fn("m.parse"), Bad: fn("m.parse")}}},
		{Suspects: []change.Suspect{{Kind: change.Func, Good: fn("m.gone")}}},
		{Suspects: []change.Suspect{{Kind: change.Const, Name: "m.size"}}},
		{Module: &change.Module{Path: "example.com/other"}},
		{Suspects: []change.Suspect{{Kind: change.Func, Bad: fn("m.a")}, {Kind: change.Func, Bad: fn("m.G")}}},
	}
	some, idle := companions(list, []int{0, 1, 2, 3, 4, 5}, map[string]bool{"m.old": true, "m.G": true})
	if !slices.Equal(some, []int{0, 3, 4, 5}) || !slices.Equal(idle, []int{1, 2}) {
		t.Errorf("some %v, idle %v", some, idle)
	}
}

package revert

import (
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/change"
)

// What comes along with an element is told by the indices of the others.
func TestComposeSet(t *testing.T) {
	s := openScene(t, "testdata/hunk_local.txtar")
	c := change.Between(s.good, s.bad)
	var all []Element
	for _, suspect := range c.Suspects() {
		hunks, err := Hunks(c, suspect)
		if err != nil {
			all = append(all, Element{Suspect: suspect})
		}
		for _, h := range hunks {
			all = append(all, Element{Suspect: suspect, Hunk: &h})
		}
	}
	var names []string
	for _, e := range all {
		names = append(names, strings.TrimPrefix(e.Name(), "example.com/m."))
	}
	if want := []string{"sum#1", "sum#2", "sum#3", "size"}; !slices.Equal(names, want) {
		t.Fatalf("%q, want %q", names, want)
	}
	for _, test := range []struct{ set, with []int }{
		{[]int{0}, []int{0, 2, 3}}, // a limit that nobody looks at does not compile
		{[]int{1}, []int{1}},
		{[]int{2}, []int{0, 2, 3}},
		{[]int{3}, []int{3}},
		{[]int{0, 1, 2, 3}, []int{0, 1, 2, 3}},
	} {
		_, with, err := ComposeSet(c, all, test.set)
		if err != nil || !slices.Equal(with, test.with) {
			t.Errorf("%v: %v with %v, want %v", test.set, err, with, test.with)
		}
	}
}

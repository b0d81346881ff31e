package hunt

import (
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
)

// Of functions that can only be put back together it is said what each was seen to gain.
func TestBlameOfShares(t *testing.T) {
	lab := &prove.Lab{}
	for _, e := range []struct {
		name   string
		gained float64
	}{{"m/p.F", 0.2}, {"m/p.G", 0.7}, {"m/p.H", 0}} {
		lab.Elements = append(lab.Elements, prove.Element{Suspects: []change.Suspect{{Name: e.name}}, Gained: e.gained})
	}
	h := &hunt{lab: lab}
	const shares = "of the difference the profiles see in each, without what differs beneath it: p.G (70 %), p.F (20 %)"
	for _, test := range []struct {
		f    finder.Finding
		want bool
	}{
		{finder.Finding{Blame: finder.OneOf, Sets: [][]int{{0, 1}}}, true},
		{finder.Finding{Blame: finder.Together, Sets: [][]int{{0}, {1}}}, true},
		{finder.Finding{Blame: finder.Alone, Sets: [][]int{{0}}}, false},
		{finder.Finding{Blame: finder.OneOf, Sets: [][]int{{2}}}, false},
	} {
		lines := h.blameOf(test.f, 0)
		if got := slices.Contains(lines, shares); got != test.want {
			t.Errorf("%v: %q", test.f, lines)
		}
	}
}

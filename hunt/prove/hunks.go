package prove

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
)

// Of so many elements at most each is asked what it drags along, and a function comes
// apart into so many hunks.
const (
	mostRefined = 16
	mostHunks   = 8
)

// Refine takes functions apart that drag others along: one condition in a long builder may
// be to blame, and what the builder's other changes need is not. A function none of whose
// hunks needs less of others than it does itself stays whole: nothing would be told apart
// but its own lines, at the cost of a build for each.
func (l *Lab) Refine() {
	if len(l.Elements) > mostRefined || l.Composer.Hunks == nil {
		return
	}
	for i := 0; i < len(l.Elements); i++ {
		drags := len(l.composed([]int{i}).With)
		hunks := l.hunksOf(i)
		if drags == 0 || len(hunks) == 0 {
			continue
		}
		fine := *l
		fine.Elements, fine.known = slices.Replace(slices.Clone(l.Elements), i, i+1, hunks...), make(map[string]*Composition)
		if fine.tellApart(i, len(hunks), drags) {
			l.Elements, l.known = fine.Elements, fine.known
			i += len(hunks) - 1
		}
	}
}

// tellApart says whether one of n hunks, from the first on, needs fewer of other elements
// than the function does that they are of.
func (l *Lab) tellApart(first, n, drags int) bool {
	for k := first; k < first+n; k++ {
		comp := l.composed([]int{k})
		others := slices.DeleteFunc(slices.Clone(comp.With), func(j int) bool { return first <= j && j < first+n })
		if comp.err == nil && len(others) < drags {
			return true
		}
	}
	return false
}

// hunksOf are the elements that may stand in an element's place; none if it is no function
// of both revisions or does not come apart.
func (l *Lab) hunksOf(i int) (list []Element) {
	e := l.Elements[i]
	if _, ok := e.Function(); !ok || e.Suspects[0].Kind != change.Func || e.Hunk != nil {
		return nil
	}
	hunks, err := l.Composer.Hunks(e.Suspects[0])
	if err != nil || len(hunks) < 2 || len(hunks) > mostHunks {
		return nil
	}
	for _, h := range hunks {
		list = append(list, Element{Suspects: e.Suspects, Hunk: &h, Near: e.Near})
	}
	return list
}

package prove

import "github.com/pinpoint-go/pinpoint/change"

// Of so many elements at most each is asked what it drags along, and a function comes
// apart into so many hunks.
const (
	mostRefined = 16
	mostHunks   = 8
)

// Refine takes functions apart that drag others along: one condition in a long builder may
// be to blame, and what the builder's other changes need is not.
func (l *Lab) Refine() {
	if len(l.Elements) > mostRefined || l.Composer.Hunks == nil {
		return
	}
	var list []Element
	for i, e := range l.Elements {
		list = append(list, l.hunksOf(i, e)...)
	}
	if len(list) > len(l.Elements) {
		l.Elements, l.known = list, make(map[string]*Composition)
	}
}

// hunksOf is what stands in an element's place: itself, or its hunks.
func (l *Lab) hunksOf(i int, e Element) []Element {
	whole := []Element{e}
	if _, ok := e.Function(); !ok || e.Suspects[0].Kind != change.Func || len(l.composed([]int{i}).With) == 0 {
		return whole
	}
	hunks, err := l.Composer.Hunks(e.Suspects[0])
	if err != nil || len(hunks) < 2 || len(hunks) > mostHunks {
		return whole
	}
	var list []Element
	for _, h := range hunks {
		list = append(list, Element{Suspects: e.Suspects, Hunk: &h, Near: e.Near})
	}
	return list
}

package hunt

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// onlyInBad says how much of bad's time is in functions of its standard library that good's
// has not, and in which: they can't be put back, so what they make nobody has measured. It
// is "" where that is too little to matter.
func (h *hunt) onlyInBad(ctx context.Context, least float64) (string, error) {
	stacks, err := h.recorder.Both(ctx)
	if err != nil {
		return "", err
	}
	added := func(fn *callgraph.Function) bool {
		if fn.Pkg == nil || fn.Pkg.Module != nil || !fn.HasBody() {
			return false
		}
		_, both := h.change().InGood(fn)
		return !both
	}
	total, within, of := newTime(stacks.Bad, added)
	if within < least*total || total == 0 {
		return "", nil
	}
	list := slices.SortedFunc(maps.Keys(of), func(a, b *callgraph.Function) int {
		return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a.Name, b.Name))
	})
	var names []string
	for _, fn := range list {
		names = append(names, fn.Name)
	}
	return fmt.Sprintf("%s of bad's time is in %s", text.Percent(within/total), text.Join(names, ", ", mostListed)), nil
}

// mostGained names elements, those first in which profiles see most of the difference.
func (h *hunt) mostGained(set []int) (names []string) {
	set = slices.SortedStableFunc(slices.Values(set), func(a, b int) int {
		return cmp.Compare(h.lab.Elements[b].Gained, h.lab.Elements[a].Gained)
	})
	for _, i := range set {
		names = append(names, h.lab.Elements[i].Name())
	}
	return names
}

// newTime is how much of all stacks is in functions that are new, and of each of these.
func newTime(stacks []profile.Stack, added func(*callgraph.Function) bool) (total, within float64, of map[*callgraph.Function]float64) {
	inclusive, total := profile.Inclusive(stacks)
	of = make(map[*callgraph.Function]float64)
	for fn, weight := range inclusive {
		if added(fn) {
			of[fn] = weight
		}
	}
	for _, st := range stacks {
		if slices.ContainsFunc(st.Sites, func(at profile.Site) bool { return of[at.Func] > 0 }) {
			within += float64(st.Weight)
		}
	}
	return total, within, of
}

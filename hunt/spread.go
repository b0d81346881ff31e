package hunt

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostSpread is how many of the parts that a difference is spread over are named.
const mostSpread = 6

// spreadOver says over which parts of a function a difference is spread of which
// none has enough to be followed: a compiler's flag, another version of Go or
// another layout of data makes all a little slower. It gives what was measured of
// each, and no part is accused.
func (h *hunt) spreadOver(f *frame, out *report.Culprit) {
	r, ok := h.seen[f]
	if !ok || len(f.parts) < 2 {
		return
	}
	type slice struct {
		text  string
		share float64
	}
	whole := r.inspected()
	total := compare.Mean(whole.bad) - compare.Mean(whole.good)
	if total <= 0 {
		return
	}
	var list []slice
	rest := total
	for id, p := range f.parts {
		s := r.probe(id)
		gained := compare.Mean(s.bad) - compare.Mean(s.good)
		rest -= gained
		list = append(list, slice{p.text(), gained / total})
	}
	list = append(list, slice{"its own code", rest / total})
	slices.SortStableFunc(list, func(a, b slice) int { return cmp.Compare(b.share, a.share) })
	var shown []string
	for _, s := range list[:min(len(list), mostSpread)] {
		shown = append(shown, fmt.Sprintf("%s (%.0f %%)", s.text, 100*s.share))
	}
	text := "it is spread over what the function does: " + strings.Join(shown, ", ")
	if more := len(list) - len(shown); more > 0 {
		text += fmt.Sprintf(", and %d more parts", more)
	}
	out.Evidence = append(out.Evidence, text)
}

// spreadOverUsers says over which functions that use data a difference is spread, by the
// profiles, where none of them is named for it.
func (h *hunt) spreadOverUsers(named string, data []change.Suspect) []string {
	users := h.using(data)
	if h.stacks == nil || slices.ContainsFunc(users, func(f change.Functions) bool { return f.Bad.Name == named }) && len(users) < 2 {
		return nil
	}
	gained := h.gainsOf(users)
	order := make([]int, len(users))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(gained[b], gained[a]) })
	if len(order) < 2 || gained[order[0]] >= mostOf {
		return nil
	}
	var shown []string
	for _, i := range order[:min(len(order), mostSpread)] {
		shown = append(shown, fmt.Sprintf("%s (%.0f %%)", path.Base(users[i].Bad.Name), 100*gained[i]))
	}
	text := "it is spread over what the function does, by the profiles: " + strings.Join(shown, ", ")
	if more := len(order) - len(shown); more > 0 {
		text += fmt.Sprintf(", and %d more that use it", more)
	}
	return []string{text}
}

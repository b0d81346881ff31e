package hunt

import (
	"cmp"
	"fmt"
	"path"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostSpread is how many of the parts that a difference is spread over are named.
const mostSpread = 6

// spreadOver says over which parts of a function a difference is spread of which
// none has enough to be followed: a compiler's flag, another version of Go or
// another layout of data makes all a little slower. It gives what was measured of
// each, and no part is accused.
func (h *hunt) spreadOver(f *layers.Layer, out *report.Culprit) {
	parts, total, ok := h.prober.Gains(f)
	if !ok || len(parts) < 2 || total <= 0 {
		return
	}
	var list []slice
	rest := total
	for id, gained := range parts {
		rest -= gained
		list = append(list, slice{f.Parts[id].Text(), gained / total})
	}
	list = append(list, slice{"its own code", rest / total})
	out.AttestAll("calls", "it is spread over what the function does: "+shown(list))
}

// spreadOverUsers says over which functions that use data a difference is spread, by the
// profiles, where none of them is named for it.
func (h *hunt) spreadOverUsers(named string, data []change.Suspect) []string {
	users := h.using(data)
	if _, known := h.recorder.Known(); !known || slices.ContainsFunc(users, func(f change.Functions) bool { return f.Bad.Name == named }) && len(users) < 2 {
		return nil
	}
	var list []slice
	for i, g := range h.gainsOf(users) {
		list = append(list, slice{path.Base(users[i].Bad.Name), g})
	}
	if len(list) < 2 || slices.ContainsFunc(list, func(s slice) bool { return s.share >= mostOf }) {
		return nil
	}
	return []string{"it is spread over what the function does, by the profiles: " + shown(list)}
}

// slice is a part with its share of a difference.
type slice struct {
	text  string
	share float64
}

// shown are the largest slices, and how many more there are.
func shown(list []slice) string {
	slices.SortStableFunc(list, func(a, b slice) int { return cmp.Compare(b.share, a.share) })
	var names []string
	for _, s := range list {
		names = append(names, fmt.Sprintf("%s (%.0f %%)", s.text, 100*s.share))
	}
	return text.Join(names, ", ", mostSpread)
}

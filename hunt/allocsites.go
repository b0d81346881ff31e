package hunt

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/report"
)

// mostSites is how many allocation sites a culprit is given.
const mostSites = 5

// allocationSites lists the source lines at which one revision allocates more
// than the other, most bytes first. The line is the last on a stack whose
// source is loaded: what a closed callee allocates for it is its own.
//
// A line is the same in both revisions when it stands in the same function and
// says the same.
func (h *hunt) allocationSites(in [2]*allocations) []report.AllocationSite {
	type key struct{ function, text string }
	sites := make(map[key]*report.AllocationSite)
	for i, s := range []*side{h.good, h.bad} {
		for _, st := range in[i].stacks {
			at := lastKnown(st.frames)
			if at == nil {
				continue
			}
			text := s.sourceLine(*at)
			k := key{at.fn.Name, text}
			site := sites[k]
			if site == nil {
				site = &report.AllocationSite{Function: at.fn.Name, Text: text}
				sites[k] = site
			}
			pos := at.fn.Pos
			pos.Filename, pos.Line, pos.Column = at.fn.Filename(), at.line, 0
			site.Position = strings.TrimSuffix(h.position(pos), ":0") // bad's, where both have it
			if s == h.good {
				site.AllocsGood += st.allocs
				site.BytesGood += st.bytes
			} else {
				site.AllocsBad += st.allocs
				site.BytesBad += st.bytes
			}
		}
	}
	var list []report.AllocationSite
	goodAllocs, goodBytes := in[0].total()
	badAllocs, badBytes := in[1].total()
	for _, site := range sites {
		if matters(site.AllocsBad-site.AllocsGood, badAllocs-goodAllocs, 0.01) || matters(site.BytesBad-site.BytesGood, badBytes-goodBytes, 1) {
			list = append(list, *site)
		}
	}
	slices.SortFunc(list, func(a, b report.AllocationSite) int {
		more := func(s report.AllocationSite) float64 { return math.Abs(s.BytesBad - s.BytesGood) }
		return cmp.Or(cmp.Compare(more(b), more(a)), cmp.Compare(a.Position, b.Position))
	})
	return list[:min(len(list), mostSites)]
}

// matters reports whether a difference is more than nothing, and not lost in the
// whole one.
func matters(difference, whole, least float64) bool {
	const share = 0.02
	return math.Abs(difference) >= max(least, share*math.Abs(whole))
}

// lastKnown is the deepest function on a stack whose source is loaded.
func lastKnown(frames []activation) *activation {
	for i := len(frames) - 1; i >= 0; i-- {
		if frames[i].fn != nil {
			return &frames[i]
		}
	}
	return nil
}

// sourceLine is what stands on the line of an activation.
func (s *side) sourceLine(a activation) string {
	lines := bytes.SplitN(s.prog.Contents(a.fn.Filename()), []byte("\n"), a.line+1)
	if a.line < 1 || a.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(string(lines[a.line-1]))
}

package evidence

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostSites is how many allocation sites a culprit is given.
const mostSites = 5

// addAllocations says what it allocates per operation in either revision, and where the
// difference lies, if there is one to speak of.
func (g *Gatherer) addAllocations(ctx context.Context, c *report.Culprit, code change.Functions) {
	recorded := &g.Prober.Allocated
	if g.Whole.Allocating && g.records() {
		recorded.Add(ctx, g.Recorder, 1) // what can't be had is left out
	}
	if len(recorded.Bad) == 0 {
		return
	}
	in := change.Pair[*profile.Allocations]{Good: recorded.Good[0].In(code.Good), Bad: recorded.Bad[0].In(code.Bad)}
	a := &report.Allocations{Sites: g.allocationSites(in)}
	a.AllocsGood, a.BytesGood = in.Good.Total()
	a.AllocsBad, a.BytesBad = in.Bad.Total()
	if len(a.Sites) > 0 {
		c.Allocations = a
	}
}

// allocationSites lists the source lines at which one revision allocates more
// than the other, most bytes first. The line is the last on a stack whose
// source is loaded: what a closed callee allocates for it is its own.
//
// A line is the same in both revisions when it stands in the same function and
// says the same.
func (g *Gatherer) allocationSites(in change.Pair[*profile.Allocations]) []report.AllocationSite {
	type key struct{ function, text string }
	sites := make(map[key]*report.AllocationSite)
	for _, s := range g.Sides() {
		for _, st := range in.Of(s.Which).Stacks {
			at := lastKnown(st.Frames)
			if at == nil {
				continue
			}
			text := sourceLine(s, *at)
			k := key{at.Func.Name, text}
			site := sites[k]
			if site == nil {
				site = &report.AllocationSite{Function: at.Func.Name, Text: text}
				sites[k] = site
			}
			pos := at.Func.Pos
			pos.Filename, pos.Line, pos.Column = at.Func.Filename(), at.Line, 0
			site.Position = strings.TrimSuffix(g.Position(pos), ":0") // bad's, where both have it
			if s.Which == change.Good {
				site.AllocsGood += st.Allocs
				site.BytesGood += st.Bytes
			} else {
				site.AllocsBad += st.Allocs
				site.BytesBad += st.Bytes
			}
		}
	}
	var list []report.AllocationSite
	goodAllocs, goodBytes := in.Good.Total()
	badAllocs, badBytes := in.Bad.Total()
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
func lastKnown(frames []profile.Activation) *profile.Activation {
	for i := len(frames) - 1; i >= 0; i-- {
		if frames[i].Func != nil {
			return &frames[i]
		}
	}
	return nil
}

// sourceLine is what stands on the line of an activation.
func sourceLine(s *sides.Side, a profile.Activation) string {
	lines := bytes.SplitN(s.Prog.Contents(a.Func.Filename()), []byte("\n"), a.Line+1)
	if a.Line < 1 || a.Line > len(lines) {
		return ""
	}
	return strings.TrimSpace(string(lines[a.Line-1]))
}

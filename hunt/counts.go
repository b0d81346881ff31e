package hunt

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostCounts is how many of the calls that were counted are in the text; all are facts.
const mostCounts = 6

// attestCounts says how often each of what was called is, as the probes counted that timed
// it; what the revisions do differently often comes first.
func (h *hunt) attestCounts(c *report.Culprit, what string, called []layers.Called) {
	slices.SortStableFunc(called, func(a, b layers.Called) int {
		return cmp.Compare(math.Abs(b.Bad-b.Good), math.Abs(a.Bad-a.Good))
	})
	var names []string
	for _, x := range called {
		f := report.Fact{Kind: "calls", Good: &x.Good, Bad: &x.Bad, Unit: "calls/op"}
		if call := x.Part.Call(); call == nil {
			f.Function, f.Position = x.Part.Function().Name, h.Position(x.Part.Function().Pos)
		} else if f.Position = h.Position(call.Pos); len(call.Callees) == 1 {
			f.Function = call.Callees[0].Name
		}
		f.Text = fmt.Sprintf("%s %s and %s", x.Part.Text(), text.Count(x.Good, 4), text.Count(x.Bad, 4))
		c.Facts, names = append(c.Facts, f), append(names, f.Text)
	}
	if len(names) > 0 {
		c.Evidence = append(c.Evidence, fmt.Sprintf("%s, so many times per operation in good and in bad: %s", what, text.Join(names, ", ", mostCounts)))
	}
}

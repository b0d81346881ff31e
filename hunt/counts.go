package hunt

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostCounts is how many of the functions whose calls were counted are in the text; all are facts.
const mostCounts = 6

// attestCounts says how often each function of a layer is called, as the probes counted that
// timed its calls; what the revisions do differently often comes first.
func (h *hunt) attestCounts(c *report.Culprit, what string, called []layers.Called) {
	var sums []report.Fact
	for _, x := range called {
		f := h.countedAs(x.Part)
		i := slices.IndexFunc(sums, func(g report.Fact) bool { return g.Function == f.Function })
		if i < 0 {
			i, f.Kind, f.Unit, f.Good, f.Bad = len(sums), "calls", "calls/op", new(float64), new(float64)
			sums = append(sums, f)
		}
		*sums[i].Good += x.Good
		*sums[i].Bad += x.Bad
	}
	slices.SortStableFunc(sums, func(a, b report.Fact) int {
		return cmp.Compare(math.Abs(*b.Bad-*b.Good), math.Abs(*a.Bad-*a.Good))
	})
	var texts []string
	for i, f := range sums {
		sums[i].Text = fmt.Sprintf("%s %s → %s", f.Text, text.Count(*f.Good, 4), text.Count(*f.Bad, 4))
		texts = append(texts, sums[i].Text)
	}
	if len(texts) > 0 {
		c.Facts = append(c.Facts, sums...)
		c.Evidence = append(c.Evidence, fmt.Sprintf("%s, so often per operation, from good to bad: %s", what, text.Join(texts, "; ", mostCounts)))
	}
}

// countedAs is the function that a part calls, or its call where it may call several; its text is the short name.
func (h *hunt) countedAs(p layers.Part) report.Fact {
	call := p.Call()
	switch {
	case call == nil:
		return report.Fact{Function: p.Function().Name, Text: path.Base(p.Function().Name), Position: h.Position(p.Function().Pos)}
	case len(call.Callees) == 1:
		return report.Fact{Function: call.Callees[0].Name, Text: path.Base(call.Callees[0].Name), Position: h.Position(call.Pos)}
	}
	return report.Fact{Function: call.Text, Text: call.Text, Position: h.Position(call.Pos)}
}

package layers

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A Call that one branch makes in good and another in bad gained nothing by that.
func TestMoved(t *testing.T) {
	named := func(text string) Part {
		return Part{Calls: change.Pair[*callgraph.Call]{Bad: &callgraph.Call{Text: text}}}
	}
	f := &Layer{Parts: []Part{named("next(w)"), named("timer()"), named("next(w)"), named("next(r)")}}
	for _, test := range []struct {
		name   string
		gained []float64
		want   int // how many of the parts moved
	}{
		{"in another place", []float64{3000, 280, -2900, 0}, 1},
		{"slower at both places", []float64{3000, 0, 2000, 0}, 0},
		{"another call got faster", []float64{3000, 0, 0, -3000}, 0},
		{"it lost little", []float64{3000, 0, -500, 0}, 0},
	} {
		var r finder.Reading
		for _, ns := range test.gained {
			r.Parts = append(r.Parts, stats.Comparison{Diff: stats.Interval{Mean: ns}})
		}
		moved := 0
		for id := range f.Parts {
			if r.Parts[id].Diff.Mean > 0 && f.moved(id, r) {
				moved++
			}
		}
		if moved != test.want {
			t.Errorf("%s: %d moved, want %d", test.name, moved, test.want)
		}
	}
}

package layers

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
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

// What a part gained is told at the scale of the unprobed difference, sides included.
func TestInWhole(t *testing.T) {
	between := func(good, bad, off float64) stats.Comparison {
		return stats.Comparison{Good: stats.Summary{Mean: good}, Bad: stats.Summary{Mean: bad}, Diff: stats.Interval{Mean: bad - good, Low: bad - good - off, High: bad - good + off}}
	}
	pr := &Prober{Sampler: &compare.Sampler{}, Whole: &compare.Whole{Comparison: between(100, 300, 10)}}
	for _, test := range []struct {
		name      string
		operation stats.Comparison
		want      report.Delta
	}{
		{"a machine half as fast", between(200, 600, 20), report.Delta{Good: 50, Bad: 200, Diff: report.Interval{Mean: 150, Low: 145, High: 155}}},
		{"no difference by now", between(200, 210, 20), report.Delta{Good: 100, Bad: 400, Diff: report.Interval{Mean: 300, Low: 290, High: 310}}},
	} {
		got, _ := pr.inWhole(between(100, 400, 10), test.operation)
		if got.Good != test.want.Good || got.Bad != test.want.Bad || got.Diff != test.want.Diff {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// A call that good never makes took the place of something where it takes more than what
// makes it gained, process by process: copier's getFlags, 151 % of a difference that the
// processes of a busy machine told from nothing at all. In µs.
func TestSurelyMore(t *testing.T) {
	pr := &Prober{Sampler: &compare.Sampler{Asked: compare.Asked{Alpha: .01}}}
	speeds := []float64{1, 1.7, 1.2, 2.4, 1.1, 1.9}
	at := func(good, bad float64) (s series) {
		for i, v := range speeds {
			s.good, s.bad = append(s.good, good*v), append(s.bad, bad*v*(1+.01*float64(i%3)))
		}
		return s
	}
	if !pr.surelyMore(at(0, 6.75), at(25, 29.5)) {
		t.Error("a call of 6.75 is not told from the 4.5 that its caller gained")
	}
	if pr.surelyMore(series{}, series{}) {
		t.Error("of allocations, which have no samples by process, nothing is sure")
	}
	if pr.surelyMore(at(0, 4.4), at(25, 29.5)) {
		t.Error("a call of 4.4 is more than the 4.5 that its caller gained")
	}
}

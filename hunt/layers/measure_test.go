package layers

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/stats"
)

func compared(v stats.Verdict, low, mean, high float64) stats.Comparison {
	return stats.Comparison{Verdict: v, Diff: stats.Interval{Low: low, Mean: mean, High: high}}
}

func TestSettled(t *testing.T) {
	whole := compared(stats.Slower, 90, 100, 110)
	guilty := compared(stats.Slower, 80, 90, 100)
	small := compared(stats.Unknown, -30, 2, 34)
	large := compared(stats.Unknown, -10, 40, 90)
	same := compared(stats.Same, -1, 0, 1)
	for _, test := range []struct {
		name  string
		whole stats.Comparison
		parts []stats.Comparison
		own   *stats.Comparison
		want  bool
	}{
		{"all decided", whole, []stats.Comparison{guilty, same}, nil, true},
		{"guilty found, the rest looks small", whole, []stats.Comparison{guilty, small}, nil, true},
		{"guilty found, another looks large", whole, []stats.Comparison{guilty, large}, nil, false},
		{"own code looks large", whole, []stats.Comparison{guilty}, &large, false},
		{"nothing guilty, one may be", whole, []stats.Comparison{same, small}, nil, false},
		{"nothing guilty, none may be", whole, []stats.Comparison{same, same}, nil, true},
		{"whole not decided", compared(stats.Unknown, -5, 50, 105), []stats.Comparison{same}, nil, false},
	} {
		if got := worthFollowing(finder.Reading{Whole: test.whole, Parts: test.parts, Own: test.own}); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// What the probes may have cost is no proof; neither does it clear anyone.
func TestDoubt(t *testing.T) {
	for _, test := range []struct {
		c      stats.Comparison
		probes float64
		want   stats.Verdict
	}{
		{compared(stats.Slower, 80, 90, 100), 10, stats.Slower},
		{compared(stats.Slower, 80, 90, 100), 200, stats.Unknown},
		{compared(stats.Same, -1, 0, 1), 200, stats.Same},
	} {
		if got := doubt(test.c, test.probes).Verdict; got != test.want {
			t.Errorf("low %v, probes %v: %v, want %v", test.c.Diff.Low, test.probes, got, test.want)
		}
	}
}

// What ended before its first look has no samples, and is recorded all the same.
func TestRecordOfNothing(t *testing.T) {
	pr := &Prober{Sampler: &compare.Sampler{Log: &compare.Log{}}}
	f := &Layer{Parts: []Part{{Func: change.Functions{Good: &callgraph.Function{Name: "f"}, Bad: &callgraph.Function{Name: "f"}}}}}
	pr.record("measuring f", f, pr.read(f, nil, masks{}), nil, finder.Region{To: 1})
	if c := pr.Sampler.Log.Campaigns(); len(c) != 1 || len(c[0].Parts) != 1 || len(c[0].Good) != 0 {
		t.Errorf("recorded %+v", c)
	}
}

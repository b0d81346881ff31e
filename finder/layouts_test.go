package finder

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

func TestIsSmall(t *testing.T) {
	for _, test := range []struct {
		verdict stats.Verdict
		ratio   float64
		want    bool
	}{
		{stats.Slower, 1.05, true},
		{stats.Faster, 0.95, true},
		{stats.Slower, 1.30, false},
		{stats.Faster, 0.70, false},
		{stats.Same, 1.00, false},
		{stats.Unknown, 1.05, false},
	} {
		c := stats.Comparison{Verdict: test.verdict, Ratio: stats.Interval{Mean: test.ratio}}
		if got := IsSmall(c); got != test.want {
			t.Errorf("%v %v: %v", test.verdict, test.ratio, got)
		}
	}
}

// What a part gains in half of the orders only is not the part's; and other orders
// make no verdict.
func TestOverLayouts(t *testing.T) {
	rule := stats.Rule{Alpha: 0.001, MinEffect: 10, Test: stats.TestPaired}
	for _, test := range []struct {
		name   string
		slower func(layout int) float64 // of the part, as a share
		want   stats.Verdict
	}{
		{"in all", func(int) float64 { return 0.2 }, stats.Slower},
		{"in half of them twice as much", func(layout int) float64 { return 0.4 * float64(layout%2) }, stats.Unknown},
		{"in none", func(int) float64 { return 0 }, stats.Same},
	} {
		var whole, good, bad []float64
		var layouts []int
		for i := range 8 {
			g, b := pairsAt(12, test.slower(i), uint64(i))
			for k := range g { // the part is a tenth of the whole, which takes 1000 to 1200
				whole, good, bad = append(whole, g[k]), append(good, g[k]/10), append(bad, b[k]/10)
				layouts = append(layouts, i+1)
			}
		}
		c := rule.Compare(good, bad)
		if over := OverLayouts(c, whole, good, bad, layouts); over.Verdict != test.want {
			t.Errorf("%s: %v, before that %v, want %v", test.name, over.Verdict, c.Verdict, test.want)
		}
		if got := OverLayouts(c, whole, good, bad, nil); got.Verdict != c.Verdict {
			t.Errorf("%s, all as linked: %v, was %v", test.name, got.Verdict, c.Verdict)
		}
	}
}

func TestMoreOrders(t *testing.T) {
	for _, test := range []struct {
		name        string
		groups      int
		mean, means float64
		expected    float64
		want        int
	}{
		{"nearly told", 8, 1.03, .027, 1.03, 16},
		{"it takes more than twice as many", 8, 1.03, .05, 1.03, 23},
		{"they say less than is expected", 8, 1.005, .027, 1.03, 16},
		{"too small", 8, 1.005, .05, 1.01, 8},
		{"as many as there may be", 20, 1.03, .04, 1.03, MostOrders},
		{"there are no more", MostOrders, 1.03, .027, 1.03, MostOrders},
	} {
		l := stats.Levels{Groups: test.groups, Means: test.means, Ratio: stats.Interval{Mean: test.mean}}
		if got := MoreOrders(l, test.expected); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

package finder

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

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

package finder

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

func TestRecovered(t *testing.T) {
	ratio := func(x float64) stats.Comparison {
		return stats.Comparison{Ratio: stats.Interval{Mean: x, Low: x, High: x}}
	}
	for _, test := range []struct{ reverted, whole, want float64 }{
		{2, 2, 1},     // as fast as good
		{1, 2, 0},     // as slow as bad
		{1.5, 3, 0.5}, // 3 went to 2, good is 1
		{1.5, 1, math.MaxFloat64},
	} {
		share, least := Recovered(ratio(test.reverted), ratio(test.whole))
		for _, got := range []float64{share.Mean, share.Low, share.High, least} {
			if math.Abs(got-test.want) > 1e-9 {
				t.Errorf("bad/reverted %v, bad/good %v: %v, want %v", test.reverted, test.whole, got, test.want)
			}
		}
	}
}

// pairsAt are pairs whose bad side takes so much longer, with a scatter of 1 %.
func pairsAt(n int, slower float64, seed uint64) (good, bad []float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		speed := 1000 * (1 + 0.2*r.Float64())
		good = append(good, speed)
		bad = append(bad, speed*(1+slower)*(1+0.01*r.NormFloat64()))
	}
	return good, bad
}

// Code that makes most of a small difference is proved to, although alone it would not
// be known to make more than the minimum effect; code that makes none is not.
func TestProve(t *testing.T) {
	rule := stats.Rule{Alpha: 0.001, MinEffect: 10, Test: stats.TestPaired} // 1 % of about 1000
	e := Expectation{Share: 1}
	g, b := pairsAt(384, 0.015, 1)
	e.Whole = rule.Compare(g, b)
	for _, test := range []struct {
		name     string
		slower   float64
		pairs    int
		for_     bool
		against  bool
		doesNone bool
	}{
		{"all of it", 0.015, 48, true, false, false},
		{"none of it", 0, 96, false, true, true},
		{"too few pairs", 0.015, 6, false, false, false},
		{"a third of it, too little to count", 0.005, 96, false, false, true},
	} {
		g, b := pairsAt(test.pairs, test.slower, 2)
		p := Prove(rule, g, b, e)
		if p.SpeaksFor(1) != test.for_ || p.SpeaksAgainst(1) != test.against || p.DoesLittle(1) != test.doesNone {
			t.Errorf("%s: for %v, against %v, little %v: %v %+v", test.name, p.SpeaksFor(1), p.SpeaksAgainst(1), p.DoesLittle(1), p.Comparison.Verdict, p.Recovered)
		}
	}
}

// What is counted has no ratio where good has nothing.
func TestProveCounts(t *testing.T) {
	rule := stats.Rule{Alpha: 0.001, MinEffect: 0.01, Test: stats.TestWelch}
	e := Expectation{Whole: rule.Compare([]float64{0, 0, 0}, []float64{10, 10, 10}), Share: 1, Counts: true}
	p := Prove(rule, []float64{0, 0, 0}, []float64{10, 10, 10}, e)
	if !p.SpeaksFor(1) || p.Recovered.Mean != 1 {
		t.Errorf("all of what is counted is gone: %+v", p)
	}
}

// What only some layouts show is no proof, however many pairs of them there are; nor is
// one cleared by the layouts that hide it.
func TestProveOverLayouts(t *testing.T) {
	rule := stats.Rule{Alpha: 0.001, MinEffect: 10, Test: stats.TestPaired}
	g, b := pairsAt(384, 0.03, 1)
	e := Expectation{Share: 1, Whole: rule.Compare(g, b)}
	for _, test := range []struct {
		name   string
		slower func(layout int) float64
		for_   bool
	}{
		{"in all", func(int) float64 { return 0.03 }, true},
		{"in half of them twice as much", func(layout int) float64 { return 0.06 * float64(layout%2) }, false},
		{"in half of them much more, in the others much less", func(layout int) float64 { return 0.17*float64(layout%2) - 0.04 }, false},
	} {
		var good, bad []float64
		e.Layouts = nil
		for i := range 8 {
			g, b := pairsAt(12, test.slower(i), uint64(i))
			good, bad = append(good, g...), append(bad, b...)
		}
		if p := Prove(rule, good, bad, e); !p.SpeaksFor(1) {
			t.Errorf("%s, layouts not looked at: %+v", test.name, p)
		}
		for i := range good {
			e.Layouts = append(e.Layouts, i/12)
		}
		p := Prove(rule, good, bad, e)
		if p.Orders < 8 || p.Done(1) != (test.for_ || p.Orders == 8) {
			t.Errorf("%s: done %v, with %d orders as enough", test.name, p.Done(1), p.Orders)
		}
		if p.SpeaksFor(1) != test.for_ || p.SpeaksAgainst(1) {
			t.Errorf("%s: for %v, against %v: %+v", test.name, p.SpeaksFor(1), p.SpeaksAgainst(1), p)
		}
	}
}

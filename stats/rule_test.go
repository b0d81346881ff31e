package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func plus(xs []float64, d float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = x + d
	}
	return ys
}

func TestCompareVerdicts(t *testing.T) {
	for _, test := range []struct {
		name      string
		good, bad []float64
		effect    float64
		want      Verdict
	}{
		{"clearly slower", steadyGood, plus(steadyGood, 20), 1, Slower},
		{"clearly faster", steadyGood, plus(steadyGood, -20), 1, Faster},
		{"same within 5", steadyGood, steadyGood, 5, Same},
		{"too wide for 1", steadyGood, steadyGood, 1, Unknown},
		{"slower, but not by 30 for sure", steadyGood, plus(steadyGood, 30), 30, Unknown},
		{"slower by less than 30", steadyGood, plus(steadyGood, 20), 30, Same},
		{"one value", []float64{1}, []float64{100}, 1, Unknown},
		{"added call", []float64{0, 0, 0, 0}, []float64{9, 10, 10, 11}, 1, Slower},
		{"removed call", []float64{9, 10, 10, 11}, []float64{0, 0, 0, 0}, 1, Faster},
		{"counts that repeat", []float64{3, 3, 3}, []float64{4, 4, 4}, .5, Slower},
		{"all zero", []float64{0, 0, 0}, []float64{0, 0, 0}, .5, Same},
		{"all zero, no effect is too small", []float64{0, 0, 0}, []float64{0, 0, 0}, 0, Unknown},
	} {
		for _, by := range []Test{TestWelch, TestAuto} {
			c := Rule{Alpha: .01, MinEffect: test.effect, Test: by}.Compare(test.good, test.bad)
			if c.Verdict != test.want {
				t.Errorf("%s, test %v: %v, want %v (%+v)", test.name, by, c.Verdict, test.want, c)
			}
		}
	}
}

func TestCompareFills(t *testing.T) {
	c := Rule{Alpha: .01, MinEffect: .1}.Compare(steadyGood, steadyBad)
	want, _ := Welch(steadyGood, steadyBad, .99)
	ratio, _ := PairedRatio(steadyGood, steadyBad, .99)
	if !sameInterval(c.Diff, want, 1e-14) || !sameInterval(c.Ratio, ratio, 1e-14) || c.Confidence != .99 {
		t.Errorf("intervals %+v and %+v at %v, want %+v and %+v", c.Diff, c.Ratio, c.Confidence, want, ratio)
	}
	// R 4.2.2: mean(good); sd(good); mean(bad); sd(bad)
	for _, v := range []struct{ got, want float64 }{
		{c.Good.Mean, 100.533333333333}, {c.Good.SD, 1.12190314495800},
		{c.Bad.Mean, 103.983333333333}, {c.Bad.SD, 1.12323936303295},
	} {
		if !near(v.got, v.want, 1e-13) {
			t.Errorf("got %.15g, want %.15g", v.got, v.want)
		}
	}
	if c.Good.N != 6 || c.Bad.N != 6 || len(c.Warnings) != 0 || c.Need != 0 {
		t.Errorf("got %+v", c)
	}
	added := Rule{Alpha: .01}.Compare([]float64{0, 0, 0}, []float64{9, 10, 11})
	if !math.IsNaN(added.Ratio.Mean) {
		t.Errorf("an added call has ratio %+v", added.Ratio)
	}
}

// Three wild bad values carry the mean over the bound; the pairs, of which all
// but three are ten times faster, disagree.
func TestPairsObject(t *testing.T) {
	var good, bad []float64
	for i := range 200 {
		good = append(good, 100+float64(i%5))
		b := 10 + float64(i%5)
		if i%4 == 0 {
			b = 1000 + float64(i%3)
		}
		bad = append(bad, b)
	}
	rule := Rule{Alpha: .01, MinEffect: 1}
	c := rule.Compare(good, bad)
	if c.Diff.Low <= 1 || c.Verdict != Unknown || c.Need != 0 {
		t.Fatalf("verdict %v with means %+v and ratios %+v, want unknown", c.Verdict, c.Diff, c.Ratio)
	}
	if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], "means say slower, pairs say faster") {
		t.Errorf("warnings %q", c.Warnings)
	}
	rule.Test = TestPaired
	if c := rule.Compare(good, bad); c.Verdict != Faster {
		t.Errorf("paired test says %v, want faster", c.Verdict)
	}
}

func TestExcludes(t *testing.T) {
	for _, test := range []struct {
		i    Interval
		v    Verdict
		want bool
	}{
		{Interval{1.0, .9, 1.05}, Slower, true},
		{Interval{1.0, .9, 1.2}, Slower, false}, // too wide to object
		{Interval{1.2, 1.15, 1.3}, Slower, false},
		{Interval{1.0, .97, 1.05}, Faster, true},
		{Interval{1.0, .8, 1.05}, Faster, false},
		{Interval{1.2, 1.15, 1.3}, Same, true},
		{Interval{.8, .7, .85}, Same, true},
		{Interval{1.1, 1.05, 1.3}, Same, false},
		{Interval{5, 4, 6}, Unknown, false},
	} {
		if got := excludes(test.i, .9, 1.1, test.v); got != test.want {
			t.Errorf("excludes(%+v, %v) = %v", test.i, test.v, got)
		}
	}
}

// A drift that both of a pair see widens Welch's interval and leaves the
// paired one alone.
func TestPairedDecidesUnderDrift(t *testing.T) {
	var good, bad []float64
	for i := range 20 {
		drift := 1 + float64(i)/10
		good = append(good, 100*drift*(1+.001*float64(i%3)))
		bad = append(bad, 105*drift)
	}
	if c := (Rule{Alpha: .01, MinEffect: 1}).Compare(good, bad); c.Verdict != Unknown || c.Need <= 20 {
		t.Errorf("Welch under drift: %v, need %d", c.Verdict, c.Need)
	}
	if c := (Rule{Alpha: .01, MinEffect: 1, Test: TestPaired}).Compare(good, bad); c.Verdict != Slower {
		t.Errorf("pairs under drift: %v, want slower", c.Verdict)
	}
}

func TestNoAlphaDecidesNothing(t *testing.T) {
	if c := (Rule{}).Compare(steadyGood, plus(steadyGood, 1e9)); c.Verdict != Unknown {
		t.Errorf("without alpha: %v", c.Verdict)
	}
	for _, v := range []Verdict{Unknown, Same, Slower, Faster} {
		if v.String() == "" {
			t.Errorf("verdict %d has no name", int(v))
		}
	}
}

func TestWarnings(t *testing.T) {
	for _, test := range []struct {
		good, bad []float64
		want      string
	}{
		{[]float64{1}, []float64{2}, "at least 2 values"},
		{[]float64{5, 5}, []float64{5, 5}, "all equal"},
		{[]float64{5, 6}, []float64{5, 6, 7}, "not paired"},
		{[]float64{5, math.NaN()}, []float64{5, 6}, "not a finite number"},
	} {
		c := Rule{Alpha: .01, MinEffect: 1}.Compare(test.good, test.bad)
		if len(c.Warnings) == 0 || !strings.Contains(c.Warnings[0], test.want) {
			t.Errorf("%v and %v: warnings %q, want %q", test.good, test.bad, c.Warnings, test.want)
		}
	}
}

// With the advised number of pairs of the same spread, most attempts settle;
// with a third of them most don't.
func TestNeedIsAdvice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rule := Rule{Alpha: .01, MinEffect: 1}
	draw := func(n int) (good, bad []float64) {
		for range n {
			good = append(good, 100+3*rng.NormFloat64())
			bad = append(bad, 103+3*rng.NormFloat64())
		}
		return good, bad
	}
	need := rule.need(Comparison{Good: Summary{12, 100, 3}, Bad: Summary{12, 103, 3}, Diff: Interval{Mean: 3}},
		pairs{good: make([]float64, 12), bad: make([]float64, 12)})
	settled := func(n int) (k int) {
		for range 200 {
			if rule.Compare(draw(n)).Verdict == Slower {
				k++
			}
		}
		return k
	}
	if k := settled(need); k < 140 || k > 180 { // 160 +- 3.5 sigma of the binomial
		t.Errorf("%d of 200 settled with the %d pairs advised, want about 160", k, need)
	}
	if k := settled(need / 3); k > 100 {
		t.Errorf("%d of 200 settled with a third of the %d pairs advised", k, need)
	}
}

// Ratios scatter by 10 % around 1.03: R 4.2.2, power.t.test(delta=log(1.03)-log(1.01),
// sd=.1, sig.level=.01, power=.8, type="one.sample") has n = 307.07; the estimate
// may be a pair or two off, since it adds quantiles instead of integrating.
func TestNeedOfPairs(t *testing.T) {
	var good, bad []float64
	for i := range 10 {
		d := .1 * math.Sqrt(9./10) // standard deviation 0.1 with n-1
		if i%2 == 0 {
			d = -d
		}
		good = append(good, 100)
		bad = append(bad, 103*math.Exp(d))
	}
	c := Rule{Alpha: .01, MinEffect: 1, Test: TestPaired}.Compare(good, bad)
	if c.Verdict != Unknown || math.Abs(float64(c.Need)-307) > 3 {
		t.Errorf("%v, need %d pairs, want about 307", c.Verdict, c.Need)
	}
}

func TestNeedGivesUp(t *testing.T) {
	c := Rule{Alpha: .01, MinEffect: 1}.Compare([]float64{1, 3}, []float64{2, 4}) // estimate on the bound
	if c.Verdict != Unknown || c.Need != 0 {
		t.Errorf("%v, need %d, want unknown and 0", c.Verdict, c.Need)
	}
}

package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The distribution against all 2^n outcomes of n coins.
func TestSignedRanksCountedOut(t *testing.T) {
	for n := 1; n <= 14; n++ {
		counts := make([]float64, n*(n+1)/2+1)
		for coins := range 1 << n {
			sum := 0
			for rank := 1; rank <= n; rank++ {
				sum += rank * (coins >> (rank - 1) & 1)
			}
			counts[sum]++
		}
		cumulated := 0.0
		for k, p := range signedRankCDF(n) {
			cumulated += counts[k]
			if want := math.Ldexp(cumulated, -n); p != want {
				t.Fatalf("P(T <= %d) of %d ranks = %v, want %v", k, n, p, want)
			}
		}
	}
}

// R 4.2.2: the number of t with psignrank(t, n) <= tail.
func TestSignedRankTailAgainstR(t *testing.T) {
	for _, test := range []struct {
		n    int
		tail float64
		want int
	}{
		{5, .025, 0}, {6, .025, 1}, {8, .005, 1}, {10, .025, 9}, {10, .005, 4}, {20, .025, 53},
		{50, .005, 374}, {40, 1e-9, 27}, {60, 1e-12, 84}, {200, 1e-7, 5867},
	} {
		if got := signedRankTail(test.n, test.tail); got != test.want {
			t.Errorf("signedRankTail(%d, %v) = %d, want %d", test.n, test.tail, got, test.want)
		}
	}
}

// Where the normal distribution takes over, it must ask for more than the exact
// one, and for little more.
func TestNormalRanksAreStricter(t *testing.T) {
	for _, n := range []int{64, 128, exactRanks} {
		for tail := .04; tail > 1e-9; tail /= 3 {
			exact, normal := signedRankTail(n, tail), normalRankTail(n, tail)
			if normal > exact || float64(normal) < .5*float64(exact) && n > 64 {
				t.Errorf("%d values, tail %.1g: normal has %d, exact %d", n, tail, normal, exact)
			}
		}
	}
}

func TestWalshAgainstSorting(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for round := range 300 {
		x := make(walsh, 2+rng.IntN(60))
		for i := range x {
			x[i] = rng.NormFloat64() * math.Exp(5*rng.NormFloat64())
			if round%3 == 0 {
				x[i] = float64(rng.IntN(4) - 2) // many ties
			}
		}
		slices.Sort(x)
		var all []float64
		for i := range x {
			for j := i; j < len(x); j++ {
				all = append(all, x[i]+x[j])
			}
		}
		slices.Sort(all)
		for range 10 {
			k := 1 + rng.IntN(len(all))
			if got := x.nth(k); got != all[k-1] {
				t.Fatalf("sum %d of %v = %v, want %v", k, x, got, all[k-1])
			}
		}
		at := all[rng.IntN(len(all))]
		if got, want := x.atMost(at), countAtMost(all, at); got != want {
			t.Fatalf("%d sums of %v at most %v, want %d", got, x, at, want)
		}
	}
}

func countAtMost(xs []float64, most float64) (n int) {
	for _, x := range xs {
		if x <= most {
			n++
		}
	}
	return n
}

// rankRatio is the interval of ratios that the signed ranks alone give.
func rankRatio(t *testing.T, good, bad []float64, confidence float64) Interval {
	t.Helper()
	logs, err := logRatios(good, bad)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(logs)
	return exp(walsh(logs).interval(1 - confidence))
}

// rankDifference is the same of differences.
func rankDifference(good, bad []float64, confidence float64) Interval {
	diffs, e := differences(good, bad)
	slices.Sort(diffs)
	return ldexp(walsh(diffs).interval(1-confidence), e)
}

// R's help page of wilcox.test has these depression scores of nine patients:
// V = 40, p-value = 0.01953 one-sided, which is 10/512.
func TestRankDifferenceAgainstR(t *testing.T) {
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	p := 20. / 512 // two-sided
	below := rankDifference(after, before, 1-p-1e-9)
	if below.Low <= 0 {
		t.Errorf("just below 1-p: %+v, want an interval above 0", below)
	}
	above := rankDifference(after, before, 1-p+1e-9)
	if above.Low > 0 || above.Mean != below.Mean {
		t.Errorf("just above 1-p: %+v, want an interval that reaches 0", above)
	}
	// The 45 half sums, sorted, have 0.46 in the middle.
	if !near(below.Mean, .46, 1e-12) {
		t.Errorf("center %v, want 0.46", below.Mean)
	}
}

func TestRankRatioAgainstR(t *testing.T) {
	good := []float64{102.1, 99.8, 101.3, 100.4, 98.9, 100.7, 101.9, 97.3, 103.7, 100.05}
	bad := []float64{104.0, 103.1, 105.9, 104.4, 102.7, 103.8, 101.2, 99.9, 140.2, 103.33}
	for _, test := range []struct {
		confidence float64
		want       Interval
	}{
		// R 4.2.2: w <- wilcox.test(log(bad/good), conf.int=T, conf.level=.99, exact=T)
		// exp(c(w$estimate, w$conf.int))
		{.99, Interval{1.03306613226453, 1.01178236543105, 1.18487273101911}},
		// the same with conf.level=.90
		{.90, Interval{1.03306613226453, 1.02265729947126, 1.04540967423495}},
	} {
		if got := rankRatio(t, good, bad, test.confidence); !sameInterval(got, test.want, 1e-13) {
			t.Errorf("at %v %+v, want %+v", test.confidence, got, test.want)
		}
	}
	// R 4.2.2: wilcox.test(bad-good, conf.int=T, conf.level=.95, exact=T)
	got := rankDifference(good, bad, .95)
	if want := (Interval{3.3, 1.9, 19.2}); !sameInterval(got, want, 1e-13) {
		t.Errorf("differences: %+v, want %+v", got, want)
	}
}

// Exactness with ties and zeros: of all ways to give the same distances a sign,
// which are equally likely when the center is zero, no more than alpha may lead
// to an interval without zero.
func TestRankSizeCountedOut(t *testing.T) {
	for _, distances := range [][]float64{
		{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
		{1, 1, 1, 1, 2, 2, 2, 3, 3, 9},
		{0, 0, 0, 1, 2, 3, 4, 5, 6, 7},
		{0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
		{5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
	} {
		n := len(distances)
		for _, alpha := range []float64{.2, .05, .01, .002} {
			wrong := 0
			for coins := range 1 << n {
				xs := slices.Clone(distances)
				for i := range xs {
					if coins>>i&1 == 1 {
						xs[i] = -xs[i]
					}
				}
				slices.Sort(xs)
				if i := walsh(xs).interval(alpha); i.Low > 0 || i.High < 0 {
					wrong++
				}
			}
			share := float64(wrong) / math.Ldexp(1, n)
			if share > alpha {
				t.Errorf("%v: %v wrong at alpha %v", distances, share, alpha)
			}
			if distances[0] == 1 && distances[9] == 10 && share < alpha/2 {
				t.Errorf("%v: only %v wrong at alpha %v", distances, share, alpha)
			}
		}
	}
}

func TestRankEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name      string
		good, bad []float64
		want      Interval
	}{
		{"too few for 99 %", []float64{1, 2, 3}, []float64{2, 4, 6}, Interval{2, -inf, inf}},
		{"equal", make([]float64, 20), plus(make([]float64, 20), 3), Interval{3, 3, 3}},
		{"huge", slices.Repeat([]float64{-1e308}, 20), slices.Repeat([]float64{.5e308}, 20), Interval{1.5e308, 1.5e308, 1.5e308}},
	} {
		got := rankDifference(test.good, test.bad, .99)
		if got.Low != test.want.Low && !near(got.Low, test.want.Low, 1e-14) || !near(got.High, test.want.High, 1e-14) || !near(got.Mean, test.want.Mean, 1e-14) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	few := rankRatio(t, []float64{1, 1, 1}, []float64{2, 2, 3}, .99)
	if few.Low != 0 || !math.IsInf(few.High, 1) || !near(few.Mean, 2*math.Pow(1.5, .25), 1e-14) {
		t.Errorf("ratio of three pairs: %+v", few)
	}
	there := rankRatio(t, plus(steadyGood, 1), steadyBad, .9)
	back := rankRatio(t, steadyBad, plus(steadyGood, 1), .9)
	if !sameInterval(there, Interval{1 / back.Mean, 1 / back.High, 1 / back.Low}, 1e-14) {
		t.Errorf("%+v is not the inverse of %+v", there, back)
	}
}

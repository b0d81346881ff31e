package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

func times(xs []float64, f float64) []float64 {
	ys := slices.Clone(xs)
	for i := range ys {
		ys[i] *= f
	}
	return ys
}

// spreadOut are 20 values with a spread of 3 % and none the same.
func spreadOut() (xs []float64) {
	for i := range 20 {
		xs = append(xs, 100+float64((i*7)%20)*.5)
	}
	return xs
}

func TestRankVerdicts(t *testing.T) {
	good := spreadOut()
	turned := slices.Clone(good)
	slices.Reverse(turned)
	for _, test := range []struct {
		name      string
		good, bad []float64
		effect    float64
		want      Verdict
	}{
		{"slower", good, times(turned, 1.3), 1, Slower},
		{"faster", good, times(turned, .7), 1, Faster},
		{"same", good, turned, 20, Same},
		{"too wide", good, turned, 1, Unknown},
		{"on the bound", good, plus(good, 50), 50, Unknown},
		{"too few", good[:10], times(good[:10], 9), 1, Unknown},
		{"added call", make([]float64, 20), good, 1, Slower},
		{"removed call", good, make([]float64, 20), 1, Faster},
		{"own code below zero in a process", append([]float64{-1}, good[1:]...), plus(good, 30), 1, Slower},
		{"a ratio hides behind no ratio", make([]float64, 20), make([]float64, 20), 1, Same},
		{"unpaired", good, good[1:], 20, Unknown},
		{"effect larger than good", good, times(good, 1.5), 200, Same},
	} {
		c := Rule{Alpha: 1e-4, MinEffect: test.effect, Test: TestRank}.Compare(test.good, test.bad)
		if c.Verdict != test.want || c.Verdict != Unknown && c.By != TestRank {
			t.Errorf("%s: %v by %v, want %v (%+v)", test.name, c.Verdict, c.By, test.want, c)
		}
	}
}

// Each test has half of alpha: auto decides where Welch or ranks do with that.
func TestAutoSharesAlpha(t *testing.T) {
	for _, test := range []struct {
		noise noisy.Machine
		pairs int
		ratio float64
		by    Test
	}{
		{noisy.Quiet, 6, 1.3, TestWelch},
		{noisy.Slow, 60, 1.08, TestRank},
	} {
		run := test.noise.Start(rand.New(rand.NewPCG(8, 9)))
		good, bad := drawPairs(run, test.pairs, test.ratio)
		rule := Rule{Alpha: .002, MinEffect: 1, Test: TestAuto}
		c := rule.Compare(good, bad)
		if c.Verdict != Slower || c.By != test.by || c.Confidence != .998 || len(c.Warnings) != 0 {
			t.Errorf("%+v: %v by %v at %v, want slower by %v", test.noise, c.Verdict, c.By, c.Confidence, test.by)
		}
		welch, _ := Welch(good, bad, .999)
		ratio, _ := PairedRatio(good, bad, .999)
		if test.by == TestRank {
			ratio = rankRatio(t, good, bad, .999)
			g := Summarize(good).Mean
			welch = Interval{(ratio.Mean - 1) * g, (ratio.Low - 1) * g, (ratio.High - 1) * g}
		}
		if !sameInterval(c.Diff, welch, 1e-9) || !sameInterval(c.Ratio, ratio, 1e-9) {
			t.Errorf("by %v: %+v and %+v, want %+v and %+v", c.By, c.Diff, c.Ratio, welch, ratio)
		}
	}
}

// drawPairs makes pairs of which bad takes ratio times as long as good.
func drawPairs(run *noisy.Run, n int, ratio float64) (good, bad []float64) {
	for range n {
		g, b := run.Pair()
		good, bad = append(good, 100*g), append(bad, 100*ratio*b)
	}
	return good, bad
}

// The means of these are carried by few of the processes and say slower. Ranks
// leave no room for that. Neither is right to decide.
func TestAutoContradicted(t *testing.T) {
	var good, bad, rare []float64
	for i := range 200 {
		good = append(good, 100+float64(i%5))
		b := 10 + float64(i%5)
		if i%4 == 0 {
			b = 1000 + float64(i%3)
		}
		bad = append(bad, b)
		r := good[i]
		if i%5 == 0 {
			r *= 3
		}
		rare = append(rare, r)
	}
	for _, test := range []struct {
		bad  []float64
		want string
	}{{bad, "means say slower, pairs say unknown"}, {rare, "means say slower, pairs say same"}} {
		c := Rule{Alpha: .01, MinEffect: 1, Test: TestAuto}.Compare(good, test.bad)
		if c.Verdict != Unknown || c.Need != 0 || len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], test.want) {
			t.Errorf("%v, need %d, %q, want %q", c.Verdict, c.Need, c.Warnings, test.want)
		}
	}
}

// Who decides, and whom the other keeps from it. Bounds are -1 and 1.
func TestAgree(t *testing.T) {
	at := func(low, high float64) claim { return claimOf(Interval{(low + high) / 2, low, high}, -1, 1) }
	slower, faster, same, open := at(2, 4), at(-4, -2), at(-.5, .5), at(-5, 5)
	notSlower, notSame := at(-5, .5), at(1, 3)
	for _, test := range []struct {
		name         string
		means, ranks claim
		want         Verdict
		by           Test
		contradicted bool
	}{
		{"both", slower, slower, Slower, TestAuto, false},
		{"neither", open, open, Unknown, TestAuto, false},
		{"means alone", slower, open, Slower, TestWelch, false},
		{"ranks alone", open, same, Same, TestRank, false},
		{"other claims", slower, same, Unknown, TestAuto, true},
		{"the opposite", slower, faster, Unknown, TestAuto, true},
		{"ranks object", slower, notSlower, Unknown, TestAuto, true},
		{"means object", notSlower, slower, Unknown, TestAuto, true},
		{"means object to same", notSame, same, Unknown, TestAuto, true},
	} {
		var c Comparison
		if got := c.agree(test.means, test.ranks, TestWelch, TestAuto); got != test.contradicted || c.Verdict != test.want || c.By != test.by || (len(c.Warnings) > 0) != test.contradicted {
			t.Errorf("%s: %v by %v, contradicted %v, %q", test.name, c.Verdict, c.By, got, c.Warnings)
		}
	}
}

// Where both decide, the narrower interval is shown.
func TestAutoShowsTheNarrower(t *testing.T) {
	for _, m := range []noisy.Machine{{Scatter: .02}, {Scatter: .02, Drift: .03}} {
		good, bad := drawPairs(m.Start(rand.New(rand.NewPCG(2, 3))), 100, 1.5)
		c := Rule{Alpha: .002, MinEffect: 1, Test: TestAuto}.Compare(good, bad)
		means, _ := Welch(good, bad, .999)
		ratio := rankRatio(t, good, bad, .999)
		g := c.Good.Mean
		width := math.Min(means.High-means.Low, (ratio.High-ratio.Low)*g)
		if c.By != TestAuto || !near(c.Diff.High-c.Diff.Low, width, 1e-9) {
			t.Errorf("%+v: by %v, %+v of %+v and %+v times %v", m, c.By, c.Diff, means, ratio, g)
		}
	}
}

// What is needed does not depend on the unit, by differences either.
func TestNeedOfDifferences(t *testing.T) {
	good, bad := drawPairs(noisy.Slow.Start(rand.New(rand.NewPCG(5, 5))), 24, 1.05)
	good[0] = 0 // no ratio
	want := Rule{Alpha: .001, MinEffect: 1, Test: TestRank}.Compare(good, bad)
	if want.Need == 0 || !math.IsNaN(want.Ratio.Mean) {
		t.Fatalf("need %d, ratio %+v", want.Need, want.Ratio)
	}
	for _, e := range []int{-200, 40} {
		got := Rule{Alpha: .001, MinEffect: math.Ldexp(1, e), Test: TestRank}.Compare(scaled(good, e), scaled(bad, e))
		if got.Need != want.Need || !near(got.Diff.Mean, math.Ldexp(want.Diff.Mean, e), 1e-14) {
			t.Errorf("times 2^%d: need %d, %+v, want %d, %+v", e, got.Need, got.Diff, want.Need, want.Diff)
		}
	}
}

func TestAutoWithoutPairs(t *testing.T) {
	rule := Rule{Alpha: .01, MinEffect: 1, Test: TestAuto}
	if c := rule.Compare(steadyGood, plus(append([]float64{101}, steadyGood...), 20)); c.Verdict != Slower || c.By != TestWelch {
		t.Errorf("unpaired: %v by %v", c.Verdict, c.By)
	}
	if c := rule.Compare(steadyGood, plus(append([]float64{101}, steadyGood...), 2)); c.Verdict != Unknown || c.Need == 0 {
		t.Errorf("unpaired and close: %v, need %d", c.Verdict, c.Need)
	}
}

// On machines of every kind, equals are told apart no oftener than alpha allows,
// by ranks and by both together; and so are sides that differ by the minimum
// effect, exactly on the bound of what may be called slower.
func TestSizeOnNoisyMachines(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 300
	}
	const alpha = .05
	for _, m := range machines {
		for _, n := range []int{6, 12, 48} {
			rng := rand.New(rand.NewPCG(uint64(n), 77))
			var wrong [4]int
			for round := range rounds {
				ratio, effect := 1.0, 0.0
				if round%2 == 1 {
					ratio, effect = 1.05, 5.0 // bounds at 5 % of what good takes undisturbed
				}
				good, bad := drawPairs(m.Start(rng), n, ratio)
				effect *= Summarize(good).Mean / 100
				for _, by := range []Test{TestRank, TestAuto} {
					v := Rule{Alpha: alpha, MinEffect: effect, Test: by}.Compare(good, bad).Verdict
					if v == Slower || v == Faster || v == Same && effect > 0 {
						wrong[by]++
					}
				}
			}
			most := float64(rounds)*alpha + 4*math.Sqrt(float64(rounds)*alpha*(1-alpha))
			for _, by := range []Test{TestRank, TestAuto} {
				if float64(wrong[by]) > most {
					t.Errorf("%s, %d pairs, test %d: %d of %d wrong, want at most %.0f", m.name, n, by, wrong[by], rounds, most)
				}
			}
			if n == 48 && !testing.Short() && float64(wrong[TestRank]) < most/4 {
				t.Errorf("%s: ranks were wrong in %d of %d only: the simulation does not bite", m.name, wrong[TestRank], rounds)
			}
		}
	}
}

var machines = []struct {
	name string
	noisy.Machine
}{
	{"quiet", noisy.Quiet}, {"drifting", noisy.Drifting}, {"wild", noisy.Wild},
	{"slow", noisy.Slow}, {"lagging", noisy.Lagging}, {"shared", noisy.Shared},
}

// What ranks are there for: 5 % among slow processes and drift. Auto must come
// close to ranks where those are strong, and to Welch where that is.
func TestAutoHasThePowerOfBoth(t *testing.T) {
	const rounds = 200
	decided := func(m noisy.Machine, n int, ratio float64) (k [4]int) {
		rng := rand.New(rand.NewPCG(4, 4))
		for range rounds {
			good, bad := drawPairs(m.Start(rng), n, ratio)
			for _, by := range []Test{TestWelch, TestPaired, TestRank, TestAuto} {
				if (Rule{Alpha: 1e-3, MinEffect: 1, Test: by}).Compare(good, bad).Verdict == Slower {
					k[by]++
				}
			}
		}
		return k
	}
	for _, m := range machines[1:] {
		k := decided(m.Machine, 96, 1.05)
		t.Logf("%-8s 1.05x, 96 pairs: welch %d, paired %d, rank %d, auto %d of %d", m.name, k[TestWelch], k[TestPaired], k[TestRank], k[TestAuto], rounds)
		if k[TestAuto] < k[TestWelch]-rounds/10 || k[TestAuto] < k[TestRank]-rounds/10 {
			t.Errorf("%s: auto is far from the better one", m.name)
		}
	}
	if k := decided(noisy.Quiet, 6, 1.1); k[TestAuto] < rounds*9/10 || k[TestRank] != 0 {
		t.Errorf("6 pairs on a quiet machine: %v", k)
	}
}

// With the pairs that ranks advise, about four in five settle.
func TestNeedOfRanks(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const alpha = .001
	rule := Rule{Alpha: alpha, MinEffect: 1, Test: TestRank}
	for _, test := range []struct {
		noisy.Machine
		ratio float64
		want  Verdict
	}{
		{noisy.Slow, 1.05, Slower}, {noisy.Slow, 1.3, Slower}, {noisy.Slow, .8, Faster},
		{noisy.Lagging, 1.05, Slower}, {noisy.Machine{Scatter: .02}, 1, Same}, {noisy.Machine{Scatter: .03}, 1.03, Slower},
	} {
		good, bad := drawPairs(test.Start(rng), 1000, test.ratio)
		k, _ := rule.ranksOf(Comparison{Good: Summarize(good)}, pairsOf(good, bad))
		k.sorted = thinned(k.sorted, 60) // as spread out, but fewer than are needed
		need := k.need(alpha)
		settled := func(n int) (k int) {
			for range 300 {
				if rule.Compare(drawPairs(test.Start(rng), n, test.ratio)).Verdict == test.want {
					k++
				}
			}
			return k
		}
		enough, third := settled(need), settled(need/3)
		t.Logf("%+v %vx: %d pairs advised, %d of 300 settled with them, %d with a third", test.Machine, test.ratio, need, enough, third)
		if enough < 200 || third > 160 {
			t.Errorf("%+v %vx: %d of 300 settled with the %d pairs advised, %d with a third", test.Machine, test.ratio, enough, need, third)
		}
	}
	good, bad := drawPairs(noisy.Slow.Start(rng), 20, 1.02)
	if c := rule.Compare(good, bad); c.Verdict != Unknown || c.Need <= 20 {
		t.Errorf("20 pairs: %v, need %d", c.Verdict, c.Need)
	}
	auto := rule
	auto.Test, auto.Alpha = TestAuto, 2*alpha
	p := pairsOf(good, bad)
	k, _ := rule.ranksOf(Comparison{Good: Summarize(good)}, p)
	want := min(k.need(alpha), rule.welchNeed(rule.Compare(good, bad), p))
	if c := auto.Compare(good, bad); c.Need != want || want == 0 {
		t.Errorf("auto needs %d, want what is needed by the first, %d", c.Need, want)
	}
}

// thinned are about n quantiles of xs.
func thinned(xs walsh, n int) (ys walsh) {
	for i := range n {
		ys = append(ys, xs[len(xs)*(2*i+1)/(2*n)])
	}
	return ys
}

func pairsOf(good, bad []float64) pairs {
	logs, _ := logRatios(good, bad)
	return pairs{good, bad, logs}
}

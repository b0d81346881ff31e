package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

// Without a prior it is Student's interval over the means of the layouts, as R has it in
// TestGroupedAgainstR.
func TestOverAgainstR(t *testing.T) {
	good := []float64{100, 101, 99, 100, 102, 100, 98, 100, 101}
	bad := []float64{103, 104, 103, 108, 109, 107, 100, 102, 104}
	groups, err := ByLayout(good, bad, []int{7, 7, 7, 1, 1, 1, 4, 4, 4})
	if err != nil {
		t.Fatal(err)
	}
	got, err := CompareOver(groups, .1, 0, Prior{})
	want := Interval{1.04297661549959, 1.00002384440552, 1.08777428314785}
	if err != nil || !sameInterval(got.Ratio, want, 1e-12) || got.Layouts != 3 || !near(got.Within, 0.00567767743756689, 1e-11) || got.Verdict != Slower {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// Quantiles are those of printed tables: t(0.975) is 12.7062 for one degree of freedom,
// 4.30265 for 2, 2.77645 for 4 and 2.57058 for 5.
func TestModerated(t *testing.T) {
	for _, test := range []struct {
		name   string
		groups [][]float64
		alpha  float64
		prior  Prior
		half   float64
	}{
		// Each has half of alpha: means vary by 0.02, moderated by 0.04 it is 0.03.
		{"the prior's is narrower", [][]float64{{.1}, {.3}}, .1, Prior{SD: .2, Freedom: 1}, math.Sqrt(.03/2) * 4.30265},
		{"Student's is narrower", [][]float64{{.1}, {.1001}}, .1, Prior{SD: .2, Freedom: 1}, .00005 * 12.7062},
		{"no prior", [][]float64{{.1}, {.3}}, .05, Prior{}, .1 * 12.7062},
		{"one layout", [][]float64{{.5, .5, .5}}, .05, Prior{SD: .1, Freedom: 4}, .1 * 2.77645},
		{"pairs scatter in a layout", [][]float64{{.4, .6, .4, .6, .4, .6}}, .05, Prior{SD: 0, Freedom: 4}, math.Sqrt(.012/6) * 2.77645},
		{"and more than layouts", [][]float64{{.4, .6, .4, .6, .4, .6}}, .05, Prior{SD: 0, Freedom: 1e12}, math.Sqrt(.012/6) * 2.57058},
		{"one layout, no prior", [][]float64{{.5, .6}}, .05, Prior{}, math.Inf(1)},
	} {
		got, err := CompareOver(test.groups, test.alpha, 0, test.prior)
		if half := math.Log(got.Ratio.High / got.Ratio.Mean); err != nil || math.Abs(half-test.half) > 1e-5*test.half {
			t.Errorf("%s: half width %v, %v, want %v", test.name, half, err, test.half)
		}
	}
}

func TestOverEdges(t *testing.T) {
	for _, groups := range [][][]float64{nil, {}, {{.1}}, {{}, {}}, {{}, {.1}}} {
		if o, err := CompareOver(groups, .01, .01, UsualLayouts); !errors.Is(err, ErrTooFew) || o.Verdict != Unknown {
			t.Errorf("%v: %+v, %v", groups, o, err)
		}
	}
	if _, err := CompareOver([][]float64{{.1, math.NaN()}}, .01, .01, UsualLayouts); !errors.Is(err, ErrNotFinite) {
		t.Error(err)
	}
	if _, err := ByLayout(steadyGood, steadyBad, []int{1}); !errors.Is(err, ErrGroup) {
		t.Error(err)
	}
	equal := [][]float64{{0, 0}, {0, 0}, {0, 0}}
	if o, err := CompareOver(equal, 1e-4, .01, UsualLayouts); err != nil || o.Verdict != Same || o.Ratio != (Interval{1, 1, 1}) {
		t.Errorf("all equal: %+v, %v", o, err)
	}
	for _, alpha := range []float64{0, -1, 1, math.NaN()} {
		if o, _ := CompareOver(equal, alpha, .01, UsualLayouts); o.Verdict != Unknown {
			t.Errorf("decided with an error of %v", alpha)
		}
	}
}

// linked are log ratios of so many pairs in so many layouts of standard deviation sd.
func linked(rng *rand.Rand, layouts, pairs int, ratio, sd, scatter float64) [][]float64 {
	groups := make([][]float64, layouts)
	for g := range groups {
		x := math.Log(ratio) + sd*rng.NormFloat64()
		for range pairs {
			groups[g] = append(groups[g], x+scatter*rng.NormFloat64())
		}
	}
	return groups
}

// oftener reports whether so many wrong of rounds are more than alpha explains.
func oftener(wrong, rounds int, alpha float64) bool {
	want := alpha * float64(rounds)
	return float64(wrong) > want+4*math.Sqrt(want)
}

var layoutSDs = []float64{0, .02, .05, .1}

// Whatever layouts make up to 10 %, a verdict on equal code is wrong as often as alpha
// allows at most. Pairs that are not told apart by layout are wrong much oftener, and so
// are few layouts with a prior that is only right for most benchmarks.
func TestOverKeepsTheError(t *testing.T) {
	rounds, alpha := 20000, .01
	if testing.Short() {
		rounds = 2000
	}
	for _, k := range []int{1, 2, 3, 4, 8, 16} {
		for _, sd := range layoutSDs {
			rng := rand.New(rand.NewPCG(uint64(k), math.Float64bits(sd)))
			wrong, small, pooled := 0, 0, 0
			for range rounds {
				groups := linked(rng, k, 4, 1, sd, .01)
				for prior, count := range map[Prior]*int{UsualLayouts: &wrong, {SD: .02, Freedom: 2}: &small} {
					if o, err := CompareOver(groups, alpha, 0, prior); err != nil {
						t.Fatal(err)
					} else if o.Verdict != Unknown {
						*count++
					}
				}
				var all []float64
				for _, g := range groups {
					all = append(all, g...)
				}
				if o, _ := CompareOver([][]float64{all}, alpha, 0, Prior{SD: 0, Freedom: 1e12}); o.Verdict != Unknown {
					pooled++
				}
			}
			if oftener(wrong, rounds, alpha) {
				t.Errorf("%d layouts of sd %v: %d of %d wrong", k, sd, wrong, rounds)
			}
			if sd == .1 && k <= 3 && !oftener(small, rounds, alpha) {
				t.Errorf("%d layouts of sd %v with a prior of 2 %%: only %d of %d wrong", k, sd, small, rounds)
			}
			if sd > 0 && !oftener(pooled, rounds, 5*alpha) {
				t.Errorf("%d layouts of sd %v: pairs alone are wrong in %d of %d: the simulation does not bite", k, sd, pooled, rounds)
			}
		}
	}
}

// What was seen in eight orders makes two and three of another pair of binaries of that
// benchmark enough, and is wrong no oftener.
func TestOverWithWhatWasSeen(t *testing.T) {
	rounds, alpha := 20000, .01
	if testing.Short() {
		rounds = 2000
	}
	for _, k := range []int{1, 2, 3} {
		for _, sd := range layoutSDs {
			rng := rand.New(rand.NewPCG(uint64(k), math.Float64bits(sd)))
			wrong, found, blind := 0, 0, 0
			for range rounds {
				prior := UsualLayouts.After(linked(rng, 8, 4, 1.3, sd, .01))
				if o, _ := CompareOver(linked(rng, k, 4, 1, sd, .01), alpha, 0, prior); o.Verdict != Unknown {
					wrong++
				}
				large := linked(rng, k, 4, 1.15, sd, .01)
				if o, _ := CompareOver(large, alpha, .01, prior); o.Verdict == Slower {
					found++
				}
				if o, _ := CompareOver(large, alpha, .01, UsualLayouts); o.Verdict == Slower {
					blind++
				}
			}
			if oftener(wrong, rounds, alpha) {
				t.Errorf("%d layouts of sd %v: %d of %d wrong", k, sd, wrong, rounds)
			}
			if sd <= .02 && k > 1 && (found < rounds*8/10 || k == 2 && blind > rounds/2) {
				t.Errorf("%d layouts of sd %v: 15 %% are found in %d of %d after 8 were seen, in %d before", k, sd, found, rounds, blind)
			}
		}
	}
}

func TestAfter(t *testing.T) {
	seen := [][]float64{{.1, .1}, {.2, .2}, {.3, .3}} // means of sd 0.1
	if got, want := (Prior{SD: .2, Freedom: 4}).After(seen), (Prior{SD: math.Sqrt((4*.04 + 2*.01) / 6), Freedom: 6}); !near(got.SD, want.SD, 1e-12) || got.Freedom != 6 {
		t.Errorf("with less than was known: %+v, want %+v", got, want)
	}
	if got := (Prior{SD: .2, Freedom: 1}).After(seen); !near(got.SD, .1, 1e-12) || got.Freedom != 2 {
		t.Errorf("with more than was known: %+v", got)
	}
	for _, none := range [][][]float64{nil, {{.1, .2}}} {
		if got := UsualLayouts.After(none); got != UsualLayouts {
			t.Errorf("after nothing: %+v", got)
		}
	}
}

// With eight layouts and more, what was known before hardly counts.
func TestManyLayoutsSpeakForThemselves(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for _, k := range []int{8, 12, 16} {
		for _, sd := range layoutSDs[1:] {
			for range 100 {
				groups := linked(rng, k, 4, 1, sd, .005)
				alone, _ := CompareOver(groups, 1e-3, .01, Prior{})
				usual, _ := CompareOver(groups, 1e-3, .01, UsualLayouts)
				if width := math.Log(usual.Ratio.High) / math.Log(alone.Ratio.High); math.Abs(math.Log(usual.Ratio.High/usual.Ratio.Mean)) > 1.15*math.Log(alone.Ratio.High/alone.Ratio.Mean) {
					t.Errorf("%d layouts of sd %v: the prior makes the interval %.2f times as wide", k, sd, width)
				}
			}
		}
	}
}

// So many orders as are said to be needed decide four times in five, and a few less
// do not.
func TestOrders(t *testing.T) {
	for _, test := range []struct {
		prior  Prior
		effect float64
		most   int
	}{
		{UsualLayouts, 1, 3},
		{UsualLayouts, .2, 16},
		{Prior{SD: .02, Freedom: 7}, .1, 4},
		{Prior{SD: .02, Freedom: 7}, .03, 16},
	} {
		const alpha = 1e-3
		n := test.prior.Orders(test.effect, alpha)
		if n > test.most {
			t.Errorf("%+v, %v: %d orders, want %d at most", test.prior, test.effect, n, test.most)
		}
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		decided, fewer := 0, 0
		const rounds = 2000
		for range rounds {
			groups := linked(rng, n, 2, 1+test.effect, test.prior.SD, 1e-9)
			if o, _ := CompareOver(groups, alpha, 0, test.prior); o.Verdict == Slower {
				decided++
			}
			if o, _ := CompareOver(groups[:(n+1)/2], alpha, 0, test.prior); o.Verdict == Slower {
				fewer++
			}
		}
		if decided < rounds*65/100 || n > 2 && fewer > rounds*70/100 {
			t.Errorf("%+v, %v: %d orders decide %d of %d, half as many %d", test.prior, test.effect, n, decided, rounds, fewer)
		}
	}
	if n := UsualLayouts.Orders(.001, 1e-4); n != mostOrders {
		t.Errorf("0.1 %% takes %d orders", n)
	}
}

// Where layouts make nothing, and pairs take turns, layouts decide no less than Welch
// does with the same pairs.
func TestOverHasThePowerOfWelch(t *testing.T) {
	rounds := 600
	if testing.Short() {
		rounds = 100
	}
	for _, slowdown := range []float64{.02, .03, .05, .1} {
		rng := rand.New(rand.NewPCG(9, math.Float64bits(slowdown)))
		over, byMeans := 0, 0
		for range rounds {
			good, bad := drawPairs(noisy.InTurns.Start(rng), 48, 1+slowdown)
			layout := make([]int, len(good))
			for i := range layout {
				layout[i] = i % 8
			}
			groups, err := ByLayout(good, bad, layout)
			if err != nil {
				t.Fatal(err)
			}
			if o, _ := CompareOver(groups, powerAlpha, .01, UsualLayouts); o.Verdict == Slower {
				over++
			}
			if c := (Rule{Alpha: powerAlpha, MinEffect: .01 * Summarize(good).Mean}).Compare(good, bad); c.Verdict == Slower {
				byMeans++
			}
		}
		if over < byMeans || slowdown == .03 && over < rounds*9/10 {
			t.Errorf("%v: over layouts %d of %d, Welch %d", slowdown, over, rounds, byMeans)
		}
	}
}

// Orders are added until they decide, at numbers that were planned, each with its part of
// alpha: equal code is called different no oftener than alpha allows in all, and large
// differences take few.
func TestOrdersAreAdded(t *testing.T) {
	rounds, alpha := 20000, .01
	if testing.Short() {
		rounds = 2000
	}
	planned := []int{3, 5, 8, 16, 32}
	decide := func(rng *rand.Rand, ratio, sd float64) (v Verdict, orders int) {
		groups := linked(rng, planned[len(planned)-1], 2, ratio, sd, .01)
		for _, orders = range planned {
			o, err := CompareOver(groups[:orders], alpha/float64(len(planned)), .01, UsualLayouts)
			if err != nil {
				t.Fatal(err)
			}
			if v = o.Verdict; v == Slower || v == Faster {
				break
			}
		}
		return v, orders
	}
	for _, sd := range layoutSDs {
		rng := rand.New(rand.NewPCG(10, math.Float64bits(sd)))
		wrong := 0
		for range rounds {
			if v, _ := decide(rng, 1, sd); v == Slower || v == Faster {
				wrong++
			}
		}
		if oftener(wrong, rounds, alpha) {
			t.Errorf("layouts of sd %v: %d of %d wrong", sd, wrong, rounds)
		}
		for _, large := range []struct{ slowdown, most float64 }{{.2, 18}, {1, 4}} {
			sum, found := 0, 0
			for range rounds / 20 {
				v, orders := decide(rng, 1+large.slowdown, sd)
				sum += orders
				if v == Slower {
					found++
				}
			}
			mean := float64(sum) / float64(rounds/20)
			t.Logf("layouts of sd %v: %v takes %.1f orders, found in %d of %d", sd, large.slowdown, mean, found, rounds/20)
			if mean > large.most || found < rounds/20*98/100 {
				t.Errorf("layouts of sd %v: %v takes %.1f orders, found in %d of %d", sd, large.slowdown, mean, found, rounds/20)
			}
		}
	}
}

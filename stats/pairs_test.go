package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

func TestTestNamed(t *testing.T) {
	want := map[string]Test{"auto": TestAuto, "welch": TestWelch, "paired": TestPaired, "rank": TestRank}
	if len(TestNames) != len(want) {
		t.Errorf("names %v", TestNames)
	}
	for _, name := range TestNames {
		if got, err := TestNamed(name); err != nil || got != want[name] {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"", "Auto", "pairs", "TestParse"} {
		if _, err := TestNamed(name); err == nil || !strings.Contains(err.Error(), "auto, welch, paired, rank") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, test := range []Test{TestWelch, TestPaired, TestRank} {
		if test.Accusing() != test || test.Narrowing() != test {
			t.Errorf("%v accuses by %v and narrows by %v", test, test.Accusing(), test.Narrowing())
		}
	}
	if TestAuto.Accusing() != TestPairs || TestAuto.Narrowing() != TestWelch {
		t.Error("auto is not divided")
	}
}

// Both have half of alpha, and what is shown is the interval of that which decided.
func TestPairsShareAlpha(t *testing.T) {
	for _, test := range []struct {
		name  string
		noise noisy.Machine
		pairs int
		by    Test
	}{
		{"a few quiet pairs", noisy.InTurns, 8, TestPaired},
		{"wild processes", noisy.Machine{Scatter: .01, Wild: .1, WildBy: 1}, 60, TestRank},
	} {
		good, bad := drawPairs(test.noise.Start(rand.New(rand.NewPCG(8, 9))), test.pairs, 1.1)
		rule := Rule{Alpha: .002, MinEffect: .01 * Summarize(good).Mean, Test: TestPairs}
		c := rule.Compare(good, bad)
		want, _ := PairedRatio(good, bad, .999)
		if test.by == TestRank {
			want = rankRatio(t, good, bad, .999)
		}
		if c.Verdict != Slower || c.By != test.by || c.Confidence != .998 || !sameInterval(c.Ratio, want, 1e-12) {
			t.Errorf("%s: %v by %v, ratio %+v, want %+v", test.name, c.Verdict, c.By, c.Ratio, want)
		}
		g := c.Good.Mean
		if diff := (Interval{(want.Mean - 1) * g, (want.Low - 1) * g, (want.High - 1) * g}); !sameInterval(c.Diff, diff, 1e-9) {
			t.Errorf("%s: difference %+v, want %+v", test.name, c.Diff, diff)
		}
	}
}

// Parts that one side doesn't have are decided as by auto.
func TestPairsWithoutRatios(t *testing.T) {
	good, bad := make([]float64, 20), spreadOut()
	c := Rule{Alpha: 1e-4, MinEffect: 1, Test: TestPairs}.Compare(good, bad)
	if auto := (Rule{Alpha: 1e-4, MinEffect: 1, Test: TestAuto}).Compare(good, bad); c.Verdict != Slower || c.By != auto.By || c.Diff != auto.Diff {
		t.Errorf("%+v, want as by auto: %+v", c, auto)
	}
}

// One process in seven takes 30 % longer, which is 4.5 % of the mean: the center of the
// pairs does not know, and alone would say that nothing is slower.
func TestPairsPromiseTheMean(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	rng := rand.New(rand.NewPCG(4, 5))
	same, byRanks, slower := 0, 0, 0
	for range rounds {
		run := noisy.InTurns.Start(rng)
		good, bad := drawPairs(run, 192, 1)
		for i := range bad {
			if rng.Float64() < .15 {
				bad[i] *= 1.3
			}
		}
		rule := Rule{Alpha: powerAlpha, MinEffect: .01 * Summarize(good).Mean, Test: TestPairs}
		switch rule.Compare(good, bad).Verdict {
		case Same, Faster:
			same++
		case Slower:
			slower++
		}
		if rule.Test = TestRank; rule.Compare(good, bad).Verdict == Same {
			byRanks++
		}
	}
	if same > 0 || slower < rounds/10 {
		t.Errorf("%d same, %d slower of %d", same, slower, rounds)
	}
	if byRanks < rounds/4 {
		t.Errorf("ranks say same to %d of %d: the simulation does not bite", byRanks, rounds)
	}
}

// On no machine is a verdict on equal code wrong oftener than alpha allows, at the first
// look or later.
func TestPairsKeepTheError(t *testing.T) {
	rounds, alpha := 6000, .01
	if testing.Short() {
		rounds = 600
	}
	for _, m := range []noisy.Machine{noisy.Quiet, noisy.Drifting, noisy.Wild, noisy.Slow, noisy.Lagging, noisy.Shared, noisy.InTurns} {
		for _, n := range []int{FirstPairs, 24, 96} {
			rng := rand.New(rand.NewPCG(uint64(n), 77))
			wrong := 0
			for range rounds {
				good, bad := drawPairs(m.Start(rng), n, 1)
				if v := (Rule{Alpha: alpha, Test: TestPairs}).Compare(good, bad).Verdict; v == Slower || v == Faster {
					wrong++
				}
			}
			if oftener(wrong, rounds, alpha) {
				t.Errorf("%+v, %d pairs: %d of %d wrong", m, n, wrong, rounds)
			}
		}
	}
}

// The pairs after which a difference is decided, on the machine where pairs take turns:
// Welch takes several times as many, and asking the ranks as well costs hardly any.
func TestPairsSavePairs(t *testing.T) {
	rounds := 100
	if testing.Short() {
		rounds = 30
	}
	needed := func(test Test, slowdown float64) (sum float64) {
		for round := range rounds {
			rng := rand.New(rand.NewPCG(uint64(round), math.Float64bits(slowdown)))
			good, bad := drawPairs(noisy.InTurns.Start(rng), 384, 1+slowdown)
			n := FirstPairs
			for ; n < 384; n++ {
				rule := Rule{Alpha: powerAlpha, MinEffect: .01 * Summarize(good[:n]).Mean, Test: test}
				if rule.Compare(good[:n], bad[:n]).Verdict == Slower {
					break
				}
			}
			sum += float64(n) / float64(rounds)
		}
		return sum
	}
	for _, slowdown := range []float64{.03, .05, .1} {
		pairs, paired, means := needed(TestPairs, slowdown), needed(TestPaired, slowdown), needed(TestWelch, slowdown)
		t.Logf("%v: %.1f pairs, by Student's alone %.1f, by Welch's %.1f", slowdown, pairs, paired, means)
		if means < 3*pairs || pairs > 1.25*paired {
			t.Errorf("%v: %.1f pairs, by Student's alone %.1f, by Welch's %.1f", slowdown, pairs, paired, means)
		}
	}
}

// With as many pairs as are said to be needed, an open difference is decided four times
// in five, and with a third of them it seldom is.
func TestNeedOfAccusing(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 60
	}
	for _, m := range []noisy.Machine{noisy.InTurns, noisy.Quiet} {
		rng := rand.New(rand.NewPCG(3, 1))
		open, decided, fewer := 0, 0, 0
		for range rounds {
			good, bad := drawPairs(m.Start(rng), 16, 1.018)
			rule := Rule{Alpha: powerAlpha, MinEffect: .01 * Summarize(good).Mean, Test: TestPairs}
			c := rule.Compare(good, bad)
			if c.Verdict != Unknown || c.Need == 0 || c.Need > 2000 {
				continue
			}
			open++
			// What was needed if the truth is what was seen.
			more, other := drawPairs(m.Start(rng), c.Need, c.Ratio.Mean)
			rule.MinEffect = .01 * Summarize(more).Mean
			if rule.Compare(more, other).Verdict != Unknown {
				decided++
			}
			if rule.Compare(more[:c.Need/3], other[:c.Need/3]).Verdict != Unknown {
				fewer++
			}
		}
		if open < rounds/2 || decided < open*65/100 || fewer > open*30/100 {
			t.Errorf("%+v: of %d open, %d are decided by as many as needed, %d by a third", m, open, decided, fewer)
		}
	}
}

package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestGroupedAgainstR(t *testing.T) {
	good := []float64{100, 101, 99, 100, 102, 100, 98, 100, 101}
	bad := []float64{103, 104, 103, 108, 109, 107, 100, 102, 104}
	group := []int{7, 7, 7, 1, 1, 1, 4, 4, 4}
	// R 4.2.2: l <- log(bad/good); t <- t.test(tapply(l, g, mean), conf.level=.9); exp(c(t$estimate, t$conf.int))
	// a <- anova(lm(l ~ factor(g))); sqrt(a[2,3]); sqrt((a[1,3]-a[2,3])/3)
	got, err := Grouped(good, bad, group, .9)
	want := Levels{Ratio: Interval{1.04297661549959, 1.00002384440552, 1.08777428314785}, Groups: 3, Within: 0.00567767743756689, Between: 0.0247294423501437}
	if err != nil || !sameInterval(got.Ratio, want.Ratio, 1e-12) || got.Groups != 3 || !near(got.Within, want.Within, 1e-11) || !near(got.Between, want.Between, 1e-11) {
		t.Errorf("Grouped = %+v, %v, want %+v", got, err, want)
	}
	// R 4.2.2: exp(mean(l) + c(0,-1,1)*qt(.95, 6)*sqrt(a[2,3]/9))
	if these := (Interval{1.04297661549959, 1.03914802608465, 1.04681931079408}); !sameInterval(got.These, these, 1e-12) {
		t.Errorf("These = %+v, want %+v", got.These, these)
	}
}

func TestGroupedEdges(t *testing.T) {
	one, err := Grouped(steadyGood, steadyBad, make([]int, 6), .99)
	paired, _ := PairedRatio(steadyGood, steadyBad, .99)
	if err != nil || !math.IsInf(one.Ratio.High, 1) || one.Ratio.Low != 0 || !sameInterval(one.These, paired, 1e-13) {
		t.Errorf("one group: %+v, %v, want nothing beyond it and %+v in it", one, err, paired)
	}
	for _, test := range []struct {
		bad   []float64
		group []int
		want  error
	}{
		{steadyBad, []int{1, 2}, ErrGroup},
		{steadyBad[1:], []int{1, 1, 1, 2, 2}, ErrUnpaired},
		{steadyBad, []int{1, 2, 3, 4, 5, 6}, ErrTooFew},
		{plus(steadyBad, -1000), make([]int, 6), ErrNoRatio},
	} {
		if _, err := Grouped(steadyGood, test.bad, test.group, .99); !errors.Is(err, test.want) {
			t.Errorf("groups %v: %v, want %v", test.group, err, test.want)
		}
	}
	// Groups whose means agree by chance don't make the interval narrower than pairs do.
	agree, err := Grouped(slices.Concat(steadyGood, steadyGood), slices.Concat(steadyBad, steadyBad), []int{1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2}, .99)
	if err != nil || agree.Ratio != agree.These || agree.Ratio.High-agree.Ratio.Low < .01 || agree.Between != 0 {
		t.Errorf("groups that agree: %+v, %v", agree, err)
	}
	flat, err := Grouped([]float64{1, 1, 1, 1}, []float64{2, 2, 2, 2}, []int{1, 1, 2, 2}, .99)
	if err != nil || !sameInterval(flat.Ratio, Interval{2, 2, 2}, 1e-14) || flat.Between != 0 {
		t.Errorf("no spread: %+v, %v", flat, err)
	}
}

// Layouts that change the ratio by 2 % each: the interval over layouts holds the
// truth as often as it says, that of the pairs alone, which takes each pair for
// a sample of its own, far less often. Without an effect of layout, it may hold it
// oftener.
func TestGroupedCoverage(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	const confidence, truth = .95, 1.03
	for _, between := range []float64{.02, 0} {
		rng := rand.New(rand.NewPCG(12, 13))
		held, heldPaired, spread := 0, 0, 0.
		for range rounds {
			var good, bad []float64
			var group []int
			for g := range 5 {
				layout := between * rng.NormFloat64()
				for range 8 {
					good, bad = append(good, 100), append(bad, 100*truth*math.Exp(layout+.01*rng.NormFloat64()))
					group = append(group, g)
				}
			}
			l, err := Grouped(good, bad, group, confidence)
			if err != nil {
				t.Fatal(err)
			}
			spread += l.Between * l.Between / float64(rounds)
			if l.Ratio.Low <= truth && truth <= l.Ratio.High {
				held++
			}
			if p, _ := PairedRatio(good, bad, confidence); p.Low <= truth && truth <= p.High {
				heldPaired++
			}
		}
		want := confidence * float64(rounds)
		tolerance := 4 * math.Sqrt(want*(1-confidence))
		if float64(held) < want-tolerance || between > 0 && float64(held) > want+tolerance {
			t.Errorf("layouts of %v: %d of %d intervals hold the truth, want %.0f +- %.0f", between, held, rounds, want, tolerance)
		}
		if between > 0 && float64(heldPaired) > want*.7 {
			t.Errorf("pairs alone hold it %d times: the simulation does not bite", heldPaired)
		}
		if between > 0 && math.Abs(math.Sqrt(spread)-between) > .1*between {
			t.Errorf("layouts are said to differ by %v, want %v", math.Sqrt(spread), between)
		}
	}
}

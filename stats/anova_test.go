package stats

import (
	"errors"
	"math"
	"testing"
)

func TestANOVAAgainstR(t *testing.T) {
	for _, test := range []struct {
		groups [][]float64
		want   Variance
	}{
		// R 4.2.2: a <- summary(aov(y ~ k, d))[[1]]; F, Pr(>F), and from the sums of squares
		// SSB/SST
		{[][]float64{steadyGood, steadyBad, wildGood, wildBad},
			Variance{974.552527817242, 2.56495822064997e-18, 3, 16, 0.994557189214802}},
		{[][]float64{wildGood, wildBad, {11, 12, 14, 13}},
			Variance{0.388617119197875, 0.688841339808896, 2, 9, 0.0794942843185148}},
	} {
		for _, e := range []int{0, 500, -500} {
			var groups [][]float64
			for _, g := range test.groups {
				groups = append(groups, scaled(g, e))
			}
			v, err := ANOVA(groups...)
			if err != nil || !near(v.F, test.want.F, 1e-12) || !near(v.P, test.want.P, 1e-10) || v.Between != test.want.Between ||
				v.Error != test.want.Error || !near(v.Eta, test.want.Eta, 1e-12) {
				t.Errorf("ANOVA of values times 2^%d = %+v, %v, want %+v", e, v, err, test.want)
			}
		}
	}
}

// The thesis (3.4.3) prints 5.25 for three series of 13 at 99 %, which is
// qf(.99, 2, 36): an F of that size must have a P of 1 %.
func TestANOVAOfTheThesis(t *testing.T) {
	const want = 5.24789397026791 // R 4.2.2: qf(.99, 2, 36)
	group := func(mean float64) (xs []float64) {
		for i := range 13 {
			xs = append(xs, mean+float64(i-6))
		}
		return xs
	}
	// Means of -d, 0, d: F is 13·2d²/2 over the mean square of 1..13, which is 91·2/12.
	d := math.Sqrt(want * (91. * 2 / 12) / 13)
	v, err := ANOVA(group(-d), group(0), group(d))
	if err != nil || !near(v.F, want, 1e-12) || !near(v.P, .01, 1e-10) || v.Between != 2 || v.Error != 36 {
		t.Errorf("%+v, %v", v, err)
	}
}

// Of two groups, ANOVA is Student's test: F is t².
func TestANOVAOfTwo(t *testing.T) {
	v, _ := ANOVA(steadyGood, steadyBad)
	g, b := Summarize(steadyGood), Summarize(steadyBad)
	student := (b.Mean - g.Mean) / math.Sqrt((g.SD*g.SD+b.SD*b.SD)/6)
	if !near(v.F, student*student, 1e-12) {
		t.Errorf("F = %v, t² = %v", v.F, student*student)
	}
}

func TestANOVAEdges(t *testing.T) {
	for _, groups := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {}}} {
		if _, err := ANOVA(groups...); !errors.Is(err, ErrGroups) {
			t.Errorf("%v: %v", groups, err)
		}
	}
	if _, err := ANOVA([]float64{1, math.NaN()}, []float64{1}); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
	if v, err := ANOVA([]float64{1, 1}, []float64{1, 1}); err != nil || v.P != 1 || v.F != 0 || v.Eta != 0 {
		t.Errorf("all equal: %+v, %v", v, err)
	}
	if v, err := ANOVA([]float64{.1, .1}, []float64{.3, .3}); err != nil || v.P != 0 || !math.IsInf(v.F, 1) || v.Eta != 1 {
		t.Errorf("constant groups: %+v, %v", v, err)
	}
	if v, err := ANOVA([]float64{1}, []float64{1, 2, 3}); err != nil || v.Error != 2 {
		t.Errorf("a group of one: %+v, %v", v, err)
	}
}

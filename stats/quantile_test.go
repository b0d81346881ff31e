package stats

import (
	"math"
	"testing"
)

// near reports agreement to a relative error.
func near(got, want, rel float64) bool {
	return got == want || math.Abs(got-want) <= rel*math.Abs(want)
}

func TestStudentUpper(t *testing.T) {
	// R 4.2.2: qt(c(.25,.005,5e-10,1e-15,1e-30), nu, lower.tail=F)
	// and the same digits from mpmath 1.3.0 by inverting
	// betainc(nu/2, 1/2, 0, nu/(nu+t*t), regularized=True)/2 at 50 digits.
	tails := []float64{.25, .005, 5e-10, 1e-15, 1e-30}
	for _, test := range []struct {
		nu   float64
		want []float64
		rel  float64
	}{
		{1, []float64{1, 63.65674116287158, 636619772.3675813, 318309886183790.7, 3.183098861837907e29}, 1e-14},
		{2.5, []float64{0.785013682992297, 7.16372813894881, 4604.53305197193, 876543.788226892, 876543788228.001}, 3e-14},
		{10, []float64{0.6998120613124316, 3.169272672616951, 21.62204415448507, 81.04089088003934, 2564.523931742615}, 1e-14},
		{22.5, []float64{0.6855500363976217, 2.812908628919716, 9.977289692194401, 19.15865407864433, 91.38268764180498}, 1e-14},
		{94, []float64{0.6771086858054354, 2.629147638261705, 6.790301278033432, 9.512426715029048, 16.99975186347648}, 1e-14},
		{1000, []float64{0.6747351646070094, 2.580754698065951, 6.168430247805824, 8.070281832298524, 11.85433310408448}, 1e-12},
		{1e6, []float64{0.6744899955310874, 2.575834220105334, 6.109468740974071, 7.941472518403508, 11.46440422661427}, 1e-9},
	} {
		for i, tail := range tails {
			if got := studentUpper(test.nu, tail); !near(got, test.want[i], test.rel) {
				t.Errorf("studentUpper(%v, %v) = %.16g, want %.16g", test.nu, tail, got, test.want[i])
			}
		}
	}
}

func TestStudentUpperEdges(t *testing.T) {
	for _, test := range []struct{ nu, tail, want float64 }{
		{5, 0.5, 0},
		{5, 0, math.Inf(1)},
		{math.Inf(1), 0.005, 2.5758293035489004},
		{0, 0.1, math.NaN()},
		{5, 0.6, math.NaN()},
		{5, math.NaN(), math.NaN()},
	} {
		got := studentUpper(test.nu, test.tail)
		if !near(got, test.want, 1e-14) && !(math.IsNaN(got) && math.IsNaN(test.want)) {
			t.Errorf("studentUpper(%v, %v) = %v, want %v", test.nu, test.tail, got, test.want)
		}
	}
	// Crossing over to the normal quantile must not be a step.
	below, above := studentUpper(normalFrom, 1e-9), studentUpper(normalFrom*1.001, 1e-9)
	if !near(below, above, 1e-7) {
		t.Errorf("quantile jumps from %v to %v at %v degrees of freedom", below, above, normalFrom)
	}
}

func TestNormalUpper(t *testing.T) {
	// R 4.2.2: qnorm(c(.005,5e-10,1e-30), lower.tail=F)
	for _, test := range []struct{ tail, want float64 }{
		{.005, 2.5758293035489}, {5e-10, 6.1094102048694}, {1e-30, 11.4640246884436},
	} {
		if got := normalUpper(test.tail); !near(got, test.want, 1e-13) {
			t.Errorf("normalUpper(%v) = %.15g, want %.15g", test.tail, got, test.want)
		}
	}
}

package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Of equal sides, what Resolvable gives is ruled out about as often as it says, and
// clearly less than that is not.
func TestResolvable(t *testing.T) {
	const sd, alpha, n, runs = 0.03, 0.001, 48, 400
	r := rand.New(rand.NewPCG(1, 0))
	ruledOut := func(effect float64) float64 {
		same := 0
		for range runs {
			good, bad := make([]float64, n), make([]float64, n)
			for i := range good {
				good[i] = 1000 * math.Exp(0.3*r.NormFloat64()) // the machine's speed, which both sides have
				bad[i] = good[i] * math.Exp(sd*r.NormFloat64())
			}
			if (Rule{Alpha: alpha, MinEffect: effect * Summarize(good).Mean, Test: TestPaired}).Compare(good, bad).Verdict == Same {
				same++
			}
		}
		return float64(same) / runs
	}
	effect := Resolvable(sd, n, alpha)
	if got := ruledOut(effect); got < 0.72 || got > 0.92 {
		t.Errorf("%.2f of equal sides are known to differ by less than %.4f, want about 0.8", got, effect)
	}
	if got := ruledOut(0.8 * effect); got > 0.5 {
		t.Errorf("%.2f of equal sides are known to differ by less than %.4f: the advice is too cautious", got, 0.8*effect)
	}
	if !math.IsInf(Resolvable(sd, 1, alpha), 1) {
		t.Error("one pair resolves something")
	}
}

package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Intervals must hold the truth as often as they say, also where the sides
// differ in spread and number. Tolerance: 4 sigma of the binomial.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 60000 comparisons")
	}
	const rounds = 20000
	for _, test := range []struct {
		name             string
		goodN, badN      int
		goodSD, badSD    float64
		confidence, diff float64
	}{
		{"equal", 6, 6, 1, 1, .95, 0},
		{"unequal spread", 12, 12, 1, 10, .99, 5},
		{"unequal number and spread", 24, 6, 3, 1, .9, -2},
	} {
		rng := rand.New(rand.NewPCG(7, 11))
		good, bad := make([]float64, test.goodN), make([]float64, test.badN)
		held, heldPaired := 0, 0
		for range rounds {
			for i := range good {
				good[i] = 100 + test.goodSD*rng.NormFloat64()
			}
			for i := range bad {
				bad[i] = 100 + test.diff + test.badSD*rng.NormFloat64()
			}
			if i, err := Welch(good, bad, test.confidence); err != nil {
				t.Fatal(err)
			} else if i.Low <= test.diff && test.diff <= i.High {
				held++
			}
			logNormal(rng, good, bad, math.Log(1.1))
			if i, err := PairedRatio(good[:min(len(good), len(bad))], bad, test.confidence); err != nil {
				t.Fatal(err)
			} else if i.Low <= 1.1 && 1.1 <= i.High {
				heldPaired++
			}
		}
		tolerance := 4 * math.Sqrt(rounds*test.confidence*(1-test.confidence))
		for _, k := range []int{held, heldPaired} {
			if math.Abs(float64(k)-rounds*test.confidence) > tolerance {
				t.Errorf("%s: %d of %d intervals hold the truth, want %v +- %.0f",
					test.name, k, rounds, rounds*test.confidence, tolerance)
			}
		}
	}
}

// logNormal fills the sides with pairs that share a drift of any size.
func logNormal(rng *rand.Rand, good, bad []float64, logRatio float64) {
	for i := range good {
		drift := 3 * rng.NormFloat64()
		good[i] = math.Exp(drift)
		if i < len(bad) {
			bad[i] = math.Exp(drift + logRatio + .05*rng.NormFloat64())
		}
	}
}

// Looking at the same growing samples four times must not cost more than the
// share that was divided among the looks.
func TestLooksKeepTheError(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates 2000 hunts of up to 48 pairs")
	}
	const rounds, alpha = 2000, .2
	rng := rand.New(rand.NewPCG(3, 5))
	wrong := 0
	for range rounds {
		looks := Looks(6, 48)
		ledger := Ledger{Alpha: alpha}
		rule := Rule{Alpha: ledger.Open(Search, len(looks), 1)}
		good, bad := make([]float64, 48), make([]float64, 48)
		for i := range good {
			good[i], bad[i] = 100+rng.NormFloat64(), 100+rng.NormFloat64()
		}
		for _, n := range looks {
			if rule.Compare(good[:n], bad[:n]).Verdict != Unknown {
				wrong++
				break
			}
		}
	}
	bound := alpha / 4 // the first comparison's half of the search's half
	if most := rounds*bound + 4*math.Sqrt(rounds*bound*(1-bound)); float64(wrong) > most {
		t.Errorf("%d of %d hunts without a difference found one, want at most %.0f", wrong, rounds, most)
	}
	if wrong == 0 {
		t.Error("no hunt was ever wrong: the simulation does not bite")
	}
}

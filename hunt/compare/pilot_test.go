package compare

import (
	"math/rand/v2"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// timed samples time.
func timed() *Sampler {
	q, _ := QuantityOf("time", harness.Bench)
	return &Sampler{Quantity: q}
}

// pairsOf are pairs whose logarithmic ratios scatter around the given one.
func pairsOf(n int, ratio, scatter float64, seed uint64) []harness.Pair {
	r := rand.New(rand.NewPCG(seed, 0))
	process := func(ns float64) harness.Process {
		return harness.Process{Batches: []harness.Batch{{N: 1, NS: ns}}}
	}
	var pairs []harness.Pair
	for range n {
		pairs = append(pairs, harness.Pair{Good: process(1000), Bad: process(1000 * ratio * (1 + scatter*r.NormFloat64()))})
	}
	return pairs
}

// What the pilot allows is ruled out, where the asked difference is not; but nothing
// is taken back that is decided, and no difference is ruled out that is there.
func TestSettleFor(t *testing.T) {
	const alpha = 0.001
	h := timed()
	h.Asked = Asked{MinEffect: 0.01, Test: stats.TestAuto}
	for _, test := range []struct {
		name    string
		ratio   float64
		effect  float64
		asked   stats.Verdict
		settled stats.Verdict
	}{
		{"equal, within what is allowed", 1, 0.03, stats.Unknown, stats.Same},
		{"equal, nothing allowed", 1, 0, stats.Unknown, stats.Unknown},
		{"a difference as large as what is allowed", 1.02, 0.02, stats.Unknown, stats.Unknown},
		{"slower", 1.3, 0.05, stats.Slower, stats.Slower},
	} {
		pairs := pairsOf(48, test.ratio, 0.025, 1)
		good, bad := h.Wholes(pairs)
		c := h.Accusing(alpha, good).Compare(good, bad)
		if c.Verdict != test.asked {
			t.Fatalf("%s: %v by the asked difference, want %v", test.name, c.Verdict, test.asked)
		}
		did := h.settleFor(&c, pilot{over: true, effect: test.effect}, pairs, alpha)
		if c.Verdict != test.settled || did != (test.asked != test.settled) {
			t.Errorf("%s: %v (%v), want %v", test.name, c.Verdict, did, test.settled)
		}
	}
	if sd := h.scatter(pairsOf(400, 1, 0.025, 2)); sd < 0.022 || sd > 0.028 {
		t.Errorf("pairs scatter by %v, made with 0.025", sd)
	}
}

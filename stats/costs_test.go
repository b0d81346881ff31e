package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats/noisy"
)

// way is a way to hold two sides against each other at 95 %, and how it would
// usually be measured: one side after the other, or in pairs.
type way struct {
	name   string
	paired bool
	differ func(good, bad []float64) bool
}

func rule(by Test) func(good, bad []float64) bool {
	return func(good, bad []float64) bool {
		v := Rule{Alpha: .05, Test: by}.Compare(good, bad).Verdict
		return v == Slower || v == Faster
	}
}

var ways = []way{
	{"Welch, one side after the other", false, rule(TestWelch)},
	{"Welch, interleaved", true, rule(TestWelch)},
	{"ratios of pairs", true, rule(TestPaired)},
	{"ranks of pairs", true, rule(TestRank)},
	{"means and ranks (auto)", true, rule(TestAuto)},
}

// TestWhatEachCosts prints, for each way, how often equals are called different
// and how often 10 % is seen, with 10 processes a side.
func TestWhatEachCosts(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 200
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-41s", "of equals / of 1.10x, % called different")
	for _, m := range machines {
		fmt.Fprintf(&table, "%10s", m.name)
	}
	for _, w := range ways {
		fmt.Fprintf(&table, "\n%-41s", w.name)
		for _, m := range machines {
			wrong, right := w.rate(m.Machine, rounds, 1), w.rate(m.Machine, rounds, 1.1)
			fmt.Fprintf(&table, "%4.0f /%4.0f", 100*wrong, 100*right)
			sigma := math.Sqrt(.05 * .95 / float64(rounds))
			switch {
			case w.paired && wrong > .05+4*sigma:
				t.Errorf("%s on a machine that is %s: %v of equals differ", w.name, m.name, wrong)
			case !w.paired && m.name == "drifting" && wrong < .05+4*sigma:
				t.Errorf("%s sees no difference in drift: %v", w.name, wrong)
			}
		}
	}
	t.Log("\n" + table.String())
}

// rate is how often a way calls sides different.
func (w way) rate(m noisy.Machine, rounds int, ratio float64) float64 {
	rng := rand.New(rand.NewPCG(10, 10))
	differ := 0
	for range rounds {
		good, bad := drawPairs(m.Start(rng), 10, ratio)
		if !w.paired {
			run := m.Start(rng)
			for i := range good {
				good[i] = run.Process()
			}
			for i := range bad {
				bad[i] = ratio * run.Process()
			}
		}
		if w.differ(good, bad) {
			differ++
		}
	}
	return float64(differ) / float64(rounds)
}

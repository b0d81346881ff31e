package compare

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// seen is a whole that was decided by pairs in the linker's own order.
func seen(verdict stats.Verdict, ratio float64) *Whole {
	s := timed()
	s.Asked = Asked{Alpha: 0.01, MinEffect: 0.01}
	s.Ledger = &stats.Ledger{Alpha: 0.01}
	s.Budget = &Budget{Limit: time.Hour, Start: time.Now()}
	s.Log = &Log{Follower: Follower{Progress: func(string, int, int) {}}}
	w := &Whole{Sampler: s, Comparison: stats.Comparison{Verdict: verdict, Ratio: stats.Interval{Mean: ratio}, Need: 7}}
	w.pairs = pairsOf(12, ratio, 0.002, 1)
	linked := func(context.Context, uint64) (harness.Binary, error) { return harness.Binary{}, nil }
	w.Good, w.Bad = NewEntrant(harness.Binary{}, linked), NewEntrant(harness.Binary{}, linked)
	return w
}

func drawn() *Orders { return &Orders{Rand: rand.New(rand.NewPCG(1, 1))} }

// What other orders show decides: a difference that one order makes is taken back, a
// real one stays, and none is made.
func TestHoldLayouts(t *testing.T) {
	for _, test := range []struct {
		name    string
		verdict stats.Verdict
		linker  float64           // the ratio as the linker has it
		others  func(int) float64 // the ratio in other orders
		want    stats.Verdict
		most    int // orders
	}{
		{"so large that no order makes it", stats.Slower, 2, nil, stats.Slower, 0},
		{"in all orders", stats.Slower, 1.1, func(int) float64 { return 1.1 }, stats.Slower, mostOrders},
		{"in the linker's own only", stats.Slower, 1.1, func(int) float64 { return 1 }, stats.Unknown, mostOrders},
		{"faster in some", stats.Slower, 1.1, func(i int) float64 { return []float64{1.2, 0.9}[i%2] }, stats.Unknown, mostOrders},
		{"faster in all", stats.Faster, 0.9, func(int) float64 { return 0.9 }, stats.Faster, mostOrders},
		{"the same is not asked", stats.Same, 1, nil, stats.Same, 0},
	} {
		w := seen(test.verdict, test.linker)
		seed := uint64(1)
		w.Sampler.Machine.Run = func(_ context.Context, c *harness.Campaign, n int, _ [][]int, _ func(int)) (rounds []harness.Round, err error) {
			for i := range n {
				layout := i%len(c.Layouts) + 1
				seed++
				p := pairsOf(1, test.others(layout), 0.002, seed)[0]
				rounds = append(rounds, harness.Round{Runs: []harness.Process{p.Good, p.Bad}, Order: []int{0, 1}, Layout: layout})
			}
			return rounds, nil
		}
		if err := w.holdLayouts(t.Context(), drawn()); err != nil {
			t.Fatal(err)
		}
		c := w.Comparison
		if c.Verdict != test.want || w.Orders > test.most || (len(c.Warnings) == 0) != (test.verdict == test.want) {
			t.Errorf("%s: %v in %d orders, %q", test.name, c.Verdict, w.Orders, c.Warnings)
		}
		if w.Orders > 0 && c.Ratio != w.Over.Ratio {
			t.Errorf("%s: the interval shown is not that over orders", test.name)
		}
	}
}

// Without the time to look at other layouts, a small difference is not decided; and no
// binary is linked for nothing.
func TestNoTimeForLayouts(t *testing.T) {
	w := seen(stats.Slower, 1.05)
	w.Sampler.Budget = &Budget{Limit: time.Minute, Start: time.Now().Add(-40 * time.Second), Pair: time.Minute}
	w.Good = NewEntrant(harness.Binary{}, func(context.Context, uint64) (harness.Binary, error) { return harness.Binary{}, errors.New("linked") })
	if err := w.holdLayouts(t.Context(), drawn()); err != nil {
		t.Fatal(err)
	}
	if w.Comparison.Verdict != stats.Unknown || len(w.Comparison.Warnings) != 1 || w.Sampler.Log.Continue() == "" {
		t.Errorf("%v %q", w.Comparison.Verdict, w.Comparison.Warnings)
	}
}

// What pairs scatter in a noisy minute is not taken for what orders make: a real
// difference is decided, with more pairs of each order, where two of each looked hopeless.
func TestNoisyPairsAreNoLayouts(t *testing.T) {
	decided, wrong, orders := 0, 0, 0
	const hunts = 50
	for hunt := range uint64(hunts) {
		for _, ratio := range []float64{1.15, 1} {
			w := seen(stats.Slower, ratio)
			w.pairs = pairsOf(12, max(1.1, ratio), 0.2, hunt)
			draw := rand.New(rand.NewPCG(hunt, 3))
			w.Sampler.Machine.Run = func(_ context.Context, c *harness.Campaign, n int, _ [][]int, _ func(int)) (rounds []harness.Round, err error) {
				lies := make([]float64, len(c.Layouts))
				for i := range lies {
					lies[i] = ratio * math.Exp(0.02*draw.NormFloat64())
				}
				for i := range n {
					p := pairsOf(1, lies[i%len(lies)], 0.2, draw.Uint64())[0]
					rounds = append(rounds, harness.Round{Runs: []harness.Process{p.Good, p.Bad}, Order: []int{0, 1}, Layout: i%len(lies) + 1})
				}
				return rounds, nil
			}
			if err := w.holdLayouts(t.Context(), drawn()); err != nil {
				t.Fatal(err)
			}
			switch {
			case w.Comparison.Verdict == stats.Slower && ratio > 1:
				decided++
				orders += w.Orders
			case w.Comparison.Verdict == stats.Slower:
				wrong++
			}
		}
	}
	t.Logf("%d of %d decided, in %.1f orders; %d wrong", decided, hunts, float64(orders)/float64(max(1, decided)), wrong)
	if decided < hunts/2 || wrong > 1 {
		t.Errorf("%d of %d decided, %d wrong", decided, hunts, wrong)
	}
}

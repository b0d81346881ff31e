package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// scattered runs rounds of three programs, of which each order of functions makes back
// another one: half of the difference is gone, in some orders more and in some less.
func scattered(_ context.Context, c *harness.Campaign, n int, _ [][]int, _ func(int)) (rounds []harness.Round, err error) {
	for i := range n {
		binaries, layout := c.Binaries, 0
		if len(c.Layouts) > 0 {
			layout = i%len(c.Layouts) + 1
			binaries = c.Layouts[layout-1]
		}
		r := harness.Round{Layout: layout, Order: []int{0, 1, 2}}
		for side, ns := range []float64{1000, 1050, 1100} {
			var order uint64
			fmt.Sscan(binaries[side].Path, &order)
			lies := rand.New(rand.NewPCG(order, uint64(side)))
			ns *= math.Exp(0.05*lies.NormFloat64() + 0.001*rand.New(rand.NewPCG(uint64(i), order)).NormFloat64())
			r.Runs = append(r.Runs, harness.Process{Batches: []harness.Batch{{N: 1, NS: ns, Bench: binaries[side].Path}}})
		}
		rounds = append(rounds, r)
	}
	return rounds, nil
}

func inOrder(_ context.Context, order uint64) (harness.Binary, error) {
	return harness.Binary{Path: fmt.Sprint(order)}, nil
}

// Rounds of one order of functions are one layout, however often the trial is gone on
// with: taken for two, what it makes would count as seen twice.
func TestRecoverCountsEachOrderOnce(t *testing.T) {
	w := seen(stats.Slower, 1.1)
	w.Sampler.Rand, w.Sampler.Machine.Run = rand.New(rand.NewPCG(1, 1)), scattered
	w.Layouts = usualLayouts
	w.Good, w.Bad = NewEntrant(harness.Binary{Path: "0"}, inOrder), NewEntrant(harness.Binary{Path: "0"}, inOrder)
	trial, orders := w.Trial("bad with good's f", NewEntrant(harness.Binary{Path: "0"}, inOrder), nil), drawn()
	for range 2 {
		if err := w.Recover(t.Context(), trial, orders, Accusation, 0.5); err != nil {
			t.Fatal(err)
		}
		layouts, linked := make(map[int]string), make(map[string]bool)
		for _, r := range trial.rounds {
			order := r.Runs[1].Batches[0].Bench
			linked[order] = true
			if before, known := layouts[r.Layout]; known && before != order {
				t.Fatalf("layout %d is that of orders %s and %s", r.Layout, before, order)
			}
			layouts[r.Layout] = order
		}
		if trial.Orders < 4 || len(layouts) != trial.Orders+1 || len(linked) != len(layouts) {
			t.Errorf("%d layouts of %d orders, which should be the linker's own and %d others", len(layouts), len(linked), trial.Orders)
		}
	}
}

// An interrupt while other orders are linked ends the trial.
func TestRecoverIsInterrupted(t *testing.T) {
	w := seen(stats.Slower, 1.1)
	w.Sampler.Rand, w.Sampler.Machine.Run = rand.New(rand.NewPCG(1, 1)), scattered
	w.Layouts = usualLayouts
	ctx, stop := context.WithCancel(t.Context())
	w.Bad = NewEntrant(harness.Binary{Path: "0"}, inOrder)
	w.Good = NewEntrant(harness.Binary{Path: "0"}, func(context.Context, uint64) (harness.Binary, error) {
		stop()
		return harness.Binary{}, ctx.Err()
	})
	trial := w.Trial("bad with good's f", NewEntrant(harness.Binary{Path: "0"}, inOrder), nil)
	if err := w.Recover(ctx, trial, drawn(), Accusation, 0.5); !errors.Is(err, context.Canceled) {
		t.Errorf("the trial ended with %v", err)
	}
}

// On top of a base a set has the rest of the difference: what the base takes away, here
// all of it, is not its own.
func TestRecoverOnTop(t *testing.T) {
	levels := map[string]float64{"good": 100, "back": 100, "base": 100, "bad": 400}
	entrant := func(name string) *Entrant {
		return NewEntrant(harness.Binary{Path: name}, func(context.Context, uint64) (harness.Binary, error) {
			return harness.Binary{Path: name}, nil
		})
	}
	for _, c := range []struct{ base, low, high float64 }{{100, -0.5, 0.5}, {400, 0.3, 1.7}, {250, 0.1, 0.9}} {
		levels["base"] = c.base
		w := seen(stats.Slower, 4)
		draw := rand.New(rand.NewPCG(1, 1))
		w.Sampler.Rand, w.Layouts = draw, usualLayouts
		w.Sampler.Machine.Run = func(_ context.Context, c *harness.Campaign, n int, _ [][]int, _ func(int)) (rounds []harness.Round, err error) {
			for range n {
				r := harness.Round{}
				for side, b := range c.Binaries {
					ns := levels[b.Path] * math.Exp(0.02*draw.NormFloat64())
					r.Runs, r.Order = append(r.Runs, harness.Process{Batches: []harness.Batch{{N: 1, NS: ns}}}), append(r.Order, side)
				}
				rounds = append(rounds, r)
			}
			return rounds, nil
		}
		w.Good, w.Bad = entrant("good"), entrant("bad")
		trial := w.Trial("on top", entrant("back"), entrant("base"))
		if err := w.Recover(t.Context(), trial, drawn(), Accusation, 0.1); err != nil {
			t.Fatal(err)
		}
		want := (c.base - 100) / 300
		if s := trial.Share; math.Abs(s.Mean-want) > 0.05 || s.Low < c.low || s.High > c.high || (want > 0.4) != (s.Low > 0.1) {
			t.Errorf("on top of a base of %v: %+v of the difference in %d rounds", c.base, s, len(trial.rounds))
		}
	}
}

// Where a share lies so near its limit that no affordable number of rounds tells them
// apart, a search is not held up: it took 40 rounds each to ask of 12 % [-13, 34] whether
// that is more than 7.
func TestLuck(t *testing.T) {
	for _, test := range []struct {
		name   string
		rounds int
		share  stats.Interval
		limit  float64
		want   bool
	}{
		{"near its limit", 10, stats.Interval{Mean: .12, Low: -.24, High: .45}, .07, true},
		{"above, and not yet surely", 10, stats.Interval{Mean: .45, Low: -.05, High: .9}, .07, false},
		{"so few rounds say little", 5, stats.Interval{Mean: .12, Low: -2, High: 2}, .07, false},
		{"of half of all", 10, stats.Interval{Mean: .45, Low: -.05, High: .9}, .5, false},
		{"nothing known", 10, unknownShare, .07, false},
		{"the last look is over", 40, stats.Interval{Mean: .12, Low: -.24, High: .45}, .07, false},
	} {
		trial := &Trial{Share: test.share, rounds: make([]harness.Round, test.rounds)}
		if got := trial.luck(test.limit, 40); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

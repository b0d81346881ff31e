package suite

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/fleet/schedule"
	"github.com/pinpoint-go/pinpoint/harness"
)

// planned is a suite whose samples are drawn: many benchmarks that are equal, some that are
// near the limit, and some that are slower, of different noise and length.
func planned(seed uint64) (r *run, all map[*bench]samples, ratios map[*bench]float64) {
	rng := rand.New(rand.NewPCG(seed, 11))
	r = &run{opts: Options{FailAbove: 0.05}}
	r.opts.Hunt.Alpha = 0.01
	all, ratios = make(map[*bench]samples), make(map[*bench]float64)
	for i := range 40 {
		ratio := []float64{1, 1, 1, 1, 1, 1.02, 1.05, 1.08, 1.15, 1.4}[i%10]
		b := &bench{p: 1, perPair: time.Duration(float64(time.Second) * math.Exp(0.7*rng.NormFloat64()))}
		all[b], ratios[b] = noisy(rng, looks[len(looks)-1], ratio, 0.03*math.Exp(0.7*rng.NormFloat64())), ratio
		r.benches = append(r.benches, b)
	}
	return r, all, ratios
}

// spent judges as many looks as a budget has time for, in the order that choose says, and
// counts the benchmarks that are decided rightly, and those wrongly.
func spent(r *run, all map[*bench]samples, ratios map[*bench]float64, budget time.Duration, choose func(r *run, left time.Duration) *bench) (right, wrong int) {
	for left := budget; ; {
		b := choose(r, left)
		if b == nil {
			break
		}
		n := b.nextLook()
		left -= b.cost(n)
		taken := b.samples.looks
		b.samples = all[b].first(n)
		b.samples.looks = taken
		r.judge(b)
		b.under = false
	}
	level := r.threshold()
	for _, b := range r.benches {
		slower := ratios[b] > 1+r.opts.FailAbove
		switch {
		case b.p <= level && slower, !(b.p <= level) && b.clear && !slower:
			right++
		case b.p <= level || b.clear:
			wrong++
		}
	}
	return right, wrong
}

// TestSlowFirstLook has benchmarks of which nothing is known but what calibrating says: one
// whose first look is too dear costs no more than that, and says so.
func TestSlowFirstLook(t *testing.T) {
	r := &run{opts: Options{FailAbove: 0.05}}
	r.opts.Hunt.Alpha = 0.01
	rng := rand.New(rand.NewPCG(1, 11))
	ops := make(map[*bench]time.Duration)
	for _, op := range []time.Duration{time.Millisecond, 2 * time.Second, 10 * time.Second} {
		b := &bench{p: 1, campaign: new(harness.Campaign)}
		ops[b], r.benches = op, append(r.benches, b)
	}
	left := time.Minute
	for b := byWorth(r, left); b != nil; b = byWorth(r, left) {
		b.under = false
		if b.perPair == 0 {
			e := harness.Estimate{Op: float64(ops[b])}
			b.planned(harness.Plan{GoodN: 1, BadN: 1, Batches: 1, Good: e, Bad: e}, 1)
			left -= 2 * ops[b]
		}
		if n := b.nextLook(); b.cost(n) <= left {
			left -= b.cost(n)
			taken := b.samples.looks
			b.samples = noisy(rng, n, 1.05, 0.03)
			b.samples.looks = taken
			r.judge(b)
		}
	}
	if left < 0 {
		t.Errorf("%v more than the budget", -left)
	}
	for i, b := range r.benches {
		if looked := len(b.samples.looks) > 0; looked != (i < 2) {
			t.Errorf("an operation takes %v, looked at: %v", ops[b], looked)
		}
	}
	if why := r.benches[2].outOfTime(); !strings.HasSuffix(why, "its first 6 pairs take about 2m0s") {
		t.Error(why)
	}
}

func byWorth(r *run, left time.Duration) *bench {
	drawn := make([]int, len(r.benches))
	for i := range drawn {
		drawn[i] = i
	}
	next, _ := r.next(drawn, left, 1)
	return next
}

// inTurn gives each a look before any gets the next, whatever it is worth.
func inTurn(r *run, left time.Duration) (next *bench) {
	todo := r.undecided()
	of := func(b *bench) schedule.Look { return schedule.Look{Taken: len(b.samples.looks)} }
	for _, b := range r.benches {
		if slices.Contains(todo, b) && b.cost(b.nextLook()) <= left && (next == nil || schedule.Before(of(b), of(next), 1) < 0) {
			next = b
		}
	}
	return next
}

// TestBudget holds what is decided within a budget, when the next look goes to what it is
// expected to tell most of, against looks in turn.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	seeds, budgets := 2, []time.Duration{8 * time.Minute, 10 * time.Hour}
	if os.Getenv("PINPOINT_THOROUGH") != "" {
		seeds, budgets = 8, append(budgets, 15*time.Minute, 30*time.Minute, time.Hour)
	}
	for _, budget := range budgets {
		sum := make(map[string][2]int)
		for name, choose := range map[string]func(*run, time.Duration) *bench{"in turn": inTurn, "by worth": byWorth} {
			for seed := range uint64(seeds) {
				r, all, ratios := planned(seed)
				right, wrong := spent(r, all, ratios, budget, choose)
				sum[name] = [2]int{sum[name][0] + right, sum[name][1] + wrong}
			}
		}
		before, after := sum["in turn"], sum["by worth"]
		t.Logf("%v: of %d benchmarks %d decided rightly and %d wrongly in turn, %d and %d by worth", budget, seeds*40, before[0], before[1], after[0], after[1])
		if after[0] < before[0] || after[1] > before[1]+1 {
			t.Errorf("%v: %v by worth, and %v in turn", budget, after, before)
		}
	}
}

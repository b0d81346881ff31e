package suite

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// noisy makes the samples of a look: bad is ratio times as slow as good, pairs vary
// by a share of noise around a drift that both see.
func noisy(r *rand.Rand, n int, ratio, noise float64) samples {
	var s samples
	drift := 1000.0
	for i := range n {
		s.layouts = append(s.layouts, 1+i/pairsOfOrder%mostOrders)
		drift *= math.Exp(0.05 * r.NormFloat64())
		g, b := drift*math.Exp(noise*r.NormFloat64()), ratio*drift*math.Exp(noise*r.NormFloat64())
		s.good, s.bad = append(s.good, g), append(s.bad, b)
		s.goodMean, s.badMean = append(s.goodMean, g*math.Exp(noise*r.ExpFloat64())), append(s.badMean, b*math.Exp(noise*r.ExpFloat64()))
	}
	return s
}

func TestRead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		n            int
		ratio        float64
		above, clear bool
	}{
		{6, 1, false, false}, // too few for a limit this near
		{48, 1, false, true},
		{48, 0.5, false, true},
		{6, 2, true, false},
		{48, 1.3, true, false},
		{24, 1.05, false, false}, // at the limit
	} {
		got := read(noisy(r, c.n, c.ratio, 0.03), 0.05, 0.001)
		if got.above != c.above || got.clear != c.clear {
			t.Errorf("%d pairs, ratio %v: above %v, clear %v (%+v)", c.n, c.ratio, got.above, got.clear, got.ratio)
		}
		if c.above && got.ratio.Low <= 1.05 || c.clear && got.ratio.High >= 1.05 {
			t.Errorf("%d pairs, ratio %v: the interval %+v does not say so", c.n, c.ratio, got.ratio)
		}
	}
}

// TestReadSeesCollections has a cost that few batches pay: the steady ones are
// equal, the mean of all is not.
func TestReadSeesCollections(t *testing.T) {
	s := noisy(rand.New(rand.NewPCG(2, 2)), 24, 1, 0.01)
	for i := range s.badMean {
		s.badMean[i] = 1.5 * s.goodMean[i] * (1 + 0.01*float64(i%3))
	}
	if got := read(s, 0.05, 0.001); !got.above {
		t.Errorf("not seen: %+v", got)
	}
}

func TestReadWithoutTime(t *testing.T) {
	zero := make([]float64, 12)
	if got := read(samples{good: zero, bad: zero, goodMean: zero, badMean: zero}, 0.05, 0.01); got.above || got.clear || known(got.ratio) {
		t.Errorf("no time at all is %+v", got)
	}
}

// TestPValue holds the p-value against the level at which the samples are just
// above the limit.
func TestPValue(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 50 {
		s := noisy(r, 12, 1.1+0.2*r.Float64(), 0.05)
		p := pvalue(s, 0.05)
		if p >= 1 {
			continue
		}
		level := p / float64(len(looks))
		if !read(s, 0.05, 1.01*level).above || level > 2*leastP && read(s, 0.05, 0.99*level).above {
			t.Errorf("p = %v is not where the verdict changes", p)
		}
	}
	if p := pvalue(noisy(r, 12, 1, 0.01), 0.05); p != 1 {
		t.Errorf("p = %v where nothing is above the limit", p)
	}
}

// TestDiscoveries has the example of Benjamini and Hochberg's paper (4.1): 15
// p-values, of which their procedure rejects 4 at 0.05 and Bonferroni's 3.
func TestDiscoveries(t *testing.T) {
	ps := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}
	rand.New(rand.NewPCG(4, 4)).Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
	if got := discoveries(ps, 0.05); got != 4 {
		t.Errorf("%d discoveries, want 4", got)
	}
	for _, c := range []struct {
		ps   []float64
		want int
	}{
		{nil, 0}, {[]float64{1, 1}, 0}, {[]float64{0.04, 0.05}, 2}, {[]float64{0.026, 0.06}, 0}, {[]float64{0.025, 0.06}, 1},
	} {
		if got := discoveries(c.ps, 0.05); got != c.want {
			t.Errorf("%v: %d discoveries, want %d", c.ps, got, c.want)
		}
	}
}

// job is a suite whose samples are drawn, with the rule of the real one: it goes
// on until all is decided, and counts the discoveries that are false.
func job(r *rand.Rand, ratios []float64, limit, q, noise float64) (found, false_, clear, pairs int) {
	type one struct {
		samples samples
		p       float64
		clear   bool
	}
	benches := make([]one, len(ratios))
	for i, ratio := range ratios {
		benches[i] = one{samples: noisy(r, looks[len(looks)-1], ratio, noise), p: 1}
	}
	level := func() float64 {
		var ps []float64
		for _, b := range benches {
			ps = append(ps, b.p)
		}
		if n := discoveries(ps, q); n > 0 {
			return threshold(n, len(ps), q)
		}
		return -1
	}
	for _, n := range looks {
		at := level()
		for i := range benches {
			b := &benches[i]
			if b.clear || b.p <= at {
				continue
			}
			seen := b.samples.first(n)
			b.p = min(b.p, pvalue(seen, limit))
			b.clear = read(seen, limit, q/float64(len(looks))).clear
			pairs += n / 2
		}
	}
	at := level()
	for i, b := range benches {
		switch {
		case b.p <= at:
			found++
			if ratios[i] <= 1+limit {
				false_++
			}
		case b.clear:
			clear++
		}
	}
	return found, false_, clear, pairs
}

// TestFalseDiscoveries simulates jobs at the worst there is: everything exactly at
// the limit. At most q of them may find anything, give or take what chance does to
// so many jobs.
func TestFalseDiscoveries(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	const jobs, q = 150, 0.1
	r := rand.New(rand.NewPCG(5, 5))
	red := 0
	for range jobs {
		if found, _, _, _ := job(r, slices.Repeat([]float64{1.05}, 5), 0.05, q, 0.05); found > 0 {
			red++
		}
	}
	if most := jobs*q + 3*math.Sqrt(jobs*q*(1-q)); float64(red) > most {
		t.Errorf("%d of %d jobs are red, want at most %.0f", red, jobs, most)
	}
	t.Logf("%d of %d jobs red", red, jobs)
}

// TestJobDecides simulates what a job is for: a few regressions among many that
// are equal.
func TestJobDecides(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	r := rand.New(rand.NewPCG(6, 6))
	ratios := append(slices.Repeat([]float64{1}, 18), 1.5, 1.2)
	found, false_, clear, pairs := job(r, ratios, 0.05, 0.01, 0.05)
	if found != 2 || false_ != 0 || clear < 17 {
		t.Errorf("found %d (%d falsely), cleared %d", found, false_, clear)
	}
	t.Logf("about %d pairs for %d benchmarks", pairs, len(ratios))
}

// TestLayouts simulates benchmarks whose code is the same, in link orders that move it by
// what was seen of real ones: hardly any is called slower or faster. With the pairs'
// scatter alone, as if all were of one order, most would be.
func TestLayouts(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	const benchmarks, limit, level = 300, 0.05, 0.01 / 6
	for _, sd := range []float64{0.02, 0.1, 0.2} {
		r := rand.New(rand.NewPCG(7, 7))
		wrong, red, blind := 0, 0, 0
		for range benchmarks {
			s := noisy(r, looks[len(looks)-1], 1, 0.02)
			effects := make(map[int]float64)
			for i, layout := range s.layouts {
				if _, ok := effects[layout]; !ok {
					effects[layout] = math.Exp(sd * r.NormFloat64())
				}
				s.bad[i] *= effects[layout]
				s.badMean[i] *= effects[layout]
			}
			said, above := false, false
			for _, n := range looks {
				got := read(s.first(n), limit, level)
				above = above || got.above
				said = said || known(got.ratio) && (got.ratio.Low > 1 || got.ratio.High < 1)
			}
			one := samples{good: s.good[:2], bad: s.bad[:2]}
			for range 5 { // more pairs of the first order
				one.good, one.bad = append(one.good, s.good[:2]...), append(one.bad, s.bad[:2]...)
			}
			one.goodMean, one.badMean = one.good, one.bad
			for i := range one.bad {
				one.bad[i] *= math.Exp(0.02 * r.NormFloat64())
			}
			c := stats.Rule{Alpha: 2 * level, Test: stats.TestPaired}.Compare(one.good, one.bad)
			if c.Ratio.Low > 1 || c.Ratio.High < 1 {
				blind++
			}
			if said {
				wrong++
			}
			if above {
				red++
			}
		}
		// Six looks, two sides, at a sixth of 1 % each.
		if most := benchmarks * 0.02 * 2.5; float64(wrong) > most || float64(red) > most/2 {
			t.Errorf("layouts that vary by %v: %d of %d called slower or faster, %d red", sd, wrong, benchmarks, red)
		}
		if sd >= 0.1 && blind < benchmarks/2 {
			t.Errorf("layouts that vary by %v: one order alone calls only %d of %d slower or faster", sd, blind, benchmarks)
		}
		t.Logf("layouts that vary by %v: %d of %d called slower or faster, %d red; by one order %d", sd, wrong, benchmarks, red, blind)
	}
}

// What one kind of machines shows alone is found, and is its own.
func TestReadOfMachines(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	of := func(first, second float64) samples {
		s, other := noisy(r, 48, first, 0.02), noisy(r, 24, second, 0.02)
		s.machines = slices.Concat(slices.Repeat([]string{"a"}, 48), slices.Repeat([]string{"b"}, 24))
		s.good, s.bad = append(s.good, other.good...), append(s.bad, other.bad...)
		s.goodMean, s.badMean = append(s.goodMean, other.goodMean...), append(s.badMean, other.badMean...)
		s.layouts = append(s.layouts, other.layouts...)
		return s
	}
	job := &run{opts: Options{FailAbove: 0.05}, kinds: []harness.Machines{{Class: "a", Facts: harness.Facts{CPU: "A"}}, {Class: "b", Facts: harness.Facts{CPU: "B"}}}}
	for _, c := range []struct {
		first, second float64
		above         bool
		said          string
	}{
		{1.5, 1.5, true, ""},
		{1, 1.5, true, "slower on B"},
		{1.5, 1, true, "slower on A"},
		{1, 1, false, ""},
	} {
		s := of(c.first, c.second)
		got := read(s, 0.05, 0.001)
		m := job.machinesOf(s, 0.001)
		if said := m.Slower(); got.above != c.above || !strings.HasPrefix(said, c.said) || c.said == "" && said != "" || len(m.Kinds) != 2 || m.Over == nil {
			t.Errorf("%v and %v: above %v (%+v), %q", c.first, c.second, got.above, got.ratio, said)
		}
	}
}

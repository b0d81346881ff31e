package harness

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drifting is a pair in turns on a machine whose speed changes by the half within
// tens of batches, and that disturbs every second batch; bad takes slower times as
// long.
func drifting(seed uint64, batches int, slower float64) Pair {
	r := rand.New(rand.NewPCG(seed, 1))
	var good, bad []float64
	level := 0.0
	batch := func() float64 {
		t := 1000 * math.Exp(level) * (1 + 0.002*r.NormFloat64())
		if r.IntN(2) == 0 {
			t *= 1 + r.ExpFloat64()
		}
		return t
	}
	for range batches {
		level = 0.97*level + 0.1*r.NormFloat64()
		good, bad = append(good, batch()), append(bad, slower*batch())
	}
	return Pair{Good: timed(good...), Bad: timed(bad...), InTurns: true}
}

// The ratio of a pair varies less than that of its samples, and is no other.
func TestRatioIsSteady(t *testing.T) {
	const pairs = 200
	var matched, samples []float64
	for i := range pairs {
		p := drifting(uint64(i), 150, 1.05)
		r, ok := p.Ratio(nil)
		if !ok {
			t.Fatal("no ratio")
		}
		matched = append(matched, math.Log(r/1.05))
		samples = append(samples, math.Log(p.Bad.Sample().Whole/p.Good.Sample().Whole/1.05))
	}
	m, s := rootMeanSquare(matched), rootMeanSquare(samples)
	if m > 0.012 || m > 0.4*s {
		t.Errorf("ratios are off by %.4f, those of samples by %.4f", m, s)
	}
	sum := 0.0
	for _, x := range matched {
		sum += x
	}
	if bias := sum / pairs; math.Abs(bias) > 4*m/math.Sqrt(pairs) {
		t.Errorf("ratios are off by %.5f on average", bias)
	}
}

func rootMeanSquare(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x * x
	}
	return math.Sqrt(sum / float64(len(xs)))
}

// Exchanging the sides turns the ratio over: the rule prefers neither.
func TestRatioIsFair(t *testing.T) {
	p := drifting(1, 100, 1.1)
	there, _ := p.Ratio(nil)
	p.Good, p.Bad = p.Bad, p.Good
	if back, _ := p.Ratio(nil); math.Abs(there*back-1) > 1e-12 {
		t.Errorf("%v there, %v back", there, back)
	}
}

func TestRatioOfWhat(t *testing.T) {
	p := drifting(1, 100, 1.1)
	for i := range p.Good.Batches {
		p.Good.Batches[i].Allocs, p.Bad.Batches[i].Allocs = 6, 8
	}
	if r, ok := p.Ratio(func(b Batch) float64 { return float64(b.Allocs) }); !ok || math.Abs(r-8.0/6) > 1e-12 {
		t.Errorf("ratio of allocations %v, %v", r, ok)
	}
	if r, ok := p.Ratio(func(Batch) float64 { return 0 }); ok {
		t.Errorf("ratio %v of nothing", r)
	}
	few := drifting(1, 13, 1.1)
	if _, ok := few.Ratio(nil); ok {
		t.Error("two blocks have a ratio")
	}
	p.InTurns = false
	if _, ok := p.Ratio(nil); ok {
		t.Error("processes that ran apart have a ratio of moments")
	}
}

package stats

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// The ends of Fieller's interval are the shares that a t-test of gone - share*whole only
// just doesn't reject: Student's interval of that ends at zero.
func TestShareIsFiellers(t *testing.T) {
	good := []float64{100, 99, 102, 101, 100, 98}
	bad := []float64{131, 127, 134, 129, 133, 128}
	back := []float64{111, 109, 115, 112, 110, 108}
	got, err := ShareOver(good, back, nil, bad, []int{1, 2, 3, 4, 5, 6}, .1, Prior{})
	if err != nil || !(got.Low < got.Mean && got.Mean < got.High) || got.Low < .5 || got.High > .8 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, end := range []struct{ share, sign float64 }{{got.Low, 1}, {got.High, -1}} {
		var d []float64
		for i := range bad {
			d = append(d, end.sign*((bad[i]-back[i])-end.share*(bad[i]-good[i]))/bad[i])
		}
		if i := Summarize(d).Interval(.9); math.Abs(i.Low) > 1e-14 || i.Mean <= 0 {
			t.Errorf("at %v the difference is %+v, want it to end at zero", end.share, i)
		}
	}
}

func TestShareEdges(t *testing.T) {
	one := []float64{1, 1, 1}
	for _, test := range []struct {
		good, back, bad []float64
		layout          []int
		want            error
	}{
		{one, one[1:], one, nil, ErrUnpaired},
		{one[1:], one, one, nil, ErrUnpaired},
		{one, []float64{1, 0, 1}, one, nil, ErrNoRatio},
		{one, []float64{1, math.Inf(1), 1}, one, nil, ErrNotFinite},
		{one, one, one, []int{1}, ErrGroup},
		{one[:1], one[:1], one[:1], nil, ErrTooFew},
		{nil, nil, nil, nil, ErrTooFew},
	} {
		if _, err := ShareOver(test.good, test.back, nil, test.bad, test.layout, .01, UsualLayouts); !errors.Is(err, test.want) {
			t.Errorf("%v: %v, want %v", test, err, test.want)
		}
	}
	// Nothing is known of a share of nothing.
	noise := []float64{1, 1.01, .99}
	if got, err := ShareOver(one, noise, nil, noise, []int{1, 2, 3}, .01, UsualLayouts); err != nil || !math.IsInf(got.Low, -1) || !math.IsInf(got.High, 1) {
		t.Errorf("no difference: %+v, %v", got, err)
	}
	// One layout that nothing is known of says nothing, however steady.
	if got, err := ShareOver(one, one, nil, []float64{2, 2, 2}, nil, .01, Prior{}); err != nil || got.Mean != 1 || !math.IsInf(got.High, 1) {
		t.Errorf("one layout: %+v, %v", got, err)
	}
	// Steady triples in layouts that agree say all.
	if got, err := ShareOver(one, []float64{1.5, 1.5, 1.5}, nil, []float64{2, 2, 2}, []int{1, 2, 3}, .01, Prior{}); err != nil || got != (Interval{.5, .5, .5}) {
		t.Errorf("steady: %+v, %v", got, err)
	}
}

// rotations are times of triples in layouts; back takes share of the difference away.
func rotations(rng *rand.Rand, layouts, triples int, ratio, share, sd, scatter float64) (good, back, bad []float64, layout []int) {
	times, layout := inTurns(rng, layouts, triples, []float64{1, ratio - share*(ratio-1), ratio}, sd, scatter)
	return times[0], times[1], times[2], layout
}

// inTurns are times of programs at some levels in layouts, in which each is moved by its
// own and speed drifts by anything.
func inTurns(rng *rand.Rand, layouts, rounds int, levels []float64, sd, scatter float64) (times [][]float64, layout []int) {
	times = make([][]float64, len(levels))
	for l := range layouts {
		lies := make([]float64, len(levels))
		for i, level := range levels {
			lies[i] = level * math.Exp(sd/math.Sqrt2*rng.NormFloat64())
		}
		for range rounds {
			speed := math.Exp(rng.NormFloat64())
			for i := range levels {
				times[i] = append(times[i], lies[i]*speed*math.Exp(scatter/math.Sqrt2*rng.NormFloat64()))
			}
			layout = append(layout, l)
		}
	}
	return times, layout
}

// What speed does to a triple as a whole changes nothing.
func TestDriftCancelsInShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	good, back, bad, layout := rotations(rng, 8, 2, 1.2, .5, .02, .01)
	was, _ := ShareOver(good, back, nil, bad, layout, .01, UsualLayouts)
	for i := range good {
		f := math.Exp2(float64(i%7) - 3)
		good[i], back[i], bad[i] = good[i]*f, back[i]*f, bad[i]*f
	}
	if is, _ := ShareOver(good, back, nil, bad, layout, .01, UsualLayouts); is != was {
		t.Errorf("%+v at other speeds, %+v before", is, was)
	}
}

// The interval leaves the true share out as often as alpha allows at most: that of the
// culprit, of one of two, and of an innocent whose code only lies elsewhere. Where the
// difference is far above what layouts make, it tells them apart.
func TestShareCoverage(t *testing.T) {
	rounds, alpha := 10000, .01
	if testing.Short() {
		rounds = 1000
	}
	for _, share := range []float64{0, .35, 1} {
		for _, sd := range layoutSDs {
			for _, k := range []int{2, 4, 8} {
				rng := rand.New(rand.NewPCG(uint64(k), math.Float64bits(sd+share)))
				wrong, bare, narrow := 0, 0, 0
				for range rounds {
					const ratio = 1.5
					good, back, bad, layout := rotations(rng, k, 3, ratio, share, sd, .01)
					got, err := ShareOver(good, back, nil, bad, layout, alpha, UsualLayouts)
					if err != nil {
						t.Fatal(err)
					}
					if got.Low > share || share > got.High {
						wrong++
					}
					if got.High-got.Low < .5 {
						narrow++
					}
					if one, _ := ShareOver(good, back, nil, bad, nil, alpha, Prior{SD: 0, Freedom: 1e12}); one.Low > share || share > one.High {
						bare++
					}
				}
				if oftener(wrong, rounds, alpha) {
					t.Errorf("share %v, %d layouts of sd %v: %d of %d intervals leave it out", share, k, sd, wrong, rounds)
				}
				if sd > 0 && !oftener(bare, rounds, 5*alpha) {
					t.Errorf("share %v, %d layouts of sd %v: %d of %d without layouts: the simulation does not bite", share, k, sd, bare, rounds)
				}
				if k == 8 && sd <= .02 && narrow < rounds*95/100 {
					t.Errorf("share %v, %d layouts of sd %v: %d of %d are narrow", share, k, sd, narrow, rounds)
				}
			}
		}
	}
}

// The same on top of a base: of a culprit that needs others to compile, of what was
// dragged along and does nothing, and of a part on top of another.
func TestShareOnTopCoverage(t *testing.T) {
	rounds, alpha := 3000, .01
	if testing.Short() {
		rounds = 1000
	}
	const ratio = 1.5
	for _, c := range []struct{ base, share float64 }{{0, 1}, {1, 0}, {.3, .7}, {.5, 0}} {
		for _, sd := range layoutSDs {
			for _, k := range []int{1, 2, 8} {
				rng := rand.New(rand.NewPCG(uint64(k), math.Float64bits(sd+c.base)))
				prior, wrong := UsualLayouts, 0
				if k == 1 && sd > 0 {
					// All that is known of one layout is the prior, which is held against its own truth.
					prior = Prior{SD: sd, Freedom: 1e6}
				}
				for range rounds {
					at := func(gone float64) float64 { return ratio - gone*(ratio-1) }
					times, layout := inTurns(rng, k, 4, []float64{1, at(c.base + c.share), at(c.base), ratio}, sd, .01)
					got, err := ShareOver(times[0], times[1], times[2], times[3], layout, alpha, prior)
					if err != nil {
						t.Fatal(err)
					}
					if got.Low > c.share || c.share > got.High {
						wrong++
					}
				}
				if oftener(wrong, rounds, alpha) {
					t.Errorf("share %v on top of %v, %d layouts of sd %v: %d of %d intervals leave it out", c.share, c.base, k, sd, wrong, rounds)
				}
			}
		}
	}
	one := []float64{1, 1, 1}
	if _, err := ShareOver(one, one, one[1:], one, nil, .01, UsualLayouts); !errors.Is(err, ErrUnpaired) {
		t.Errorf("a base of two: %v", err)
	}
}

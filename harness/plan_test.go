package harness

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/instrument"
)

func TestPlan(t *testing.T) {
	const us, ms, s = 1e3, 1e6, 1e9
	for _, test := range []struct {
		name        string
		good, bad   Estimate
		goodN, badN int64
		batches     int
		note        bool
	}{
		{"alike", Estimate{Op: 1 * us}, Estimate{Op: 2 * us}, 150, 150, 200, false},
		{"bad is faster", Estimate{Op: 4 * us}, Estimate{Op: 2 * us}, 75, 75, 200, false},
		{"rounded up", Estimate{Op: 0.2 * ms}, Estimate{Op: 0.2 * ms}, 2, 2, 200, false},
		{"longer than a batch", Estimate{Op: 7 * ms}, Estimate{Op: 7 * ms}, 1, 1, 21, false},
		{"a few", Estimate{Op: 12 * ms}, Estimate{Op: 1 * ms}, 1, 1, 20, false},
		{"fewer", Estimate{Op: 30 * ms}, Estimate{Op: 1 * ms}, 1, 1, 10, false},
		{"slow", Estimate{Op: 100 * ms}, Estimate{Op: 50 * ms}, 1, 1, 3, false},
		{"very slow", Estimate{Op: 0.9 * s}, Estimate{Op: 0.5 * s}, 1, 1, 3, false},
		{"slow operations of different cost", Estimate{Op: 3 * s}, Estimate{Op: 1 * ms}, 1, 1, 1, false},
		{"seconds", Estimate{Op: 0.9 * s}, Estimate{Op: 1 * s}, 1, 1, 1, false},
		{"ten seconds", Estimate{Op: 10 * s}, Estimate{Op: 10 * s}, 1, 1, 1, false},
		{"one nanosecond", Estimate{Op: 1}, Estimate{Op: 1}, 300_000, 300_000, 200, false},
		{"constant became linear", Estimate{Op: 50}, Estimate{Op: 10 * ms}, 6_000, 1, 20, true},
		{"a hang that is none", Estimate{Op: 50}, Estimate{Op: 20 * s}, 6_000, 1, 1, true},
		{"just long enough", Estimate{Op: 20}, Estimate{Op: 2 * us}, 500, 500, 150, false},
		{"just too short", Estimate{Op: 19.9}, Estimate{Op: 2 * us}, 15_076, 150, 200, true},
		{"nearly nothing", Estimate{Op: 0.0001}, Estimate{Op: 0.0001}, maxN, maxN, 200, false},
		{"less than nothing", Estimate{Op: 0.00001}, Estimate{Op: 0.00001}, maxN, maxN, 200, false},
		{"coarse clock", Estimate{Op: 1 * ms, Clock: 100 * us}, Estimate{Op: 1 * ms}, 100, 100, 3, false},
		{"uneven", Estimate{Op: 1 * us, Uneven: true}, Estimate{Op: 2 * us}, 10_000, 10_000, 15, true},
		{"shared", Estimate{Op: 1 * us}, Estimate{Op: 2 * us, Shared: true}, 10_000, 10_000, 15, false},
		{"set-up as usual", Estimate{Op: 2 * us, Set: 0.2 * ms}, Estimate{Op: 2 * us}, 150, 150, 200, false},
		{"little set-up", Estimate{Op: 2 * us, Set: 1 * ms}, Estimate{Op: 2 * us}, 500, 500, 150, false},
		{"some set-up", Estimate{Op: 2 * us, Set: 5 * ms}, Estimate{Op: 2 * us}, 1250, 1250, 40, false},
		{"more set-up", Estimate{Op: 2 * us, Set: 20 * ms}, Estimate{Op: 2 * us}, 5000, 5000, 20, false},
		{"much set-up", Estimate{Op: 2 * us, Set: 99 * ms}, Estimate{Op: 2 * us}, 24_750, 24_750, 6, false},
		{"long set-up", Estimate{Op: 2 * us, Set: 1 * s}, Estimate{Op: 2 * us}, 150_000, 150_000, 3, false},
		{"very long set-up", Estimate{Op: 2 * us, Set: 2 * s}, Estimate{Op: 2 * us}, 150_000, 150_000, 1, false},
	} {
		p, err := makePlan(Bench, test.good, test.bad)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if p.GoodN != test.goodN || p.BadN != test.badN || p.Batches != test.batches || (p.Note != "") != test.note {
			t.Errorf("%s: %d and %d iterations, %d batches, note %q; want %d and %d, %d, %v",
				test.name, p.GoodN, p.BadN, p.Batches, p.Note, test.goodN, test.badN, test.batches, test.note)
		}
	}
}

func TestPlanNote(t *testing.T) {
	p, _ := makePlan(Bench, Estimate{Op: 51.234}, Estimate{Op: 10.2e6})
	for _, want := range []string{"5856 iterations of good (52ns each)", "1 of bad (10.2ms each)"} {
		if !strings.Contains(p.Note, want) {
			t.Errorf("note %q lacks %q", p.Note, want)
		}
	}
}

// Allocations tell a short batch from a long one; a few stray ones don't.
func TestUneven(t *testing.T) {
	long := Batch{N: 1000, Allocs: 400_000, Bytes: 10_000_000}
	for _, test := range []struct {
		name  string
		short Batch
		want  bool
	}{
		{"alike", Batch{N: 10, Allocs: 4000, Bytes: 100_000}, false},
		{"a little more", Batch{N: 10, Allocs: 4200, Bytes: 105_000}, false},
		{"fewer allocations", Batch{N: 10, Allocs: 3700, Bytes: 100_000}, true},
		{"more allocations", Batch{N: 10, Allocs: 4300, Bytes: 100_000}, true},
		{"fewer bytes", Batch{N: 10, Allocs: 4000, Bytes: 80_000}, true},
		{"more bytes", Batch{N: 10, Allocs: 4000, Bytes: 120_000}, true},
	} {
		if got := uneven(long, test.short); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	if uneven(Batch{N: 1e6, Allocs: 30, Bytes: 2000}, Batch{N: 10}) || uneven(Batch{N: 1e6}, Batch{N: 10, Allocs: 20, Bytes: 4096}) {
		t.Error("what the runtime allocates counts")
	}
	calm := Batch{N: 10, NS: 200, Allocs: 4000, Bytes: 100_000}
	busy := Batch{N: 10, NS: 100, Allocs: 4300, Bytes: 100_000}
	if uneven(long, busy, calm, calm) || !uneven(long, busy, busy, calm) {
		t.Error("the fastest batch alone, or not most of them, has more allocations")
	}
	if cheap := (Batch{N: 10, NS: 100, Allocs: 3000, Bytes: 80_000}); !uneven(long, cheap, calm, calm) {
		t.Error("an input that is cheap doesn't count")
	}
	if setUp := int64(100_000); !uneven(Batch{N: 1e6, Bytes: setUp}, Batch{N: 60_000, Bytes: setUp}) {
		t.Error("a set-up within the timer doesn't count")
	}
}

func TestPlanOfOtherKinds(t *testing.T) {
	for _, kind := range []Kind{Test, Main} {
		p, err := makePlan(kind, Estimate{Op: 1e6}, Estimate{Op: 3e6})
		if err != nil || p.GoodN != 1 || p.BadN != 1 || p.Batches != 1 {
			t.Errorf("%v: %+v, %v", kind, p, err)
		}
	}
}

func TestPlanWithoutTime(t *testing.T) {
	for _, e := range []Estimate{{Op: 0, Longest: 5}, {Op: math.NaN()}} {
		if _, err := makePlan(Bench, Estimate{Op: 1}, e); err == nil || !strings.Contains(err.Error(), "timer stopped") {
			t.Errorf("%+v: error %v", e, err)
		}
	}
}

func TestEstimateTakesTheLongestBatch(t *testing.T) {
	p := Process{
		Seconds: 0.030, Clock: instrument.Clock{Resolution: 7},
		Batches: []Batch{{N: 1, NS: 100_000}, {N: 50, NS: 250_000}, {N: 10, NS: 50_000}},
	}
	e := estimate(p)
	if want := (Estimate{Op: 5000, Set: 3_200_000, Clock: 7, Longest: 50}); e != want {
		t.Errorf("got %+v, want %+v", e, want)
	}
	p.Seconds = 0.010
	if e := estimate(p); e.Set != 0 {
		t.Errorf("a quick start gave set-ups of %v ns", e.Set)
	}
}

// The fastest batch of a second look counts, so one disturbed batch doesn't
// make all the following ones short.
func TestEstimateIsRefined(t *testing.T) {
	e := Estimate{Op: 50, Set: 10, Longest: 1000}
	e = e.refine(Process{Seconds: 1e-3, Batches: []Batch{{N: 10, NS: 90}, {N: 10, NS: 80}, {N: 10, NS: 900}}})
	if want := (Estimate{Op: 8, Longest: 1000}); e != want {
		t.Errorf("got %+v, want %+v", e, want)
	}
	if e = e.refine(Process{Seconds: 1, Batches: []Batch{{N: 10, NS: 900}}}); e.Op != 8 || e.Set != 0 {
		t.Errorf("got %+v after a slower look", e)
	}
	// 250 ms for 5 ms of batches: a slow start, and what it doesn't explain.
	e = Estimate{Op: 1e5, Set: 1e9}.refine(Process{Seconds: 0.250, Batches: slices.Repeat([]Batch{{N: 10, NS: 1e5}}, 50)})
	if e.Op != 1e4 || math.Abs(e.Set-2.9e6) > 1 {
		t.Errorf("got %+v after a slow start", e)
	}
}

func TestSample(t *testing.T) {
	part := func(calls int64, ns float64) instrument.Part { return instrument.Part{Calls: calls, NS: ns} }
	batch := func(ns float64, parts ...instrument.Part) Batch { return Batch{N: 10, NS: ns, Parts: parts} }
	for _, test := range []struct {
		name    string
		batches []Batch
		whole   float64
		used    int
	}{
		{"none", nil, 0, 0},
		{"one", []Batch{batch(100)}, 10, 1},
		{"two keep the first", []Batch{batch(100), batch(200)}, 10, 1},
		{"three drop the first", []Batch{batch(10), batch(300), batch(200)}, 20, 1},
		{"rounded up", append([]Batch{batch(10)}, slices.Repeat([]Batch{batch(500), batch(300), batch(200)}, 3)...), 20, 2},
		{"a tenth is warm-up", append(slices.Repeat([]Batch{batch(10)}, 2), slices.Repeat([]Batch{batch(300)}, 9)...), 30, 2},
		{"an eighth", slices.Concat(slices.Repeat([]Batch{batch(10)}, 12), slices.Repeat([]Batch{batch(500)}, 93), slices.Repeat([]Batch{batch(200)}, 7), slices.Repeat([]Batch{batch(300)}, 8)), 25, 14},
		{"by time per iteration", []Batch{{N: 9, NS: 1}, {N: 10, NS: 300}, {N: 100, NS: 1000}}, 10, 1},
	} {
		s := Process{Batches: test.batches}.Sample()
		if s.Whole != test.whole || s.Batches != test.used {
			t.Errorf("%s: %+v, want %v of %d", test.name, s, test.whole, test.used)
		}
	}

	p := Process{
		Clock: instrument.Clock{PairCost: 2},
		Batches: append([]Batch{
			batch(1), batch(900, part(1, 1), part(1, 1)),
			batch(100, part(10, 60), part(5, 4)),
			batch(200, part(20, 120), part(5, 26)),
		}, slices.Repeat([]Batch{batch(400, part(1, 1), part(1, 1))}, 6)...),
	}
	// Of ten batches one is warm-up; two of nine are the fastest eighth: 20 iterations.
	s := p.Sample()
	want := Sample{Whole: 15, Batches: 2, Parts: []PerOp{{1.5, 9}, {0.5, 1.5}}}
	if s.Whole != want.Whole || s.Batches != want.Batches || !slices.Equal(s.Parts, want.Parts) {
		t.Errorf("got %+v, want %+v", s, want)
	}
	if got := p.Mean().Whole; got != 40 {
		t.Errorf("mean %v, want 40", got)
	}
	if p.Batches[0].NS != 1 || p.Batches[1].NS != 900 {
		t.Error("the batches were sorted in place")
	}
}

// Batches of several masks are told apart, and as many of either side are matched.
func TestUnder(t *testing.T) {
	process := func(masks ...int) (p Process) {
		for i, m := range masks {
			p.Batches = append(p.Batches, Batch{N: 1, NS: float64(i + 1), Mask: m})
		}
		return p
	}
	pair := Pair{Good: process(0, 1, 0, 1, 0), Bad: process(1, 0, 1, 0)}
	for mask, want := range [][2][]float64{{{1, 3}, {2, 4}}, {{2, 4}, {1, 3}}} {
		under := pair.Under(mask)
		for side, p := range []Process{under.Good, under.Bad} {
			var got []float64
			for _, b := range p.Batches {
				got = append(got, b.NS)
			}
			if !slices.Equal(got, want[side]) {
				t.Errorf("mask %d, side %d: batches %v, want %v", mask, side, got, want[side])
			}
		}
	}
	if len(pair.Good.Batches) != 5 || pair.Good.Batches[1].Mask != 1 {
		t.Error("the batches were changed in place")
	}
}

// Each side begins as many rounds as any other, in each call and over all, and which
// ones differs from seed to seed.
func TestOrderIsBalancedAndShuffled(t *testing.T) {
	for sides := 2; sides <= 4; sides++ {
		seen := map[string]bool{}
		firsts := make([]int, sides)
		for seed := range uint64(200) {
			c := campaignOf(sides, seed)
			all := ""
			for _, n := range []int{5, 1, 4, 3, 0, 2} {
				here := make([]int, sides)
				for i, first := range c.beginners(n) {
					c.count(first)
					here[first]++
					all += strconv.Itoa(first)
					if i == 0 && n == 5 {
						firsts[first]++
					}
				}
				if spread(here) > 1 || n > 0 && spread(c.firsts) > 1 {
					t.Fatalf("%d sides, seed %d: began %v in this call, %v in all after %s", sides, seed, here, c.firsts, all)
				}
			}
			if len(all) != 15 {
				t.Fatalf("seed %d: %d rounds, want 15", seed, len(all))
			}
			seen[all] = true
		}
		if len(seen) < 150 {
			t.Errorf("200 seeds gave %d orders", len(seen))
		}
		if slices.Min(firsts) < 120/sides || slices.Max(firsts) > 280/sides {
			t.Errorf("the sides began %v of 200", firsts)
		}
		if a, b := campaignOf(sides, 1), campaignOf(sides, 1); !slices.Equal(a.beginners(9), b.beginners(9)) {
			t.Error("the same seed gave two orders")
		}
	}
}

func campaignOf(sides int, seed uint64) Campaign {
	return Campaign{Binaries: make([]Binary, sides), Rand: rand.New(rand.NewPCG(seed, 1))}
}

func spread(counts []int) int { return slices.Max(counts) - slices.Min(counts) }

// Each side takes each place equally often, and of three each follows each other so.
func TestPlacesAreBalanced(t *testing.T) {
	for sides := 2; sides <= 4; sides++ {
		c := campaignOf(sides, 7)
		places := make([]int, sides*sides)
		follows := make([]int, sides*sides)
		for _, first := range c.beginners(4 * sides) {
			order := c.circle(first)
			c.count(first)
			for place, side := range order {
				places[place*sides+side]++
				follows[side*sides+order[(place+1)%sides]]++
			}
		}
		if spread(places) != 0 {
			t.Errorf("%d sides: places %v", sides, places)
		}
		for side := range sides {
			if ahead, behind := follows[side*sides+(side+1)%sides], follows[side*sides+(side+sides-1)%sides]; ahead != behind {
				t.Errorf("%d sides: side %d comes before the next %d times, before the last %d times", sides, side, ahead, behind)
			}
		}
	}
}

// A pair of a round is what its two sides did.
func TestPairOfRound(t *testing.T) {
	r := Round{Runs: []Process{timed(1), timed(2), timed(3)}, Order: []int{2, 0, 1}, InTurns: true, Layout: 4}
	for _, test := range []struct {
		good, bad int
		first     bool
	}{{0, 1, true}, {1, 0, false}, {0, 2, false}, {2, 1, true}} {
		p := r.Pair(test.good, test.bad)
		if p.Good.Batches[0].NS != float64(1+test.good) || p.Bad.Batches[0].NS != float64(1+test.bad) {
			t.Errorf("sides %d and %d: %v and %v", test.good, test.bad, p.Good, p.Bad)
		}
		if p.GoodFirst != test.first || !p.InTurns || p.Layout != 4 {
			t.Errorf("sides %d and %d: %+v", test.good, test.bad, p)
		}
	}
}

func TestBothMissing(t *testing.T) {
	good, bad := &MissingError{Labels: []string{"good"}}, &MissingError{Labels: []string{"bad"}}
	failed := errors.New("failed")
	var m *MissingError
	if err := bothMissing(good, bad); !errors.As(err, &m) || !slices.Equal(m.Labels, []string{"good", "bad"}) {
		t.Errorf("both: %v", err)
	}
	for _, test := range [][3]error{{good, nil, good}, {nil, bad, bad}, {good, failed, failed}, {nil, nil, nil}} {
		if err := bothMissing(test[0], test[1]); err != test[2] {
			t.Errorf("%v and %v: %v", test[0], test[1], err)
		}
	}
}

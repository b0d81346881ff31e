package noisy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// moments are the mean and the standard deviation of logarithms.
func moments(xs []float64) (mean, sd float64) {
	for _, x := range xs {
		mean += math.Log(x) / float64(len(xs))
	}
	for _, x := range xs {
		sd += (math.Log(x) - mean) * (math.Log(x) - mean) / float64(len(xs)-1)
	}
	return mean, math.Sqrt(sd)
}

func about(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.Abs(got-want) > tolerance {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A machine without disturbances gives the sides as they are.
func TestRoundOfSides(t *testing.T) {
	for _, turns := range []float64{0, 1e-9} {
		run := Machine{Turns: turns}.Start(rand.New(rand.NewPCG(1, 2)))
		times := run.Round(3, Side{}, Side{Op: 5}, Side{Op: 5, Layout: 1.2})
		for i, want := range []float64{1, 5, 6} {
			if len(times[i]) != 3 {
				t.Fatalf("%d batches", len(times[i]))
			}
			for _, got := range times[i] {
				about(t, "a batch", got, want, 1e-6)
			}
		}
	}
}

// What varies within processes does so as much as is said.
func TestBatchesVary(t *testing.T) {
	const n = 200000
	one := func(b Batches, s Side) []float64 {
		run := Machine{Batches: b}.Start(rand.New(rand.NewPCG(3, 4)))
		return run.Round(n, s)[0]
	}
	_, sd := moments(one(Batches{Jitter: .03}, Side{Unlike: .04}))
	about(t, "jitter and unlike batches", sd, .05, .001)
	count := func(times []float64, above float64) (share, length float64) {
		begun, in, before := 0., 0., false
		for _, x := range times {
			if x > above {
				in++
				if !before {
					begun++
				}
			}
			before = x > above
		}
		return in / n, in / begun
	}
	share, _ := count(one(Batches{}, Side{Rare: .05, RareBy: 2}), 1.5)
	about(t, "rare batches", share, .05, .003)
	share, length := count(one(Batches{Burst: .01, Lasting: 5, BurstBy: 2}, Side{}), 1.5)
	about(t, "batches of a burst", length, 5, .3)
	about(t, "bursts", share, .05, .005)
	share, length = count(one(Batches{Phase: .01, PhaseBy: 1.1}, Side{}), 1.05)
	about(t, "a phase", length, 100, 8)
	about(t, "phases", share, .5, .03)
}

// Processes that take turns meet the same bursts and the same speed; those that run one
// after the other don't.
func TestTurnsShare(t *testing.T) {
	for _, turns := range []float64{0, 1e-9} {
		m := Machine{Scatter: .3, Turns: turns, Batches: Batches{Burst: .02, Lasting: 10, BurstBy: 8}}
		run := m.Start(rand.New(rand.NewPCG(5, 6)))
		var ratios []float64
		both := 0
		for range 400 {
			times := run.Round(50, Side{}, Side{})
			low := []float64{slices.Min(times[0]), slices.Min(times[1])}
			ratios = append(ratios, low[0]/low[1])
			for i := range times[0] {
				if times[0][i] > 4*low[0] && times[1][i] > 4*low[1] {
					both++
				}
			}
		}
		_, sd := moments(ratios)
		if alike := sd < .01; alike != (turns > 0) {
			t.Errorf("turns %v: ratios vary by %v", turns, sd)
		}
		if often := both > 2000; often != (turns > 0) {
			t.Errorf("turns %v: %d batches of a burst for both", turns, both)
		}
	}
}

func TestFewProcessesAndSessions(t *testing.T) {
	run := Machine{Session: .02}.Start(rand.New(rand.NewPCG(7, 8)))
	slow := 0
	var sessions []float64
	for range 4000 {
		run.Session(2)
		first, again := run.Round(1, Side{}, Side{Few: .15, FewBy: 2}), run.Round(1, Side{}, Side{})
		if first[0][0] != again[0][0] {
			t.Fatal("a binary changes its speed within a campaign")
		}
		sessions = append(sessions, first[0][0])
		if first[1][0] > 1.4 {
			slow++
		}
	}
	_, sd := moments(sessions)
	about(t, "sessions", sd, .02, .002)
	about(t, "few processes", float64(slow)/4000, .15, .025)
}

// Functions of one binary in one order have part of what the order does in common.
func TestLayoutsAreCorrelated(t *testing.T) {
	l := Layouts{SD: .05, Shared: .6, Rand: rand.New(rand.NewPCG(9, 10))}
	var one, two, product []float64
	const n = 20000
	for range n {
		f := l.Link(2)
		one, two = append(one, f[0]), append(two, f[1])
		product = append(product, math.Exp(math.Log(f[0])*math.Log(f[1])))
	}
	_, sd := moments(one)
	_, sd2 := moments(two)
	covariance, _ := moments(product)
	about(t, "a function", sd, .05, .002)
	about(t, "another", sd2, .05, .002)
	about(t, "their correlation", covariance/sd/sd2, .6, .03)
}

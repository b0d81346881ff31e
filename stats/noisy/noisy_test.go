package noisy

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Machines disturb as much as they say: the share of slow processes, how long
// they stay so, and no side more than the other.
func TestSlowStates(t *testing.T) {
	for _, m := range []Machine{{Slow: .2, SlowBy: 2}, {Slow: .3, SlowBy: 3, Stay: 5}} {
		run := m.Start(rand.New(rand.NewPCG(1, 2)))
		const n = 200000
		slow, begun := 0, 0
		before := 1.0
		for range n {
			f := run.Process()
			if f == m.SlowBy {
				slow++
				if before != m.SlowBy {
					begun++
				}
			} else if f != 1 {
				t.Fatalf("factor %v of a machine without scatter", f)
			}
			before = f
		}
		if share := float64(slow) / n; math.Abs(share-m.Slow) > .01 {
			t.Errorf("%+v: %v of processes slow", m, share)
		}
		if length := float64(slow) / float64(begun); m.Stay > 1 && math.Abs(length-m.Stay) > .1*m.Stay {
			t.Errorf("%+v: slow for %v processes", m, length)
		}
	}
}

func TestPairsKnowNoSides(t *testing.T) {
	run := Shared.Start(rand.New(rand.NewPCG(3, 4)))
	const n = 100000
	more := 0
	for range n {
		if good, bad := run.Pair(); bad > good {
			more++
		}
	}
	if math.Abs(float64(more)-n/2) > 4*math.Sqrt(n/4) {
		t.Errorf("bad took longer in %d of %d pairs of equals", more, n)
	}
}

func TestDriftIsAsSeen(t *testing.T) {
	run := Machine{Drift: Drifting.Drift}.Start(rand.New(rand.NewPCG(5, 6)))
	low, high := math.Inf(1), 0.0
	for range 400 {
		f := run.Process()
		low, high = min(low, f), max(high, f)
	}
	if high/low < 1.3 || high/low > 6 {
		t.Errorf("speed changes by %v within 400 processes", high/low)
	}
	if f := (Machine{}).Start(rand.New(rand.NewPCG(1, 1))).Process(); f != 1 {
		t.Errorf("an undisturbed process takes %v times its time", f)
	}
}

// In turns, what lasts longer than a turn is the same for both.
func TestTurns(t *testing.T) {
	run := InTurns.Start(rand.New(rand.NewPCG(7, 8)))
	const n = 20000
	var sum, squares float64
	for range n {
		good, bad := run.Pair()
		x := math.Log(bad / good)
		sum, squares = sum+x, squares+x*x
	}
	sd := math.Sqrt(squares / n)
	if want := math.Sqrt2 * InTurns.Turns; math.Abs(sd/want-1) > 0.03 || math.Abs(sum/n) > 4*sd/math.Sqrt(n) {
		t.Errorf("the log ratio of pairs has mean %v and standard deviation %v, want 0 and %v", sum/n, sd, want)
	}
}

// Package noisy makes up the times of processes on a machine that others use
// too, for trying out what decides on such times.
//
// What it makes up was seen on a shared virtual machine with two cores: speed
// that drifts by 1.6x within minutes, processes that are slow from start to end,
// several of them in a row, and now and then one that takes far longer. All of
// that is one factor on all the times of a process, whichever revision runs in
// it: the machine knows no good and bad.
package noisy

import (
	"math"
	"math/rand/v2"
)

// Machine is how a machine disturbs processes. The zero value does not.
type Machine struct {
	Scatter float64 // standard deviation of a process's log time
	Drift   float64 // standard deviation of the change of log speed from a process to the next
	Wild    float64 // share of processes with a heavy tail: log time longer by an exponential with mean WildBy
	WildBy  float64
	Slow    float64 // share of processes in a slow state
	SlowBy  float64 // how much longer these take: 2 for twice
	Stay    float64 // how many processes a slow state lasts on average; below 1 means 1
	Turns   float64 // standard deviation of the log time of a pair's process from what both met, where they take turns; 0: they run back to back
	Session float64 // standard deviation of a binary's log time from one campaign to the next, see [Run.Session]
	Batches Batches // what happens within processes, see [Run.Round]
}

// Machines of which each has one disturbance in particular.
var (
	Quiet    = Machine{Scatter: 0.01}
	Drifting = Machine{Scatter: 0.03, Drift: 0.03}
	Wild     = Machine{Scatter: 0.03, Wild: 0.1, WildBy: 0.3}
	Slow     = Machine{Scatter: 0.03, Slow: 0.2, SlowBy: 2}                                                   // each process for itself
	Lagging  = Machine{Scatter: 0.03, Slow: 0.3, SlowBy: 2, Stay: 5}                                          // states outlast pairs
	Shared   = Machine{Scatter: 0.04, Drift: 0.02, Wild: 0.05, WildBy: 0.3, Slow: 0.15, SlowBy: 1.5, Stay: 4} // all at once
)

// InTurns is Shared for pairs whose processes take turns of less than a millisecond.
// The log ratios of such pairs, of one binary against itself, varied by 0.005 to 0.018.
var InTurns = Machine{Scatter: 0.04, Drift: 0.02, Wild: 0.05, WildBy: 0.3, Slow: 0.15, SlowBy: 1.5, Stay: 4, Turns: 0.008}

// Run is a machine at work. It does not repeat.
type Run struct {
	Machine
	Rand *rand.Rand

	speed    float64 // log
	slow     bool
	burst    bool      // of faults
	sessions []float64 // log, by side
}

// Start returns a machine at work, in a state that is typical of it.
func (m Machine) Start(rng *rand.Rand) *Run {
	r := &Run{Machine: m, Rand: rng, slow: rng.Float64() < m.Slow}
	if m.Drift > 0 {
		r.speed = m.Drift / math.Sqrt(1-hold*hold) * rng.NormFloat64()
	}
	return r
}

// hold is what is left of a drift after one process; drifts of some hundred
// processes are followed and then forgotten, so that speed stays in bounds.
const hold = 0.995

// Process returns how many times its undisturbed time the next process takes.
func (r *Run) Process() float64 {
	log := r.Scatter * r.Rand.NormFloat64()
	if r.Drift > 0 {
		r.speed = hold*r.speed + r.Drift*r.Rand.NormFloat64()
		log += r.speed
	}
	if r.Wild > 0 && r.Rand.Float64() < r.Wild {
		log += r.WildBy * r.Rand.ExpFloat64()
	}
	f := math.Exp(log)
	if r.Slow > 0 {
		if r.slow {
			f *= r.SlowBy
		}
		r.next()
	}
	return f
}

// next enters or leaves the slow state, so that Slow of all processes are in it.
func (r *Run) next() {
	leave := 1 / max(1, r.Stay)
	enter := leave * r.Slow / (1 - r.Slow)
	if r.Stay <= 1 {
		r.slow = r.Rand.Float64() < r.Slow
	} else if r.slow {
		r.slow = r.Rand.Float64() >= leave
	} else {
		r.slow = r.Rand.Float64() < enter
	}
}

// Pair returns the factors of two processes that run back to back, in an order
// that a coin decides, or in turns.
func (r *Run) Pair() (good, bad float64) {
	if r.Turns > 0 {
		both := r.Process()
		return both * math.Exp(r.Turns*r.Rand.NormFloat64()), both * math.Exp(r.Turns*r.Rand.NormFloat64())
	}
	first, second := r.Process(), r.Process()
	if r.Rand.Uint64()&1 == 0 {
		return second, first
	}
	return first, second
}

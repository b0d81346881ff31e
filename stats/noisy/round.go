package noisy

import (
	"math"
	"math/rand/v2"
)

// Batches is how batches vary within processes of a machine. The zero value: they don't.
type Batches struct {
	Jitter  float64 // standard deviation of a batch's log time
	Burst   float64 // chance that a burst of faults begins with a batch: neighbours, a collector, interrupts
	Lasting float64 // how many batches of all processes that take turns a burst lasts on average; below 1 means 1
	BurstBy float64 // how much longer these take: 2 for twice
	Phase   float64 // chance that a process goes into another phase, or back, before a batch
	PhaseBy float64 // how much longer batches of that phase take
}

// InBatches is InTurns with what happens within processes.
var InBatches = Machine{
	Scatter: 0.04, Drift: 0.02, Wild: 0.05, WildBy: 0.3, Slow: 0.15, SlowBy: 1.5, Stay: 4, Turns: 0.004,
	Batches: Batches{Jitter: 0.02, Burst: 0.02, Lasting: 6, BurstBy: 2, Phase: 0.003, PhaseBy: 1.1},
	Session: 0.01,
}

// Side is a binary whose processes take part in rounds.
type Side struct {
	Op     float64 // what a typical batch takes, undisturbed, in any unit; 0 means 1
	Layout float64 // how many times that in its link order, see [Layouts]; 0 means 1
	Unlike float64 // standard deviation of the log cost of its batches, whose inputs differ
	Rare   float64 // share of batches that take RareBy times as long, such as those that collect
	RareBy float64
	Few    float64 // share of processes that take FewBy times as long
	FewBy  float64
}

// Session begins a campaign of so many sides: each has another speed than in the last.
func (r *Run) Session(sides int) {
	r.sessions = make([]float64, sides)
	for i := range r.sessions {
		r.sessions[i] = r.Machine.Session * r.Rand.NormFloat64()
	}
}

// Round returns the times of n batches of a process of each side. Where processes take
// turns, so do batches: all meet the same speed, and a burst meets what it meets;
// otherwise the processes run one after the other. Which begins is drawn.
func (r *Run) Round(n int, sides ...Side) [][]float64 {
	procs := make([]process, len(sides))
	both := 0.
	if r.Turns > 0 {
		both = math.Log(r.Process())
	}
	first := r.Rand.IntN(len(sides))
	for k := range sides {
		i := (first + k) % len(sides)
		procs[i] = r.begin(i, sides[i], both)
		for b := 0; r.Turns == 0 && b < n; b++ {
			procs[i].batch(r)
		}
	}
	times := make([][]float64, len(sides))
	for b := 0; r.Turns > 0 && b < n; b++ {
		for k := range sides {
			procs[(first+k)%len(sides)].batch(r)
		}
	}
	for i := range procs {
		times[i] = procs[i].times
	}
	return times
}

// A process is one of a side at work.
type process struct {
	side  Side
	level float64 // log time of a batch
	other bool    // it is in its other phase
	times []float64
}

func (r *Run) begin(i int, s Side, both float64) process {
	p := process{side: s, level: both}
	if r.Turns > 0 {
		p.level += r.Turns * r.Rand.NormFloat64()
	} else {
		p.level = math.Log(r.Process())
	}
	if i < len(r.sessions) {
		p.level += r.sessions[i]
	}
	for _, f := range []float64{s.Op, s.Layout} {
		if f > 0 {
			p.level += math.Log(f)
		}
	}
	if s.Few > 0 && r.Rand.Float64() < s.Few {
		p.level += math.Log(s.FewBy)
	}
	return p
}

// batch runs one.
func (p *process) batch(r *Run) {
	b := r.Batches
	log := p.level + math.Hypot(b.Jitter, p.side.Unlike)*r.Rand.NormFloat64()
	if b.Phase > 0 && r.Rand.Float64() < b.Phase {
		p.other = !p.other
	}
	if p.other {
		log += math.Log(b.PhaseBy)
	}
	if r.inBurst() {
		log += math.Log(b.BurstBy)
	}
	if p.side.Rare > 0 && r.Rand.Float64() < p.side.Rare {
		log += math.Log(p.side.RareBy)
	}
	p.times = append(p.times, math.Exp(log))
}

// inBurst says it of the next batch, whose ever.
func (r *Run) inBurst() bool {
	if r.Batches.Burst <= 0 {
		return false
	}
	if r.burst {
		r.burst = r.Rand.Float64() >= 1/max(1, r.Batches.Lasting)
	}
	if !r.burst {
		r.burst = r.Rand.Float64() < r.Batches.Burst
	}
	return r.burst
}

// Layouts is how much link orders move the functions of a binary: each by SD, as a
// standard deviation of the logarithm, Shared of whose square is common to the functions
// of a binary in an order (caches, pages, alignment of what all of them call).
type Layouts struct {
	SD, Shared float64
	Rand       *rand.Rand
}

// Link returns how many times longer each of so many functions takes in a binary that was
// linked in one more order.
func (l Layouts) Link(functions int) []float64 {
	common := math.Sqrt(l.Shared) * l.Rand.NormFloat64()
	factors := make([]float64, functions)
	for i := range factors {
		factors[i] = math.Exp(l.SD * (common + math.Sqrt(1-l.Shared)*l.Rand.NormFloat64()))
	}
	return factors
}

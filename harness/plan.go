package harness

import (
	"time"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// Plan says what every process of a campaign runs.
type Plan struct {
	GoodN, BadN               int64 // iterations of a batch; equal unless Note says why not
	Batches                   int
	Note                      string // for the report; may be empty
	Good, Bad                 Estimate
	GoodTimed, BadTimed       instrument.Place
	GoodParallel, BadParallel instrument.Place
	BadBench                  string // the one benchmark that ran in bad
}

// N is the iterations of a batch, by side.
func (p Plan) N() []int64 { return []int64{p.GoodN, p.BadN} }

// Pair is about how long a pair of processes takes that run as planned.
func (p Plan) Pair() time.Duration {
	return time.Duration(float64(p.Batches)*(p.Good.batch(p.GoodN)+p.Bad.batch(p.BadN)) + 2*float64(usualStart))
}

// timed is what a batch of the slower side takes by its timer, in ns.
func (p Plan) timed() float64 { return max(float64(p.GoodN)*p.Good.Op, float64(p.BadN)*p.Bad.Op) }

// Longer is the plan with so many times the iterations that a batch of the slower side
// takes nearly as long as asked for; one that does so already stays as it is.
func (p Plan) Longer(batch time.Duration) Plan {
	if ns := p.timed(); ns > 0 && ns < float64(batch) {
		times := int64(float64(batch) / ns)
		p.GoodN, p.BadN = times*p.GoodN, times*p.BadN
	}
	return p
}

// Estimate is what calibrating learned of one side.
type Estimate struct {
	Op      float64 // ns per operation, in the fastest batch that was long enough
	Set     float64 // ns per batch outside its timer: set-up, and package testing's own work
	Clock   float64 // resolution, ns
	Longest int64   // iterations of the longest batch
	Uneven  bool    // a short batch allocates other than a long one, per iteration
	Shared  bool    // goroutines share the iterations, so that some wait at a batch's end
	Doubt   string  // why Op can't be what an operation takes; "" where nothing says so
}

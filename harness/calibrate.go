package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// What a process should look like.
const (
	batchTarget   = 20 * time.Millisecond  // length of a batch of the slower side
	batchFloor    = 100 * time.Microsecond // a batch of the faster side is not shorter
	clockMultiple = 1000                   // a batch is this many clock resolutions at least
	processTarget = 150 * time.Millisecond // all batches of a process
	processLimit  = time.Second            // a whole process, where set-ups make it long
	minBatches    = 3
	maxBatches    = 10
	longOperation = time.Second            // from here on, one batch says enough
	quickOp       = 100 * time.Millisecond // up to here, an operation is cheap enough to look twice
	usualStart    = 20 * time.Millisecond  // of a process, until its benchmark runs
	longBatch     = 3 * time.Second        // with its set-up: from here on, more than one is too dear
	maxN          = 1_000_000_000
)

// Plan says what every process of a campaign runs.
type Plan struct {
	GoodN, BadN               int64 // iterations of a batch; equal unless Note says why not
	Batches                   int
	PerProcess                time.Duration // estimated, the slower side
	Note                      string        // for the report; may be empty
	Good, Bad                 Estimate
	GoodTimed, BadTimed       instrument.Place
	GoodParallel, BadParallel instrument.Place
	GoodBench, BadBench       string // the one benchmark that ran
}

// Estimate is what calibrating learned of one side.
type Estimate struct {
	Op      float64 // ns per operation, in the fastest batch that was long enough
	Set     float64 // ns per run of the benchmark function outside its timer: set-up, and the collection before it
	Clock   float64 // resolution, ns
	Longest int64   // iterations of the longest batch
}

// Calibrate runs a process or two of each side, with the probes on switched
// on, and decides what the following ones run.
//
// A benchmark gets one common iteration count, set by the slower side, for
// batches of about 20 ms. Where that would leave the faster side's batches below
// 100 µs or below a thousand clock resolutions, each side gets its own count,
// and the Note says so. A process has 3 to 10 batches, about 150 ms; an
// operation of a second and more has one, as has a set-up of more than that.
//
// Errors are those of [Run], and a test that skips itself is one too. Both sides are run even if the pattern matches
// nothing on the first, so that *MissingError names all the sides.
func Calibrate(ctx context.Context, good, bad Binary, w Workload, on []int) (Plan, error) {
	gp, ge, goodErr := calibrate(ctx, good, w, on)
	var missing *MissingError
	if goodErr != nil && !errors.As(goodErr, &missing) {
		return Plan{}, goodErr
	}
	bp, be, badErr := calibrate(ctx, bad, w, on)
	if err := bothMissing(goodErr, badErr); err != nil {
		return Plan{}, err
	}
	if w.Kind == Test {
		var err error
		whileQuiet(func() { err = cmp.Or(checkSkipped(ctx, good, w), checkSkipped(ctx, bad, w)) })
		if err != nil {
			return Plan{}, err
		}
	}
	plan, err := makePlan(w.Kind, ge, be)
	plan.GoodTimed, plan.GoodParallel, plan.GoodBench = gp.Timed, gp.Parallel, gp.benchmark()
	plan.BadTimed, plan.BadParallel, plan.BadBench = bp.Timed, bp.Parallel, bp.benchmark()
	return plan, err
}

// bothMissing makes one error of two when both sides miss the workload.
// Otherwise the bad side's failure weighs more than the good side's missing.
func bothMissing(goodErr, badErr error) error {
	var g, b *MissingError
	if errors.As(goodErr, &g) && errors.As(badErr, &b) {
		return &MissingError{Labels: append(g.Labels, b.Labels...), Workload: g.Workload}
	}
	if badErr != nil {
		return badErr
	}
	return goodErr
}

func (p Process) benchmark() string {
	if len(p.Benchmarks) == 0 {
		return ""
	}
	return p.Benchmarks[0]
}

// calibrate is Calibrate's look at one side. A single batch may have been
// disturbed, and with it all that is planned, so a quick operation gets a second
// process with three more.
func calibrate(ctx context.Context, b Binary, w Workload, on []int) (Process, Estimate, error) {
	p, err := Run(ctx, b, w, Order{On: on})
	if err != nil {
		return p, Estimate{}, err
	}
	e := estimate(p)
	if w.Kind != Bench || !(e.Op > 0) || e.Op > float64(quickOp) {
		return p, e, nil
	}
	again, err := Run(ctx, b, w, Order{N: iterations(float64(batchTarget), e.Op), Batches: minBatches, On: on})
	if err != nil {
		return p, e, err
	}
	return p, e.refine(again), nil
}

// estimate takes the operation's time from the batch with the most
// iterations: the shorter ones before it were package testing's guesses.
func estimate(p Process) Estimate {
	var most Batch
	var timed float64
	for _, b := range p.Batches {
		timed += b.NS
		if b.N >= most.N {
			most = b
		}
	}
	// What is left is start and set-ups. The collections before each batch are
	// among the latter. Single iterations are not, where they weren't ordered: a
	// plan gets smaller by that, not wrong.
	rest := p.Seconds*1e9 - timed - float64(usualStart)
	return Estimate{
		Op: most.perOp(), Longest: most.N, Clock: p.Clock.Resolution,
		Set: max(rest, 0) / float64(max(len(p.Batches), 1)),
	}
}

// refine takes what was faster in a second process.
func (e Estimate) refine(p Process) Estimate {
	for _, b := range p.Batches {
		e.Op = min(e.Op, b.perOp())
	}
	e.Set = min(e.Set, estimate(p).Set)
	return e
}

// makePlan is the arithmetic of Calibrate.
func makePlan(kind Kind, good, bad Estimate) (Plan, error) {
	plan := Plan{GoodN: 1, BadN: 1, Batches: 1, Good: good, Bad: bad}
	if kind != Bench {
		plan.PerProcess = time.Duration(max(good.Op, bad.Op))
		return plan, nil
	}
	for _, e := range []Estimate{good, bad} {
		if !(e.Op > 0) {
			return plan, fmt.Errorf("calibrating: %d iterations took %v ns; is the benchmark's timer stopped all the time?", e.Longest, e.Op*float64(e.Longest))
		}
	}
	plan.GoodN, plan.BadN, plan.Note = counts(good, bad)
	cost := max(good.batch(plan.GoodN), bad.batch(plan.BadN))
	timed := max(float64(plan.GoodN)*good.Op, float64(plan.BadN)*bad.Op)
	plan.Batches = batches(max(good.Op, bad.Op), timed, cost)
	plan.PerProcess = time.Duration(cost*float64(plan.Batches)) + usualStart
	return plan, nil
}

// batch is what a batch of n iterations takes, in ns, with the single iteration
// that package testing runs before it.
func (e Estimate) batch(n int64) float64 { return float64(n+1)*e.Op + 2*e.Set }

// counts decides the iterations of a batch.
func counts(good, bad Estimate) (goodN, badN int64, note string) {
	target := max(float64(batchTarget), clockMultiple*max(good.Clock, bad.Clock))
	floor := max(float64(batchFloor), clockMultiple*max(good.Clock, bad.Clock))
	n := iterations(target, max(good.Op, bad.Op))
	if float64(n)*min(good.Op, bad.Op) >= floor || n == maxN {
		return n, n, ""
	}
	goodN, badN = iterations(target, good.Op), iterations(target, bad.Op)
	return goodN, badN, fmt.Sprintf("the sides differ by more than their clock can bridge with one iteration count: batches are %d iterations of good (%v each) and %d of bad (%v each)",
		goodN, nanoseconds(good.Op), badN, nanoseconds(bad.Op))
}

func iterations(target, op float64) int64 {
	return int64(min(max(math.Ceil(target/op), 1), maxN))
}

// batches decides how many batches a process runs: timed is what one takes by
// its timer, cost with all around it. The two are held against limits of their
// own because cost is hard to tell from a slow start of the process.
func batches(op, timed, cost float64) int {
	if op >= float64(longOperation) || cost >= float64(longBatch) {
		return 1
	}
	n := min(float64(processTarget)/timed, float64(processLimit)/cost, maxBatches)
	return int(max(n, minBatches))
}

// nanoseconds is a duration with the digits that an estimate has.
func nanoseconds(ns float64) time.Duration {
	d := time.Duration(math.Ceil(ns))
	for unit := time.Duration(1); unit < d/100; unit *= 10 {
		d = d.Round(unit)
	}
	return d
}

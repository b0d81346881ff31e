package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// What a process should look like. Batches are short, so that many of them fall
// between two disturbances; see [Process.Sample].
const (
	batchTarget   = 300 * time.Microsecond // length of a batch of the slower side
	patientTarget = time.Millisecond       // where a set-up takes longer, or the faster side's batches would be too short
	longTarget    = 20 * time.Millisecond  // where short batches would not do the same work
	batchFloor    = 10 * time.Microsecond  // a batch of the faster side is not shorter
	clockMultiple = 1000                   // a batch is this many clock resolutions at least
	processTarget = 150 * time.Millisecond
	processLimit  = 300 * time.Millisecond // where operations or set-ups are long
	setupLimit    = time.Second            // for few batches with long set-ups
	setShare      = 0.5                    // of a set-up that a batch takes at least: what is not timed is time lost
	maxBatches    = 200
	fewBatches    = 20                     // give three fast ones
	longOperation = time.Second            // from here on, one batch says enough
	quickOp       = 100 * time.Millisecond // up to here, an operation is cheap enough to look twice
	lookBatches   = 100                    // of a second look
	usualStart    = 20 * time.Millisecond  // of a process, until its benchmark runs
	slowStart     = 100 * time.Millisecond // the same on a busy machine
	longBatch     = 2 * time.Second        // with its set-up: from here on, more than one is too dear
	maxN          = 1_000_000_000
)

// calibrateBoth is Calibrate on this machine.
func calibrateBoth(ctx context.Context, good, bad Binary, w Workload) (Plan, error) {
	gp, ge, goodErr := calibrate(ctx, good, w)
	var missing *MissingError
	if goodErr != nil && !errors.As(goodErr, &missing) {
		return Plan{}, goodErr
	}
	bp, be, badErr := calibrate(ctx, bad, w)
	if err := bothMissing(goodErr, badErr); err != nil {
		return Plan{}, err
	}
	if w.Kind == Test {
		err := host.whileQuiet(ctx, func() error { return cmp.Or(checkSkipped(ctx, good, w), checkSkipped(ctx, bad, w)) })
		if err != nil {
			return Plan{}, err
		}
	}
	plan, err := makePlan(w.Kind, ge, be)
	if err == nil && plan.GoodN != plan.BadN {
		// One that was held up for a moment looks like one that takes that long, and in
		// batches of a single iteration it does take several times as long.
		if ge.Op > be.Op {
			ge, err = lookAgain(ctx, good, w, ge)
		} else {
			be, err = lookAgain(ctx, bad, w, be)
		}
		if err != nil {
			return Plan{}, err
		}
		plan, err = makePlan(w.Kind, ge, be)
	}
	plan.GoodN, plan.BadN = w.rounded(plan.GoodN), w.rounded(plan.BadN)
	plan.GoodTimed, plan.GoodParallel = gp.Timed, gp.Parallel
	plan.BadTimed, plan.BadParallel, plan.BadBench = bp.Timed, bp.Parallel, bp.benchmark()
	return plan, err
}

// lookAgain calibrates a side anew, and takes the faster look.
func lookAgain(ctx context.Context, b Binary, w Workload, before Estimate) (Estimate, error) {
	_, again, err := calibrate(ctx, b, w)
	if err != nil || before.Op <= again.Op {
		return before, err
	}
	return again, nil
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

// Doubts are those of both sides, each said once.
func (p Plan) Doubts() string { return doubts(p.Good, p.Bad) }

func doubts(of ...Estimate) string {
	var all []string
	for _, e := range of {
		if e.Doubt != "" && !slices.Contains(all, e.Doubt) {
			all = append(all, e.Doubt)
		}
	}
	return strings.Join(all, "; ")
}

// calibrate is Calibrate's look at one side. A single batch may have been
// disturbed, and with it all that is planned, so a quick operation gets a second
// process with more of them, run as the ones that are planned.
func calibrate(ctx context.Context, b Binary, w Workload) (Process, Estimate, error) {
	p, err := Run(ctx, b, w, Order{})
	if err != nil {
		return p, Estimate{}, err
	}
	e := estimate(p)
	if w.Kind != Bench || !(e.Op > 0) || e.Op > float64(quickOp) {
		return p, e, nil
	}
	n := iterations(float64(batchTarget), e.Op)
	again, err := Run(ctx, b, w, Order{N: n, Batches: min(batches(e.Op, float64(n)*e.Op, e.batch(n)), lookBatches)})
	if err != nil {
		return p, e, err
	}
	if uneven(p.longest(), again.Batches...) {
		e.Uneven = true
		return p, e, nil
	}
	return p, e.refine(again), nil
}

// estimate takes the operation's time from the batch with the most
// iterations: the shorter ones before it were package testing's guesses.
func estimate(p Process) Estimate {
	var timed float64
	for _, b := range p.Batches {
		timed += b.NS
	}
	most := p.longest()
	// What is left is start and set-ups. The collections before batches are among
	// the latter. Single iterations are not, where they weren't ordered: a plan
	// gets smaller by that, not wrong.
	rest := p.Seconds*1e9 - timed - float64(usualStart)
	return Estimate{
		Op: most.perOp(), Longest: most.N, Clock: p.Clock.Resolution,
		Set: max(rest, 0) / float64(max(len(p.Batches), 1)), Shared: p.Parallel.Func != "",
		Doubt: doubt(p),
	}
}

// longest is the last of the batches with the most iterations.
func (p Process) longest() Batch {
	var most Batch
	for _, b := range p.Batches {
		if b.N >= most.N {
			most = b
		}
	}
	return most
}

func (p Process) fastest() Batch {
	return slices.MinFunc(p.Batches, func(a, b Batch) int { return cmp.Compare(a.perOp(), b.perOp()) })
}

// uneven reports whether short batches do other work per iteration than a long one, as
// far as allocations tell, which no disturbance reaches: inputs that take turns, a
// table that grows, a set-up within the timer. Of a short batch a few stray
// allocations don't count, such as the runtime's, nor do many of one batch only: on a
// busy machine the fastest had so many now and then.
func uneven(long Batch, short ...Batch) bool {
	fastest := Process{Batches: short}.fastest()
	if differs(long, fastest, func(of, than float64) bool { return of < than }) {
		return true
	}
	median := Batch{N: fastest.N, Allocs: medianOf(short, Batch.allocs), Bytes: medianOf(short, Batch.bytes)}
	more := func(of, than float64) bool { return of > than }
	return differs(long, fastest, more) && differs(long, median, more)
}

// differs reports whether a short batch allocates other than a long one, in one
// direction.
func differs(long, short Batch, inThat func(short, long float64) bool) bool {
	share := float64(short.N) / float64(long.N)
	differ := func(long, short, grace float64) bool {
		return inThat(short, long) && math.Abs(long-short) > 0.05*max(long, short)+grace
	}
	return differ(share*float64(long.Allocs), float64(short.Allocs), 20) ||
		differ(share*float64(long.Bytes), float64(short.Bytes), 4096)
}

func (b Batch) allocs() int64 { return b.Allocs }
func (b Batch) bytes() int64  { return b.Bytes }

func medianOf(batches []Batch, quantity func(Batch) int64) int64 {
	var all []float64
	for _, b := range batches {
		all = append(all, float64(quantity(b)))
	}
	return int64(median(all))
}

// refine takes what was faster in a second process. That one has more batches,
// so of the time around them more can be allowed for a slow start.
func (e Estimate) refine(p Process) Estimate {
	for _, b := range p.Batches {
		e.Op = min(e.Op, b.perOp())
	}
	slow := float64(slowStart-usualStart) / float64(max(len(p.Batches), 1))
	e.Set = min(e.Set, max(estimate(p).Set-slow, 0))
	return e
}

// makePlan is the arithmetic of Calibrate.
func makePlan(kind Kind, good, bad Estimate) (Plan, error) {
	plan := Plan{GoodN: 1, BadN: 1, Batches: 1, Good: good, Bad: bad}
	if kind != Bench {
		return plan, nil
	}
	for _, e := range []Estimate{good, bad} {
		if !(e.Op > 0) {
			return plan, fmt.Errorf("calibrating: %d iterations took %v ns; is the benchmark's timer stopped all the time?", e.Longest, e.Op*float64(e.Longest))
		}
	}
	plan.GoodN, plan.BadN, plan.Note = counts(good, bad)
	cost := max(good.batch(plan.GoodN), bad.batch(plan.BadN))
	plan.Batches = batches(max(good.Op, bad.Op), plan.timed(), cost)
	return plan, nil
}

// batch is what a batch of n iterations takes, in ns, with what is not timed.
func (e Estimate) batch(n int64) float64 { return float64(n)*e.Op + e.Set }

// counts decides the iterations of a batch.
func counts(good, bad Estimate) (goodN, badN int64, note string) {
	clock := clockMultiple * max(good.Clock, bad.Clock)
	floor := max(float64(batchFloor), clock)
	target := max(float64(batchTarget), clock)
	if bridge := floor * max(good.Op, bad.Op) / min(good.Op, bad.Op); bridge <= float64(patientTarget) {
		target = max(target, bridge)
	}
	set := max(good.Set, bad.Set)
	target = max(target, min(float64(patientTarget), set), min(float64(processLimit), setShare*set))
	if good.Uneven || bad.Uneven {
		note = fmt.Sprintf("iterations are not alike, by their allocations: batches are of %v, not of %v, and samples less steady", longTarget, batchTarget)
	}
	if note != "" || good.Shared || bad.Shared {
		target = max(target, float64(longTarget))
	}
	n := iterations(target, max(good.Op, bad.Op))
	if float64(n)*min(good.Op, bad.Op) >= floor || n == maxN {
		return n, n, note
	}
	goodN, badN = iterations(target, good.Op), iterations(target, bad.Op)
	if note != "" {
		note += "; "
	}
	return goodN, badN, note + fmt.Sprintf("the sides differ by more than their clock can bridge with one iteration count: batches are %d iterations of good (%v each) and %d of bad (%v each)",
		goodN, text.Duration(good.Op), badN, text.Duration(bad.Op))
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
	n := max(float64(processTarget)/timed, min(fewBatches, float64(processLimit)/timed))
	n = min(n, max(float64(processLimit)/cost, min(fewBatches, float64(setupLimit)/cost)), maxBatches)
	return int(max(n, minBatches))
}

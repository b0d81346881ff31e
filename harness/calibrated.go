package harness

import (
	"context"
	"math"
)

// Calibrate runs a process or two of each side, with all probes off, and decides what
// the following ones run.
//
// A benchmark gets one common iteration count, set by the slower side, for
// batches of about 0.3 ms, the cost of the probes included, and up to 1 ms where a
// set-up takes longer than that or the faster side's batches would be below 10 µs or
// below a thousand clock resolutions. A batch takes half as long as its set-up, up to
// 0.3 s. Where that does not do for the faster side,
// each gets its own count, and the Note says so. Where iterations are not
// alike, as allocations tell, or goroutines share them, batches are of about
// 20 ms; the Note says the former.
//
// A process has up to 200 batches, or 150 ms by its timer. Where operations take
// longer than 7 ms or set-ups are long it has fewer, but 20 where that is done
// in 300 ms (in a second, with set-ups outside the timer), and never less than
// 3. Only an operation of a second and more has one, as has a set-up of two.
//
// Errors are those of [Run], and a test that skips itself is one too. Both sides are run even if the pattern matches
// nothing on the first, so that *MissingError names all the sides.
func Calibrate(ctx context.Context, good, bad Binary, w Workload) (Plan, error) {
	e, _, err := journaled(ctx, func(j *Journal) (string, error) {
		return j.keyOf(ctx, "plan", []Binary{good, bad}, w)
	}, func() (entry, error) {
		plan, err := calibrateThere(ctx, good, bad, w)
		return entry{Plan: &plan}, err
	})
	if err == nil && e.Plan == nil {
		err = errDamaged
	}
	if err != nil {
		return Plan{}, err
	}
	return *e.Plan, nil
}

// calibrateThere is Calibrate on a machine of the fleet, if there is one: this one may build
// meanwhile. What fails for the fleet is done here.
func calibrateThere(ctx context.Context, good, bad Binary, w Workload) (Plan, error) {
	if e, ok := ctx.Value(elsewhereKey{}).(Elsewhere); ok {
		t := Task{
			Binaries: []Binary{good, bad}, N: []int64{1, 1}, Order: []int{0, 1}, Workload: w,
			Calibrate: true, Sandboxed: sandboxed(ctx), Rank: math.MaxFloat32, // nothing of it begins before
		}
		if done, err := e.Run(ctx, t); err == nil || ofWorkload(err) || ctx.Err() != nil {
			return done.Plan, err
		}
	}
	return calibrateBoth(ctx, good, bad, w)
}

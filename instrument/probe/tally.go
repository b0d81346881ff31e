package probe

import "sync/atomic"

// Hit counts one pass of a place in the code, if probe id is on. No time is
// taken, so it is on the board whichever way control leaves.
//
// It must inline, for what it costs when the probe is off.
//
//go:norace
func Hit(id uint32) {
	if mask[uint16(id)] != 0 {
		hit(id)
	}
}

// HitWith is Hit in the form of an expression: it returns v.
//
//go:norace
func HitWith[T any](id uint32, v T) T {
	if mask[uint16(id)] != 0 {
		hit(id)
	}
	return v
}

//go:norace
//go:noinline
//go:nosplit
func hit(id uint32) {
	p := procPin()
	if uint(p) < uint(stripes) {
		cell(p, id).Calls++
		procUnpin()
		return
	}
	procUnpin()
	atomic.AddUint64(&cell(stripes, id).Calls, 1)
}

// Tally adds n to what probe id has counted, whether probes are on or not: it is
// for what package testing reads at the end of a batch, when its timer stands.
//
//go:norace
func Tally(id uint32, n uint64) {
	if board != nil {
		atomic.AddUint64(&cell(stripes, id).Calls, n)
	}
}

// Ran is Hit, and counts for probe id+1 besides whatever the timer and the masks say:
// initialisers, set-ups and what is not timed too.
//
//go:norace
func Ran(id uint32) {
	Hit(id)
	Tally(id+1, 1)
}

// HitN counts n passes at once: of the statements of a block that control enters
// at its beginning only.
//
//go:norace
func HitN(id, n uint32) {
	if mask[uint16(id)] != 0 {
		hitN(id, n)
	}
}

//go:norace
//go:noinline
//go:nosplit
func hitN(id, n uint32) {
	p := procPin()
	if uint(p) < uint(stripes) {
		cell(p, id).Calls += uint64(n)
		procUnpin()
		return
	}
	procUnpin()
	atomic.AddUint64(&cell(stripes, id).Calls, uint64(n))
}

// Package probe is the runtime of pinpoint's probes: what the calls that
// package instrument inserts into a program do when they run.
//
// It promises the probed program that nothing changes but time: no allocation,
// no escaping argument, no goroutine, no lock, no output, no signal, and no
// import beyond unsafe and sync/atomic on the platforms that matter, so that
// packages as deep as strings, strconv or sync can import it. Counts are exact
// with any number of goroutines; a region that a panic or runtime.Goexit leaves
// early is not counted and doesn't spoil a later one.
//
// It lives twice: as this ordinary package, and copied by an overlay to
// GOROOT/src/debug, where every package of a build can import it as "debug",
// whatever its module. So it must build as either.
//
// # How
//
// A probe is a pair of calls around a region. Whether it is on is one byte of
// the [Layout.Mask]; its calls and clock ticks are added to a [Cell] of the
// processor (P) that the goroutine runs on while it is pinned there, so cells
// need no atomics. Mask and cells lie in a file that the parent process made
// and passed on as file descriptor 3, the board, which survives os.Exit and
// SIGKILL; without one they lie in private memory, every probe is on, and
// nobody reads what is counted.
//
// Clock time is kept by a virtual clock that stands still while a benchmark's
// timer is stopped. A region that began before ResetTimer counts from there.
package probe

import "sync/atomic"

// A Mark is the state of one probed call site in one activation of the probed
// function: an element of a local array there. The zero value is ready.
type Mark struct {
	start uint64 // virtual ticks
	state uint32 // zero: not running
	id    uint32
}

// The state of a mark. From slotShift on it is the index of its entry in the
// guard's table, plus one.
const (
	running   = 1
	nested    = 2 // running, but not counting: within another activation of its group
	waiting   = 2 // for operands of the call, which are not within it; start holds the groups
	slotShift = 2
)

// A Token tells Stop whether Begin found the probe on.
type Token struct{ m *Mark }

// Begin starts m if probe id is on.
//
// It must inline, for what it costs when the probe is off, and therefore has
// nothing but the test in it.
//
//go:norace
func Begin(m *Mark, id uint32) Token {
	if mask[uint16(id)] != 0 {
		begin(m, id)
		return Token{m}
	}
	return Token{}
}

// Restart moves the start of m to now and returns v: it is wrapped around the
// last call among the operands of the probed one.
//
//go:norace
func Restart[T any](m *Mark, v T) T {
	if m.state != 0 {
		restart(m)
	}
	return v
}

//go:norace
//go:noinline
//go:nosplit
func restart(m *Mark) {
	if m.state == waiting {
		beginGroup(m, m.id, uint32(m.start>>32), uint32(m.start), false)
		return
	}
	m.start = ticks() - stopped
}

// Stop ends what Begin started and returns v.
//
//go:norace
func Stop[T any](t Token, v T) T {
	if t.m != nil {
		end(t.m)
	}
	return v
}

// End is Stop in statement form.
//
//go:norace
func End(m *Mark, id uint32) {
	if m.state != 0 {
		end(m)
	}
}

// EndTrue is End where the syntax needs a boolean operand. It returns true.
//
//go:norace
func EndTrue(m *Mark, id uint32) bool {
	if m.state != 0 {
		end(m)
	}
	return true
}

// BeginGroup is Begin for a probe of a recursive function: while a probe of
// the group runs on a goroutine, others of the group on it don't count.
//
//go:norace
func BeginGroup(m *Mark, id, group uint32) Token {
	if mask[uint16(id)] != 0 {
		beginGroup(m, id, group, 0, false)
		return Token{m}
	}
	return Token{}
}

// BeginWithin is BeginGroup for a probe that counts on a path only: while a probe
// of the group within runs on the goroutine. A group of zero is none.
//
//go:norace
func BeginWithin(m *Mark, id, group, within uint32) Token {
	if mask[uint16(id)] != 0 {
		beginGroup(m, id, group, within, false)
		return Token{m}
	}
	return Token{}
}

// BeginLater is BeginWithin for a call with operands that call something, which are
// evaluated first: they are not within the call, and what they run is no recursion of
// it. The probe begins at the first Restart; without one it doesn't count.
//
//go:norace
func BeginLater(m *Mark, id, group, within uint32) Token {
	if mask[uint16(id)] != 0 {
		later(m, id, group, within)
		return Token{m}
	}
	return Token{}
}

//go:norace
//go:noinline
//go:nosplit
func later(m *Mark, id, group, within uint32) {
	m.id = id
	m.state = waiting
	m.start = uint64(group)<<32 | uint64(within)
}

// Enter begins a probe of the function's body; Leave, deferred, ends it. A
// group of zero is none.
//
//go:norace
func Enter(m *Mark, id, group uint32) {
	if mask[uint16(id)] != 0 {
		enter(m, id, group)
	}
}

// EnterWithin is Enter for a probe that counts on a path only: see BeginWithin.
//
//go:norace
func EnterWithin(m *Mark, id, group, within uint32) {
	if mask[uint16(id)] != 0 {
		beginGroup(m, id, group, within, true)
	}
}

// Leave ends what Enter began, on return, panic and runtime.Goexit alike.
//
//go:norace
func Leave(m *Mark, id uint32) {
	if m.state != 0 {
		end(m)
	}
}

//go:norace
//go:noinline
//go:nosplit
func enter(m *Mark, id, group uint32) {
	if group == 0 {
		begin(m, id)
		return
	}
	beginGroup(m, id, group, 0, true)
}

//go:norace
//go:noinline
//go:nosplit
func begin(m *Mark, id uint32) {
	m.id = id
	m.state = running
	m.start = ticks() - stopped
}

// end adds m's region to its cell.
//
//go:norace
//go:noinline
//go:nosplit
func end(m *Mark) {
	now := ticks() - stopped
	if m.state != running && !leave(m) {
		m.state = 0
		return
	}
	m.state = 0
	start := max(m.start, epoch)
	now = min(now, limit)
	var d uint64
	if now > start {
		d = now - start
	}
	p := procPin()
	if uint(p) < uint(stripes) {
		c := cell(p, m.id)
		c.Calls++
		c.Ticks += d
		procUnpin()
		return
	}
	procUnpin()
	c := cell(stripes, m.id)
	atomic.AddUint64(&c.Calls, 1)
	atomic.AddUint64(&c.Ticks, d)
}

package probe

import (
	"sync/atomic"
	"unsafe"
)

// What package testing tells of a benchmark. Without a board it is all
// ignored: nobody asks what was counted, and all probes stay on.

// standing says that the virtual clock stands.
var standing bool

// OnBoard reports whether a parent process wants to know.
func OnBoard() bool { return board != nil }

// Turn returns how long a turn is at least, in nanoseconds, zero if the process
// takes none, and with how many others it takes turns.
func Turn() (length int64, others int) {
	if board == nil {
		return 0, 0
	}
	return int64(board.Turn), int(board.Others)
}

// Counters returns how many there are to read.
func Counters() int {
	if board == nil {
		return 0
	}
	return int(board.Counters)
}

// Counted tells the parent what a counter counted from one reading to a later one.
func Counted(i int, from, to [3]uint64) {
	board.Counts[i] = Reading{to[0] - from[0], to[1] - from[1], to[2] - from[2]}
}

// Stand tells the parent whether the process waits for its turn.
func Stand(waits bool) {
	var standing uint64
	if waits {
		standing = 1
	}
	atomic.StoreUint64(&board.Standing, standing)
}

// Waited tells the parent for how many nanoseconds the process's threads were
// ready to run and had no processor.
func Waited(nanos int64) {
	if board != nil {
		board.Waited = uint64(nanos)
	}
}

// Start lets the virtual clock run and switches on the probes that are wanted.
//
//go:norace
func Start() {
	if board == nil || !standing {
		return
	}
	standing = false
	limit = ^uint64(0)
	stopped += ticks() - stoppedAt
	mask = chosen
}

// Pause stops the virtual clock and switches all probes off. Regions that are
// open and end before Start end here.
//
//go:norace
func Pause() {
	if board == nil || standing {
		return
	}
	standing = true
	stoppedAt = ticks()
	limit = stoppedAt - stopped
	mask = &allOff
}

// Forget makes the next Record leave out what was counted before.
//
//go:norace
func Forget() {
	if board == nil {
		return
	}
	for id := uint32(0); id < probes; id++ {
		if chosen[id] != 0 {
			*base(id) = counted(id)
		}
	}
}

// Reset lets regions that are open begin now.
//
//go:norace
func Reset() {
	epoch = min(ticks()-stopped, limit)
}

// Record appends a record of what was counted since Forget. The next batch has the
// next mask.
//
//go:norace
func Record(name string, n, nanos int64, allocs, bytes uint64) {
	if board == nil {
		return
	}
	board.Last = now()
	ran := round
	if round++; round == board.Masks {
		round = 0
	}
	mine := chosen
	chosen = maskAt(round)
	if board.Written == board.Capacity {
		board.Lost++
		return
	}
	at := unsafe.Add(unsafe.Pointer(board), board.Log+board.Written*RecordSize(board.Probes))
	b := (*Batch)(at)
	if batch != nil && textIs(batch.Name, name) {
		b.Name = batch.Name
	} else {
		b.Name = text(name)
	}
	batch = b
	b.N, b.Nanos, b.Allocs, b.Bytes = uint64(n), uint64(nanos), allocs, bytes
	b.Ticks = limit - epoch // the clock stands: this is its time
	b.Mask = ran
	b.Reported, b.Figures = reported, figures
	reported = 0
	parts := unsafe.Slice((*Cell)(unsafe.Add(at, unsafe.Sizeof(Batch{}))), probes)
	for id := range parts {
		if mine[id] != 0 {
			sum, was := counted(uint32(id)), base(uint32(id))
			parts[id] = Cell{sum.Calls - was.Calls, sum.Ticks - was.Ticks}
		}
	}
	atomic.StoreUint64(&board.Written, board.Written+1)
}

// Reported notes a figure of the benchmark's own, by its unit, for the next Record.
//
//go:norace
func Reported(unit string, value float64) {
	if board == nil {
		return
	}
	for i := range board.Units {
		if board.Units[i].Len == 0 {
			board.Units[i] = text(unit)
		}
		if textIs(board.Units[i], unit) {
			reported |= 1 << i
			figures[i] = value
			return
		}
	}
	board.Lost++
}

// figures are those of the batch that is recorded next, and reported which it has.
var (
	reported uint64
	figures  [MostFigures]float64
)

// batch is the last record, and round the mask of the batch after it.
var (
	batch *Batch
	round uint64
)

// Timed notes the function that a batch runs.
func Timed(name, file string, line int) {
	if board != nil {
		place(&board.Timed, name, file, line)
	}
}

// Parallel notes the function that the goroutines of RunParallel run.
func Parallel(name, file string, line int) {
	if board != nil {
		place(&board.Parallel, name, file, line)
	}
}

//go:norace
func place(p *Place, name, file string, line int) {
	if !textIs(p.Func, name) {
		p.Func = text(name)
	}
	if !textIs(p.File, file) {
		p.File = text(file)
	}
	p.Line = uint64(line)
}

// text appends s to the board's text.
//
//go:norace
func text(s string) Text {
	if uint64(len(s)) > board.TextSize-board.TextUsed {
		board.Lost++
		return Text{}
	}
	t := Text{uint32(board.TextUsed), uint32(len(s))}
	copy(textBytes(t), s)
	board.TextUsed += uint64(len(s))
	return t
}

//go:norace
func textIs(t Text, s string) bool { return string(textBytes(t)) == s }

//go:norace
func textBytes(t Text) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(board), board.Text+uint64(t.Offset))), t.Len)
}

package probe

import "unsafe"

// What Begin and end read. They are variables of their own, not fields of one
// structure behind a pointer, because every load counts.
var (
	mask      = &private.mask // the mask in force: none while the timer is stopped
	cells     = unsafe.Pointer(&private.cells)
	stride    = uintptr(unsafe.Sizeof(private.cells)) // bytes of a stripe
	probes    = uint32(privateProbes)
	stripes   = 0          // stripes that belong to one P; the shared one follows
	stopped   uint64       // ticks the virtual clock has stood still
	stoppedAt uint64       // real ticks when it stopped last
	epoch     uint64       // virtual ticks of the last reset
	limit     = ^uint64(0) // virtual ticks beyond which no region reaches: while the clock stands, its time
)

const privateProbes = 1023

// private is where probes count that have no board: all of them on, with one
// stripe shared by all.
var private struct {
	mask  [MaskSize]uint8
	cells [privateProbes + 1]Cell
}

// allOff is the mask in force while a benchmark's timer is stopped.
var allOff [MaskSize]uint8

// board is nil where there is none.
var board *Header

// chosen is the mask in force while it runs.
var chosen = &private.mask

func init() {
	for i := range private.mask {
		private.mask[i] = 1
	}
	open()
}

// cell returns a stripe's cell of a probe.
//
//go:norace
//go:nosplit
func cell(stripe int, id uint32) *Cell {
	return (*Cell)(unsafe.Add(cells, uintptr(stripe)*stride+uintptr(min(id, probes))*unsafe.Sizeof(Cell{})))
}

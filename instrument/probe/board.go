package probe

import (
	"sync/atomic"
	"unsafe"
)

// boardFile is the file descriptor that the board is expected on.
const boardFile = 3

// open maps the board, if file descriptor 3 is one, and closes the descriptor:
// children of this process must not count on the board, and the program must
// find its descriptors as they are without us.
func open() {
	var h Header
	if pread(boardFile, unsafe.Pointer(&h), unsafe.Sizeof(h)) != unsafe.Sizeof(h) || string(h.Magic[:]) != Magic {
		return
	}
	p := mmap(boardFile, uintptr(h.Size))
	if p == nil {
		return
	}
	shut(boardFile)
	board = (*Header)(p)
	cells = unsafe.Add(p, h.Cells)
	stride = uintptr(StripeSize(h.Probes))
	stripes = int(h.Stripes)
	probes = uint32(h.Probes)
	chosen = maskAt(0)
	calibrate()
	mask = chosen
	atomic.StoreUint64(&board.Opened, 1)
}

// maskAt returns a mask of the board's.
//
//go:norace
func maskAt(index uint64) *[MaskSize]uint8 {
	return (*[MaskSize]uint8)(unsafe.Add(unsafe.Pointer(board), board.Mask+index*MaskSize))
}

// counted returns what a probe has counted since the process began.
//
//go:norace
func counted(id uint32) (sum Cell) {
	for i := 0; i <= stripes; i++ {
		c := cell(i, id)
		sum.Calls += c.Calls
		sum.Ticks += c.Ticks
	}
	return sum
}

// base returns the cell that holds what a probe had counted at the last Reset.
//
//go:norace
func base(id uint32) *Cell { return cell(stripes+1, id) }

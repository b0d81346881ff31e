package probe

import (
	"sync/atomic"
	"unsafe"
)

// The guard: which mark on which goroutine is the outermost activation of a
// group. It keeps recursion from being counted twice, and lets a probe know
// whether it runs on a path.
//
// An entry is claimed when such a mark starts and freed when it ends. Panics
// and runtime.Goexit leave entries behind, so an entry counts only while its
// mark is alive: while the mark's memory still says that it runs with this
// entry, and its function's frame is found on the way up from the new one.
// Addresses on a stack are kept as distances from its upper end, which hold
// when the stack is moved.

// tableSize is how many groups can be active at once on all goroutines; window
// in how many places an entry can be.
const (
	tableSize = 1 << 12
	window    = 16
)

// maxWalk is how many frames are looked at for an entry's frame. Beyond, the
// mark's memory alone decides: recursion through so many frames would otherwise
// cost more than the clock.
const maxWalk = 32

// An entry belongs to the goroutine in its key, which alone reads and writes
// the rest.
type entry struct {
	key   uint64 // goroutine and group; zero: free
	mark  uintptr
	frame uintptr
	body  bool // of Enter
}

var table [tableSize + window]entry

// beginGroup begins m: nested, if a path is given and no mark of the group within
// runs on this goroutine, or if a group is given and a mark of it does. Zero is none.
// Where it can't be known, m counts.
//
// An operand of the call that surrounds is on the path too: evaluated after the
// surrounding mark began, before the call.
//
//go:norace
//go:noinline
//go:nosplit
func beginGroup(m *Mark, id, group, within uint32, body bool) {
	m.id = id
	m.state = running
	procPin() // nothing here splits the stack either, so it can't move
	g, hi, fp := frames()
	at := uintptr(unsafe.Pointer(m))
	if g != 0 && fp < at && at < hi {
		if frame := frameOf(at, fp, hi); frame != 0 {
			switch {
			case within != 0 && !active(uint64(g)|uint64(within)<<48, hi, fp, frame):
				m.state = running | nested
			case group != 0:
				m.state = claim(uint64(g)|uint64(group)<<48, hi, fp, hi-at, frame, body)
			}
		}
	}
	procUnpin()
	m.start = ticks() - stopped
}

// active reports whether a mark with the key runs, seen from a frame of the
// goroutine.
//
//go:norace
//go:nosplit
func active(key uint64, hi, fp, frame uintptr) bool {
	first := firstSlot(key)
	for i := first; i < first+window; i++ {
		e := &table[i]
		if atomic.LoadUint64(&e.key) == key && alive(e, uint32(i), hi, fp, frame) {
			return true
		}
	}
	return false
}

// firstSlot is where the window of a key begins.
//
//go:norace
//go:nosplit
func firstSlot(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> 52) }

// frameOf returns the frame pointer of the function that a variable lies in,
// seen from a frame below; zero if the chain breaks before. It need not be the
// function that called BeginGroup: a deferred call may come from a wrapper.
//
//go:norace
//go:nosplit
func frameOf(at, fp, hi uintptr) uintptr {
	for {
		up := *word(fp)
		if up <= fp || up >= hi {
			return 0
		}
		if up > at {
			if framePointerAbove {
				return up
			}
			return fp
		}
		fp = up
	}
}

// claim returns the state of a mark that begins.
//
//go:norace
//go:nosplit
func claim(key uint64, hi, fp, mark, frame uintptr, body bool) uint32 {
	first := firstSlot(key)
	free := -1
	for i := first; i < first+window; i++ {
		e := &table[i]
		switch atomic.LoadUint64(&e.key) {
		case key:
			if alive(e, uint32(i), hi, fp, frame) {
				if e.frame == hi-frame && !e.body {
					// An operand of the call that e's mark surrounds: that one
					// has not begun yet, and will be restarted after this.
					return running
				}
				return running | nested
			}
			e.mark, e.frame, e.body = mark, hi-frame, body
			return running | uint32(i+1)<<slotShift
		case 0:
			if free < 0 {
				free = i
			}
		}
	}
	for i := max(free, first); i < first+window; i++ {
		e := &table[i]
		if atomic.CompareAndSwapUint64(&e.key, 0, key) {
			e.mark, e.frame, e.body = mark, hi-frame, body
			return running | uint32(i+1)<<slotShift
		}
	}
	if board != nil {
		atomic.AddUint64(&board.Unguarded, 1)
	}
	return running
}

// alive reports whether the mark of entry i still runs, seen from a frame of
// the same goroutine. The stack ends at fp or below.
//
//go:norace
//go:nosplit
func alive(e *entry, i uint32, hi, fp, frame uintptr) bool {
	if hi-e.mark < fp {
		return false // the stack no longer reaches there
	}
	m := (*Mark)(unsafe.Pointer(word(hi - e.mark)))
	if m.state != running|(i+1)<<slotShift {
		return false
	}
	for n := 0; n < maxWalk; n++ {
		if frame == hi-e.frame {
			return true
		}
		up := *word(frame)
		if up <= frame || up >= hi {
			return true // the chain is broken, by C frames for instance
		}
		if up > hi-e.frame {
			return false
		}
		frame = up
	}
	return true
}

// leave frees the entry of a mark that ends, and reports whether the mark is
// the outermost. It is kept out of the way of marks that have no entry.
//
//go:norace
//go:noinline
//go:nosplit
func leave(m *Mark) bool {
	if m.state&nested != 0 {
		return false
	}
	atomic.StoreUint64(&table[m.state>>slotShift-1].key, 0)
	return true
}

// word returns the word at an address of the goroutine's own stack. The
// conversion is one that vet and checkptr don't see: they warn of addresses
// that move, which they can't while pinned.
//
//go:norace
//go:nosplit
func word(address uintptr) *uintptr {
	return *(**uintptr)(unsafe.Pointer(&address))
}

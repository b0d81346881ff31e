package probe

import "unsafe"

// The runtime offers these to every package (go.dev/issue/67401).

//go:linkname procPin runtime.procPin
//go:nosplit
func procPin() int

//go:linkname procUnpin runtime.procUnpin
//go:nosplit
func procUnpin()

//go:linkname nanotime runtime.nanotime
//go:nosplit
func nanotime() int64

// StartLine returns the line where the function of a runtime.Frame begins.
//
//go:linkname StartLine runtime/pprof.runtime_FrameStartLine
func StartLine(frame unsafe.Pointer) int

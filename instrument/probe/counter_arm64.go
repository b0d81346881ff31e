package probe

// counter reads the virtual counter.
//
//go:nosplit
func counter() uint64

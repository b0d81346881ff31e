package probe

// counter reads the time stamp counter, unserialised: what a fence would order
// is less than what it costs.
//
//go:nosplit
func counter() uint64

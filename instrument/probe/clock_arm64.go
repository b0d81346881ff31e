package probe

const clockKind = ClockCNTVCT

// ticks reads the virtual counter.
//
//go:nosplit
func ticks() uint64

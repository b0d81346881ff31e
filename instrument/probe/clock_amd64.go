package probe

const clockKind = ClockTSC

// ticks reads the time stamp counter, unserialised: what a fence would order
// is less than what it costs.
//
//go:nosplit
func ticks() uint64

package probe

const clockKind = ClockTSC

//go:norace
//go:nosplit
func ticks() uint64 { return counter() }

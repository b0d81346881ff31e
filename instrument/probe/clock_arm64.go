package probe

const clockKind = ClockCNTVCT

//go:norace
//go:nosplit
func ticks() uint64 { return counter() }

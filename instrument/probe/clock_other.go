//go:build !amd64 && !arm64

package probe

const clockKind = ClockNanotime

//go:norace
//go:nosplit
func ticks() uint64 { return uint64(nanotime()) }

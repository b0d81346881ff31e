package probe

import "sync/atomic"

// entries is how many functions that count themselves were entered.
var entries uint64

// Count is called by functions on entry in builds whose probes' clock ticks by
// such entries.
//
//go:norace
//go:nosplit
func Count() { atomic.AddUint64(&entries, 1) }

package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// usualFrom is the live heap from which on garbage is collected as usual.
const usualFrom = 256 << 20

// rarelyCollect has garbage collected rarely as long as the heap is small, unless GOGC says
// otherwise: types and syntax are loaded once and kept, and to look through them again and
// again is a quarter of what loading an ordinary module takes. A large one is left to the
// usual pace, where it would take twice the memory.
func rarelyCollect() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(400)
	var next func(*any)
	next = func(t *any) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Uint64() > usualFrom {
			debug.SetGCPercent(usual)
			return
		}
		runtime.SetFinalizer(t, next) // runs after the next collection
	}
	runtime.SetFinalizer(new(any), next)
}

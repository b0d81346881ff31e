package harness

import "sync"

// The machine is what all measuring shares: caches, memory, clock frequency.
// Builds share it (both sides build at the same time); a measured process has
// it alone. There is one machine however many values of [Go] and [Campaign]
// there are, hence a variable of the package. Another pinpoint on the same
// machine is not seen.
var machine sync.RWMutex

// whileBuilding runs f beside other builds and beside no measured process.
func whileBuilding(f func()) {
	machine.RLock()
	defer machine.RUnlock()
	f()
}

// whileQuiet runs f beside no build and no other measured process.
func whileQuiet(f func()) {
	machine.Lock()
	defer machine.Unlock()
	f()
}

package harness

import (
	"sync"
	"testing"
)

// Both sides build at the same time: each waits for the other to have begun.
func TestBuildsRunTogether(t *testing.T) {
	begun := make(chan bool)
	var both sync.WaitGroup
	both.Go(func() { whileBuilding(func() { begun <- true }) })
	both.Go(func() { whileBuilding(func() { <-begun }) })
	both.Wait()
}

func TestNothingBesideMeasuring(t *testing.T) {
	whileQuiet(func() {
		if machine.TryRLock() {
			machine.RUnlock()
			t.Error("a build may run beside a measured process")
		}
	})
	whileBuilding(func() {
		if machine.TryLock() {
			machine.Unlock()
			t.Error("a process may be measured beside a build")
		}
	})
}

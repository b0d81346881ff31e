//go:build !linux

package harness

import (
	"errors"
	"runtime"
)

type event struct{}

var instructionsAndCycles [2]event

// openCounters makes none.
func openCounters([2]event) (counterFiles, error) { return nil, NoCounters() }

// NoCounters says why instructions and cycles of processes can't be counted.
func NoCounters() error {
	return errors.New("the processor's counters are not read on " + runtime.GOOS)
}

package harness

import (
	"encoding/binary"
	"os"

	"github.com/pinpoint-go/pinpoint/instrument"
)

// Executed is what a processor did in user mode, all threads together: of a benchmark per
// operation, of its batches but the first, whatever the process did before them; of tests
// and programs in all. It is zero where the kernel doesn't count it.
//
// It corroborates and never decides: what waits, or misses a cache, retires nothing
// meanwhile.
type Executed struct{ Instructions, Cycles float64 }

// Counted reports whether both were.
func (e Executed) Counted() bool { return e.Instructions > 0 && e.Cycles > 0 }

// counterFiles are those of one process, in the order of Executed: none, or both.
type counterFiles []*os.File

func (c counterFiles) close() {
	for _, f := range c {
		f.Close()
	}
}

// total is what was counted of a process that has ended, from its exec on.
func (c counterFiles) total() (counts [2]instrument.Reading) {
	for i, f := range c {
		text := make([]byte, 24)
		if n, err := f.Read(text); err != nil || n != len(text) {
			return [2]instrument.Reading{}
		}
		counts[i] = instrument.Reading{
			Value:   binary.NativeEndian.Uint64(text),
			Enabled: binary.NativeEndian.Uint64(text[8:]),
			Running: binary.NativeEndian.Uint64(text[16:]),
		}
	}
	return counts
}

// mostlyCounted is the share of the time for which a counter must have run. Where
// others need the processor's counters, too, the kernel lets them take turns.
const mostlyCounted = 0.9

// executed are counts per operation.
func executed(counts [2]instrument.Reading, operations float64) Executed {
	per := func(c instrument.Reading) float64 {
		if operations <= 0 || c.Running == 0 || float64(c.Running) < mostlyCounted*float64(c.Enabled) {
			return 0
		}
		return float64(c.Value) * (float64(c.Enabled) / float64(c.Running)) / operations
	}
	e := Executed{Instructions: per(counts[0]), Cycles: per(counts[1])}
	if !e.Counted() {
		return Executed{}
	}
	return e
}

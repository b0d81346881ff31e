package harness

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

const (
	// leastOp is what an operation that does something takes at least, in nanoseconds:
	// about a processor's cycle, which the loop around nothing takes, too.
	leastOp = 0.4
	// A short batch tells something of a long one when that has so many times its
	// iterations, and it takes so long itself, in nanoseconds.
	muchLonger = 8
	tellsMuch  = 10e3
	// noOperation is the share of a short batch above which what is done once a batch is
	// worth a word, and noOperationTime how long that must take, in nanoseconds: the first
	// iterations fill caches, too.
	noOperation     = 0.5
	noOperationTime = 100e3
)

// doubt says why what a benchmark reports can't be what an operation takes, by the batches
// of growing length that package testing runs to find its b.N; "" where nothing does.
func doubt(p Process) string {
	long := p.longest()
	if op := long.perOp(); op < leastOp {
		return fmt.Sprintf("an operation of %.2g ns is less than a processor's cycle: what is measured was optimised away, or b.N is not looped over; use b.Loop, or keep the result", op)
	}
	short, found := Batch{}, false
	for _, b := range p.Batches {
		if b.N >= 2 && b.N <= long.N/muchLonger && b.N >= short.N && b.NS >= tellsMuch {
			short, found = b, true
		}
	}
	if !found {
		return ""
	}
	once := (short.NS*float64(long.N) - long.NS*float64(short.N)) / float64(long.N-short.N)
	switch {
	case long.NS < 2*short.NS:
		return fmt.Sprintf("%d iterations took %v and %d took %v: the time does not grow with b.N, so it is no operation's; is b.N looped over?",
			short.N, text.Duration(short.NS), long.N, text.Duration(long.NS))
	case once > noOperation*short.NS && once > noOperationTime:
		return fmt.Sprintf("%v of a batch is there however many iterations it has: is a set-up within the timer? b.ResetTimer leaves it out", text.Duration(once))
	}
	return ""
}

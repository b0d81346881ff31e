package compare

import (
	"math"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
)

// The samples of a pair that took turns have the pair's own ratio, and the level
// that they had.
func TestWholesAreMatched(t *testing.T) {
	var p harness.Pair
	for i := range 60 {
		level := float64(100 + i%7) // both sides meet the same
		p.Good.Batches = append(p.Good.Batches, harness.Batch{N: 1, NS: level})
		p.Bad.Batches = append(p.Bad.Batches, harness.Batch{N: 1, NS: 1.1 * level})
	}
	p.Bad.Batches[20].NS = 1 // a wild one, of one block only
	s := timed()
	apart := p.Good.Sample().Whole * p.Bad.Sample().Whole
	for _, test := range []struct {
		inTurns, byMean bool
		matched         bool
	}{{true, false, true}, {false, false, false}, {true, true, false}} {
		p.InTurns, s.ByMean = test.inTurns, test.byMean
		good, bad := s.Wholes([]harness.Pair{p})
		if matched := math.Abs(bad[0]/good[0]-1.1) < 1e-9; matched != test.matched {
			t.Errorf("%+v: ratio %v", test, bad[0]/good[0])
		}
		if !test.byMean && math.Abs(good[0]*bad[0]/apart-1) > 1e-9 {
			t.Errorf("%+v: the level has changed", test)
		}
	}
}

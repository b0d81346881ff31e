package compare

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
)

func TestPeaks(t *testing.T) {
	pair := func(good, bad int64) harness.Pair {
		var p harness.Pair
		p.Good.Usage.Peak, p.Bad.Usage.Peak = good, bad
		return p
	}
	if c := peaks([]harness.Pair{pair(0, 0), pair(0, 0)}); c != nil {
		t.Errorf("benchmarks have peaks: %+v", c)
	}
	c := peaks([]harness.Pair{pair(10<<20, 30<<20), pair(11<<20, 31<<20), pair(12<<20, 32<<20)})
	if c == nil || c.Diff.Mean != 20<<20 || c.Good.Mean != 11<<20 {
		t.Errorf("%+v", c)
	}
}

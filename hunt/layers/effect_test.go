package layers

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Probes that make the difference larger are seen however large it is without them.
func TestLarger(t *testing.T) {
	for _, test := range []struct {
		name      string
		on, whole float64
		want      bool
	}{
		{"as without", 1.3, 1.3, false},
		{"three times, of a small difference", 1.3, 1.1, true},
		{"twenty times, of a large one", 130, 7.4, true},
		{"the probes hide it", 1.05, 1.3, false},
		{"nothing with probes", 0.99, 1.01, false},
	} {
		ratio := func(x float64) stats.Interval { return stats.Interval{Mean: x, Low: x, High: x} }
		if got := larger(ratio(test.on), ratio(test.whole)) > probesMake; got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

package compare

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// What may be the same or faster, but surely is not slower, is no regression; as linked
// and in other orders of functions.
func TestNotSlower(t *testing.T) {
	for _, test := range []struct {
		name      string
		verdict   stats.Verdict
		low, high float64 // of the ratio
		orders    float64 // upper bound over orders; 0: not looked at
		want      bool
	}{
		{"faster by about what counts", stats.Unknown, .988, .992, 0, true},
		{"may be slower", stats.Unknown, .99, 1.02, 0, false},
		{"surely slower, by how much is open", stats.Unknown, 1.005, 1.02, 0, false},
		{"faster as linked only", stats.Unknown, .97, .98, 1.02, false},
		{"not slower in any order", stats.Unknown, .97, .98, 1.005, true},
		{"the same", stats.Same, .995, 1.005, 0, false},
		{"slower", stats.Slower, 1.02, 1.04, 0, false},
	} {
		w := &Whole{Sampler: &Sampler{Asked: Asked{MinEffect: .01}}}
		w.Comparison = stats.Comparison{
			Verdict: test.verdict, Good: stats.Summary{N: 384, Mean: 1000},
			Ratio: stats.Interval{Low: test.low, High: test.high},
			Diff:  stats.Interval{Low: 1000 * (test.low - 1), High: 1000 * (test.high - 1)},
		}
		if test.orders > 0 {
			w.Orders, w.Over.Ratio.High = 8, test.orders
		}
		if got := w.NotSlower(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

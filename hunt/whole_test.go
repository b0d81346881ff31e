package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
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
		want      report.Verdict
		not       bool
	}{
		{"faster by about what counts", stats.Unknown, .988, .992, 0, report.NoRegression, true},
		{"may be slower", stats.Unknown, .99, 1.02, 0, report.Inconclusive, false},
		{"surely slower, by how much is open", stats.Unknown, 1.005, 1.02, 0, report.Inconclusive, false},
		{"faster as linked only", stats.Unknown, .97, .98, 1.02, report.Inconclusive, false},
		{"not slower in any order", stats.Unknown, .97, .98, 1.005, report.NoRegression, true},
		{"the same", stats.Same, .995, 1.005, 0, report.NoRegression, false},
		{"slower", stats.Slower, 1.02, 1.04, 0, report.Regression, false},
	} {
		h := &hunt{report: &report.Report{}, metric: metrics["time"]}
		h.opts.MinEffect = .01
		h.whole = stats.Comparison{
			Verdict: test.verdict, Good: stats.Summary{N: 384, Mean: 1000},
			Ratio: stats.Interval{Low: test.low, High: test.high},
			Diff:  stats.Interval{Low: 1000 * (test.low - 1), High: 1000 * (test.high - 1)},
		}
		if test.orders > 0 {
			h.orders, h.levels.Ratio.High = make([]order, 8), test.orders
		}
		h.finish()
		if h.report.Verdict != test.want || h.report.NotSlower != test.not {
			t.Errorf("%s: %v, not slower %v", test.name, h.report.Verdict, h.report.NotSlower)
		}
	}
}

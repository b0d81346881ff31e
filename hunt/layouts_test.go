package hunt

import (
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Other layouts can take a verdict back, never make one.
func TestDoubtLayout(t *testing.T) {
	for _, test := range []struct {
		verdict   stats.Verdict
		low, high float64
		want      stats.Verdict
	}{
		{stats.Slower, 1.01, 1.09, stats.Slower},
		{stats.Slower, 0.99, 1.11, stats.Unknown},
		{stats.Slower, 0.91, 0.99, stats.Unknown},
		{stats.Faster, 0.91, 0.99, stats.Faster},
		{stats.Faster, 0.91, 1.01, stats.Unknown},
		{stats.Faster, 1.01, 1.09, stats.Unknown},
	} {
		h := &hunt{report: &report.Report{}, whole: stats.Comparison{Verdict: test.verdict}}
		h.levels = stats.Levels{Groups: usualOrders, Ratio: stats.Interval{Mean: 1, Low: test.low, High: test.high}}
		h.doubtLayout()
		if c := h.whole; c.Verdict != test.want || (len(c.Warnings) == 0) != (test.verdict == test.want) {
			t.Errorf("%+v: %v %q", test, c.Verdict, c.Warnings)
		}
	}
}

// Without the time to look at other layouts, a small difference is not decided; and no
// binary is linked for nothing.
func TestNoTimeForLayouts(t *testing.T) {
	h := &hunt{start: time.Now(), cost: costs{pair: time.Minute}, metric: metrics["time"], report: &report.Report{}}
	h.opts.Budget = time.Minute
	h.opts.Progress = func(string, int, int) {}
	h.whole = stats.Comparison{Verdict: stats.Slower, Ratio: stats.Interval{Mean: 1.05}, Need: 7}
	if err := h.holdLayouts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if h.whole.Verdict != stats.Unknown || len(h.whole.Warnings) != 1 || h.report.Continue == "" {
		t.Errorf("%v %q", h.whole.Verdict, h.whole.Warnings)
	}
}

package compare

import (
	"testing"
	"time"

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
		w := &Whole{Sampler: &Sampler{Log: &Log{}, Budget: &Budget{}}, Comparison: stats.Comparison{Verdict: test.verdict}}
		w.Levels = stats.Levels{Groups: usualOrders, Ratio: stats.Interval{Mean: 1, Low: test.low, High: test.high}}
		w.doubtLayout()
		if c := w.Comparison; c.Verdict != test.want || (len(c.Warnings) == 0) != (test.verdict == test.want) {
			t.Errorf("%+v: %v %q", test, c.Verdict, c.Warnings)
		}
	}
}

// Without the time to look at other layouts, a small difference is not decided; and no
// binary is linked for nothing.
func TestNoTimeForLayouts(t *testing.T) {
	s := timed()
	s.Budget = &Budget{Limit: time.Minute, Start: time.Now(), Pair: time.Minute}
	s.Log = &Log{Progress: func(string, int, int) {}}
	w := &Whole{Sampler: s, Comparison: stats.Comparison{Verdict: stats.Slower, Ratio: stats.Interval{Mean: 1.05}, Need: 7}}
	if err := w.holdLayouts(t.Context(), &Orders{}); err != nil {
		t.Fatal(err)
	}
	if w.Comparison.Verdict != stats.Unknown || len(w.Comparison.Warnings) != 1 || s.Log.Continue() == "" {
		t.Errorf("%v %q", w.Comparison.Verdict, w.Comparison.Warnings)
	}
}

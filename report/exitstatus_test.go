package report

import "testing"

// What users pay decides: of a mixed verdict, the mean.
func TestExitStatus(t *testing.T) {
	mean := func(diff float64) *Delta { return &Delta{Diff: Interval{Mean: diff}} }
	for _, test := range []struct {
		r    Report
		want int
	}{
		{Report{Verdict: NoRegression}, 0},
		{Report{Verdict: Improvement}, 0},
		{Report{Verdict: Regression}, 1},
		{Report{Verdict: Inconclusive}, 3},
		{Report{Verdict: Mixed, WholeMean: mean(-5)}, 0},
		{Report{Verdict: Mixed, WholeMean: mean(5)}, 1},
	} {
		if got := test.r.ExitStatus(); got != test.want {
			t.Errorf("%s: %d, want %d", test.r.Verdict, got, test.want)
		}
	}
}

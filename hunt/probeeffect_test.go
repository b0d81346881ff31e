package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
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

// Numbers of probes that made something else of the difference are not shown beside what
// was proved without; a call that only one revision makes is one all the same.
func TestWithoutProbed(t *testing.T) {
	for _, test := range []struct {
		name     string
		kind     report.Kind
		reverted *report.Reverted
		want     report.Kind
		shown    int // steps with numbers
	}{
		{"a call in it", report.Call, &report.Reverted{}, report.OwnCode, 1},
		{"its own code", report.OwnCode, &report.Reverted{}, report.OwnCode, 1},
		{"a call that good does not make", report.AddedCall, &report.Reverted{}, report.AddedCall, 0},
		{"not proved", report.Call, nil, report.Call, 2},
	} {
		c := report.Culprit{Function: "f", Kind: test.kind, Call: "g()", Reverted: test.reverted, Chain: []report.Step{
			{Function: "main", Call: "f()", Delta: &report.Delta{}, Share: 3}, {Function: "f", Call: "g()", Delta: &report.Delta{}, Share: 5},
		}}
		withoutProbed(&c)
		shown := 0
		for _, step := range c.Chain {
			if step.Delta != nil {
				shown++
			}
		}
		if c.Kind != test.want || shown != test.shown || c.Chain[0].Call != "f()" {
			t.Errorf("%s: %v with %d numbers: %+v", test.name, c.Kind, shown, c.Chain)
		}
	}
}

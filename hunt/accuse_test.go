package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// sampling samples a quantity of a benchmark.
func sampling(quantity string) *compare.Sampler {
	q, _ := compare.QuantityOf(quantity, harness.Bench)
	return &compare.Sampler{Quantity: q}
}

// A difference and its share of the whole belong together, however fast the machine was
// when either was measured.
func TestAtSpeed(t *testing.T) {
	whole := &compare.Whole{Comparison: stats.Comparison{Bad: stats.Summary{Mean: 200}}}
	timed := hunt{Job: &setup.Job{Sampler: sampling("time")}, whole: whole}
	d := timed.atSpeed(&report.Delta{Good: 75, Bad: 100, Diff: report.Interval{Mean: 25, Low: 20, High: 30}})
	if d.Good != 150 || d.Bad != 200 || d.Diff != (report.Interval{Mean: 50, Low: 40, High: 60}) {
		t.Errorf("at twice the time: %+v", d)
	}
	counted := hunt{Job: &setup.Job{Sampler: sampling("allocs")}, whole: whole}
	if d := counted.atSpeed(&report.Delta{Bad: 100}); d.Bad != 100 {
		t.Errorf("a count: %+v", d)
	}
}

// The last step of a chain is what has most of the culprit's difference, and has
// numbers if these are of the same size.
func TestLastStep(t *testing.T) {
	h := &hunt{Job: &setup.Job{Sampler: sampling("time")}}
	added := func(low, high, share float64) layers.Gains {
		d := &report.Delta{Diff: report.Interval{Mean: (low + high) / 2, Low: low, High: high}}
		return layers.Gains{Part: &layers.Gain{Part: layers.Part{Calls: change.Pair[*callgraph.Call]{Bad: &callgraph.Call{Text: "g()"}}}, Delta: d, Share: share}}
	}
	instead := added(80, 130, 1.1)
	instead.Part.Instead = true
	for _, test := range []struct {
		name     string
		g        layers.Gains
		call     string
		kind     report.Kind
		measured bool
	}{
		{"nothing gained", layers.Gains{}, "(its own code)", report.OwnCode, true},
		{"most of it", added(80, 100, 0.9), "g()", report.AddedCall, true},
		{"a small share", added(80, 100, 0.2), "(its own code)", report.OwnCode, true},
		{"a large share of little", added(20, 40, 1.8), "(its own code)", report.OwnCode, true},
		{"in place of other work", added(900, 1100, 10), "g()", report.AddedCall, false},
		{"in place of something, process by process", instead, "g()", report.AddedCall, false},
		{"in place of a little", added(111, 140, 1.2), "g()", report.AddedCall, false},
	} {
		c := report.Culprit{Kind: report.OwnCode, Share: 1, Delta: report.Delta{Diff: report.Interval{Mean: 100, Low: 90, High: 110}}}
		step := h.lastStep(&c, test.g)
		if step.Call != test.call || c.Kind != test.kind || (step.Delta != nil) != test.measured {
			t.Errorf("%s: %+v, %s", test.name, step, c.Kind)
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

package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/stats"
)

// proofOf has functions of good back of which the first was asked for.
func proofOf(recovered float64, pairs int, names ...string) *proof {
	p := &proof{plan: revert.Plan{Functions: names}, bad: make([]float64, pairs)}
	p.Recovered.Mean = recovered
	p.suspects = []change.Suspect{{Name: names[0]}}
	return p
}

// What is the same code says the same of whoever was asked for, so the one that was
// tried first, as the likeliest, stays; how much each recovered is noise.
func TestBetter(t *testing.T) {
	first := proofOf(0.8, 12, "a", "b")
	for _, test := range []struct {
		name string
		p    *proof
		than *proof
		want bool
	}{
		{"than nothing", first, nil, true},
		{"the same code", proofOf(1.1, 12, "b", "a"), first, false},
		{"as much came along", proofOf(1.1, 12, "c", "d"), first, false},
		{"less came along", proofOf(0.7, 12, "b"), first, true},
		{"more came along", proofOf(1.1, 12, "b", "a", "c"), first, false},
	} {
		if got := test.p.better(test.than); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// The same code is measured once, for whichever of its functions it is put back.
func TestComposed(t *testing.T) {
	of := func(text string) map[string][]byte { return map[string][]byte{"f.go": []byte("package f\n\n" + text)} }
	one, other := proofOf(0.8, 12, "a", "b"), proofOf(0.1, 48, "c")
	one.plan.Files = of("func a() { b() }\n\nfunc b() {}\n")
	other.plan.Files = of("func c() {}\n")
	h := &hunt{proofs: map[string]*proof{"a": one, "c": other, "m": {module: &change.Module{Path: "m"}}}}
	asked := proofOf(0, 0, "b", "a")
	asked.plan.Files = of("func b() {}\n\nfunc a() { b() }\n")
	same := h.composed(asked.plan)
	if same != one {
		t.Fatalf("composed gives %+v", same)
	}
	p := asked.asIn(same)
	if p.suspects[0].Name != "b" || p.plan.Functions[0] != "b" || len(p.bad) != 12 || p.Recovered.Mean != 0.8 {
		t.Errorf("asIn gives %+v", p)
	}
	for _, text := range []string{"func a() { b() }\n", "func a() { c() }\n\nfunc b() {}\n", "func a() {}\n\nfunc b() { a() }\n", "func {"} {
		if q := h.composed(revert.Plan{Files: of(text)}); q != nil {
			t.Errorf("%s is %s", text, q.plan.Files["f.go"])
		}
	}
	two := of("func a() { b() }\n\nfunc b() {}\n")
	two["g.go"] = []byte("package f\n")
	if q := h.composed(revert.Plan{Files: two}); q != nil {
		t.Error("a file more is the same code")
	}
}

// sampling samples a quantity of a benchmark.
func sampling(quantity string) *compare.Sampler {
	q, _ := compare.QuantityOf(quantity, harness.Bench)
	return &compare.Sampler{Quantity: q}
}

// A difference and its share of the whole belong together, however fast the machine was
// when either was measured.
func TestAtSpeed(t *testing.T) {
	whole := &compare.Whole{Comparison: stats.Comparison{Bad: stats.Summary{Mean: 200}}}
	timed := hunt{sampler: sampling("time"), whole: whole}
	d := timed.atSpeed(&report.Delta{Good: 75, Bad: 100, Diff: report.Interval{Mean: 25, Low: 20, High: 30}})
	if d.Good != 150 || d.Bad != 200 || d.Diff != (report.Interval{Mean: 50, Low: 40, High: 60}) {
		t.Errorf("at twice the time: %+v", d)
	}
	counted := hunt{sampler: sampling("allocs"), whole: whole}
	if d := counted.atSpeed(&report.Delta{Bad: 100}); d.Bad != 100 {
		t.Errorf("a count: %+v", d)
	}
}

// The last step of a chain is what has most of the culprit's difference, and has
// numbers if these are of the same size.
func TestLastStep(t *testing.T) {
	h := &hunt{sampler: sampling("time")}
	added := func(low, high, share float64) gains {
		c := stats.Comparison{Diff: stats.Interval{Mean: (low + high) / 2, Low: low, High: high}}
		return gains{part: &gain{part: part{badCall: &callgraph.Call{Text: "g()"}}, comparison: c, share: share}}
	}
	for _, test := range []struct {
		name     string
		g        gains
		call     string
		kind     report.Kind
		measured bool
	}{
		{"nothing gained", gains{}, "(its own code)", report.OwnCode, true},
		{"most of it", added(80, 100, 0.9), "g()", report.AddedCall, true},
		{"a small share", added(80, 100, 0.2), "(its own code)", report.OwnCode, true},
		{"a large share of little", added(20, 40, 1.8), "(its own code)", report.OwnCode, true},
		{"in place of other work", added(900, 1100, 10), "g()", report.AddedCall, false},
	} {
		c := report.Culprit{Kind: report.OwnCode, Share: 1, Delta: report.Delta{Diff: report.Interval{Mean: 100, Low: 90, High: 110}}}
		step := h.lastStep(&c, test.g)
		if step.Call != test.call || c.Kind != test.kind || (step.Delta != nil) != test.measured {
			t.Errorf("%s: %+v, %s", test.name, step, c.Kind)
		}
	}
}

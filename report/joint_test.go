package report

import (
	"strings"
	"testing"
)

func TestJoin(t *testing.T) {
	hunt := func(name string, v Verdict, culprits ...Culprit) *Report {
		return &Report{Verdict: v, Workload: Workload{Name: name}, Culprits: culprits}
	}
	j := Join([]*Report{
		hunt("BenchmarkA", Inconclusive, Culprit{Function: "m.maybe"}),
		hunt("BenchmarkB", Regression, Culprit{Function: "m.slow", Confirmed: true}, Culprit{Function: "m.maybe"}),
		hunt("BenchmarkC", Regression, Culprit{Function: "m.slow", Confirmed: true}),
	})
	if j.Verdict != Regression || j.ExitStatus() != 1 {
		t.Errorf("verdict %s, exit status %d", j.Verdict, j.ExitStatus())
	}
	var b strings.Builder
	if err := j.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"m.slow: culprit in BenchmarkB, BenchmarkC\nm.maybe: suspect in BenchmarkA, BenchmarkB\n",
		"BenchmarkA: not decided\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
	for _, c := range []struct {
		verdicts []Verdict
		status   int
	}{
		{[]Verdict{Improvement, Inconclusive, NoRegression}, 3},
		{[]Verdict{NoRegression, Improvement}, 0},
		{[]Verdict{Inconclusive, Regression}, 1},
	} {
		var list []*Report
		for _, v := range c.verdicts {
			list = append(list, hunt("", v))
		}
		if got := Join(list).ExitStatus(); got != c.status {
			t.Errorf("%v: exit status %d, want %d", c.verdicts, got, c.status)
		}
	}
}

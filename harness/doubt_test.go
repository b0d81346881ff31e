package harness

import (
	"strings"
	"testing"
)

func TestDoubt(t *testing.T) {
	batches := func(set, op float64, ns ...int64) (p Process) {
		for _, n := range ns {
			p.Batches = append(p.Batches, Batch{N: n, NS: set + op*float64(n)})
		}
		return p
	}
	for _, c := range []struct {
		p    Process
		want string
	}{
		{batches(0, 50, 1, 100, 10_000, 1_000_000), ""},
		{batches(20_000, 50, 1, 100, 10_000, 1_000_000), ""}, // caches that the first ones fill
		{batches(0, 0.3, 1, 100, 1e6, 1e9), "less than a processor's cycle"},
		{batches(5e6, 1, 1, 100, 10_000, 1_000_000), "the time does not grow with b.N"},
		{batches(2e6, 50, 1, 100, 10_000, 1_000_000), "2ms of a batch is there"},
		{batches(0, 3e9, 1), ""},
		{batches(0, 3e8, 1, 4), ""},
		{Process{Batches: []Batch{{N: 1, NS: 1e6}, {N: 100, NS: 2e6}, {N: 200, NS: 2e6}}}, ""}, // too alike to tell
	} {
		got := doubt(c.p)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.p.Batches, got, c.want)
		}
	}
	e := Estimate{Doubt: "x"}
	if got := (Plan{Good: e, Bad: e}).Doubts(); got != "x" {
		t.Errorf("%q", got)
	}
}

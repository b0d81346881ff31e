package compare

import (
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// TestReported: what a benchmark reports is compared as it is, a rate turned over, and
// what it does not report is no quantity.
func TestReported(t *testing.T) {
	p := harness.Process{Batches: []harness.Batch{{Bench: "BenchmarkX", N: 10, NS: 5, Reported: map[string]float64{"hits/op": 3, "MB/s": 500, "idle/s": 0}}}}
	for _, c := range []struct {
		metric, unit string
		value        float64
		counts       bool
	}{{"hits/op", "hits/op", 3, true}, {"MB/s", "ns/MB", 2e6, false}} {
		q, err := QuantityOf(c.metric, harness.Bench)
		if err != nil || q.Unit != c.unit || q.Counts() != c.counts || q.Check(p) != nil || !q.ByMean() {
			t.Errorf("%s: %+v, %v, %v", c.metric, q, err, q.Check(p))
		}
		if got := q.mean()(p).Whole; got != c.value {
			t.Errorf("%s is %v, want %v", c.metric, got, c.value)
		}
	}
	for metric, want := range map[string]string{"hit/op": "allocs, bytes, calls, gc-ns/op, live-B, MB/s, hits/op, idle/s", "idle/s": "there is no ratio"} {
		q, _ := QuantityOf(metric, harness.Bench)
		if err := q.Check(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", metric, err)
		}
	}
	if _, err := QuantityOf("hits/op", harness.Main); err == nil {
		t.Error("a program has figures of a benchmark")
	}
}

// The collector's time is not said to be the same where none of it was seen.
func TestNoCollection(t *testing.T) {
	q, _ := QuantityOf("gc-ns/op", harness.Bench)
	process := func(took float64) harness.Process {
		return harness.Process{Batches: []harness.Batch{{N: 10, NS: 5, Reported: map[string]float64{"gc-ns/op": 0}}, {N: 10, NS: 5, Reported: map[string]float64{"gc-ns/op": took}}}}
	}
	for took, want := range map[float64]stats.Verdict{0: stats.Unknown, 30: stats.Slower} {
		w := &Whole{Sampler: timed()}
		w.Sampler.Quantity, w.Sampler.Asked = q, Asked{Alpha: 0.01, MinEffect: 0.01, Test: stats.TestAuto}
		pair := harness.Pair{Good: process(0), Bad: process(took)}
		w.judge([]harness.Pair{pair, pair, pair}, pilot{}, 0.001)
		if w.Comparison.Verdict != want || (q.blind([]harness.Pair{pair}) != "") != (took == 0) {
			t.Errorf("%v ns in bad: %v, %q", took, w.Comparison.Verdict, w.Comparison.Warnings)
		}
	}
}

package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
)

func TestHasOtherWay(t *testing.T) {
	for _, test := range []struct {
		name       string
		change     func(h *hunt)
		processors int
		want       bool
	}{
		{"a benchmark", func(*hunt) {}, 2, true},
		{"one processor", func(*hunt) {}, 1, false},
		{"the user's number", func(h *hunt) { h.opts.Workload.CPUs = 2 }, 2, false},
		{"a program", func(h *hunt) { h.opts.Workload.Kind = harness.Main }, 2, false},
		{"in parallel", func(h *hunt) { h.plan.Bad.Shared = true }, 2, false},
		{"a duet", func(h *hunt) { h.opts.Duet = true }, 2, false},
		{"by counts", func(h *hunt) { h.metric = metrics["allocs"] }, 2, false},
		{"by all batches", func(h *hunt) { h.unmatched = true }, 2, false},
	} {
		h := &hunt{metric: metrics["time"]}
		test.change(h)
		if got := h.hasOtherWay(test.processors); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

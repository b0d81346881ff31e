package compare

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
)

func TestHasOtherWay(t *testing.T) {
	for _, test := range []struct {
		name       string
		change     func(s *Sampler)
		processors int
		want       bool
	}{
		{"a benchmark", func(*Sampler) {}, 2, true},
		{"one processor", func(*Sampler) {}, 1, false},
		{"the user's number", func(s *Sampler) { s.Workload.CPUs = 2 }, 2, false},
		{"a program", func(s *Sampler) { s.Workload.Kind = harness.Main }, 2, false},
		{"in parallel", func(s *Sampler) { s.Plan.Bad.Shared = true }, 2, false},
		{"a duet", func(s *Sampler) { s.Duet = true }, 2, false},
		{"by counts", func(s *Sampler) { s.Quantity, _ = QuantityOf("allocs", harness.Bench) }, 2, false},
		{"by all batches", func(s *Sampler) { s.ByMean = true }, 2, false},
	} {
		s := timed()
		test.change(s)
		if got := s.hasOtherWay(test.processors); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

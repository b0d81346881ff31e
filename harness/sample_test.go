package harness

import "testing"

func TestSampleByAnotherQuantity(t *testing.T) {
	p := Process{Batches: []Batch{{N: 10, NS: 100, Allocs: 30}, {N: 10, NS: 90, Allocs: 50}}}
	s := p.By(func(b Batch) float64 { return float64(b.Allocs) }).Sample()
	if s.Whole != 3 {
		t.Errorf("%v allocations per operation, want the 3 of the batch with fewest", s.Whole)
	}
	if p.Batches[0].NS != 100 {
		t.Error("the process was changed")
	}
}

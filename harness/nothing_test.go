package harness

import (
	"errors"
	"testing"
)

// TestFault: what no clock can have said is no result.
func TestFault(t *testing.T) {
	for _, c := range []struct {
		name    string
		seconds float64
		batches []Batch
		want    error
	}{
		{"usual", 1, []Batch{{N: 1000, NS: 5e8}, {N: 1000, NS: 4e8}}, nil},
		{"an empty loop", 1, []Batch{{N: 1e9, NS: 3e8}}, nil},
		{"few iterations of a coarse clock", 1, []Batch{{N: 1, NS: 0}}, nil},
		{"none", 1, nil, ErrNoResult},
		{"stopped timer", 1, []Batch{{N: 1e9, NS: 0}, {N: 1e9, NS: 0}}, ErrNothing},
		{"no loop", 1, []Batch{{N: 1e9, NS: 120}}, ErrNothing},
		{"longer than it ran", 0.1, []Batch{{N: 10, NS: 9e7}, {N: 10, NS: 9e7}}, ErrGarbage},
		{"negative", 1, []Batch{{N: 10, NS: -1}}, ErrGarbage},
		{"no iterations", 1, []Batch{{N: 0, NS: 1}}, ErrGarbage},
	} {
		p := Process{Seconds: c.seconds, Batches: c.batches}
		if err := p.fault(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

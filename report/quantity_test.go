package report

import (
	"math"
	"testing"
)

func TestSignificant(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want string
	}{
		{0, 3, "0"}, {1, 3, "1.00"}, {9.995, 3, "9.99"}, {-0.01234, 3, "-0.0123"}, {123456, 3, "123000"},
		{1e-9, 3, "0.000000"}, {math.Inf(1), 3, "+Inf"}, {99.96, 4, "99.96"},
	} {
		if got := significant(c.x, c.n); got != c.want {
			t.Errorf("significant(%v, %d) is %s, want %s", c.x, c.n, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1", 4000: "4000", 0.25: "0.25", 2.0201: "2.02", 1e-8: "0", 4000.5: "4000", 1234567: "1234567"} {
		if got := count(x); got != want {
			t.Errorf("count(%v) is %s, want %s", x, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0 %", 0.001: "0.1 %", 0.0001: "0 %", -0.0001: "0 %", 0.734: "73 %", -0.04: "-4 %", 1: "100 %"} {
		if got := percent(x); got != want {
			t.Errorf("percent(%v) is %s, want %s", x, got, want)
		}
	}
}

func TestInterval(t *testing.T) {
	s := scaleFor(3.15e6, "ns/op")
	if got, want := s.interval(Interval{3.15e6, -3.05e6, 3.27e6}), "+3.15 ms [-3.05, +3.27]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

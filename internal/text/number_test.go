package text

import (
	"math"
	"testing"
	"time"
)

func TestSignificant(t *testing.T) {
	for _, c := range []struct {
		x    float64
		n    int
		want string
	}{
		{0, 3, "0"}, {1, 3, "1.00"}, {9.995, 3, "9.99"}, {-0.01234, 3, "-0.0123"}, {123456, 3, "123000"},
		{1e-9, 3, "0.000000001"}, {6.0543e-6, 4, "0.000006054"}, {0.99999, 4, "1.000"}, {999.6, 3, "1000"}, {math.Inf(1), 3, "+Inf"}, {99.96, 4, "99.96"},
	} {
		if got := Significant(c.x, c.n); got != c.want {
			t.Errorf("Significant(%v, %d) is %s, want %s", c.x, c.n, got, c.want)
		}
	}
}

func TestCount(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1", 4000: "4000", 0.25: "0.25", 2.0201: "2.02", 1e-10: "0", 4000.5: "4000", 1234567: "1234567"} {
		if got := Count(x, 4); got != want {
			t.Errorf("Count(%v) is %s, want %s", x, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0 %", 0.001: "0.1 %", 0.0001: "0 %", -0.0001: "0 %", 0.734: "73 %", -0.04: "-4 %", 1: "100 %"} {
		if got := Percent(x); got != want {
			t.Errorf("Percent(%v) is %s, want %s", x, got, want)
		}
	}
}

func TestParseShare(t *testing.T) {
	for s, want := range map[string]float64{"2%": .02, " 2 % ": .02, "0.02": .02, "150%": 1.5, "-1": -1} {
		if got, err := ParseShare(s); err != nil || got != want {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "%", "2%%", "two"} {
		if got, err := ParseShare(s); err == nil {
			t.Errorf("%q is %v", s, got)
		}
	}
}

func TestPercents(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		mean, low, high float64
		want            string
	}{
		{1, .88, 1.104, "100 % [88, 110]"}, {-.2, -inf, inf, "-20 % [-∞, ∞]"},
	} {
		if got := Percents(test.mean, test.low, test.high); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestChange(t *testing.T) {
	for _, test := range []struct {
		mean, low, high float64
		want            string
	}{
		{1.124, 1.096, 1.14, "+12 % [+9.6, +14]"}, {1, .99996, 1.00004, "0 % [0, 0]"}, {1.1004, 1.098, 1.103, "+10.0 % [+9.8, +10.3]"}, {.5, .25, 2, "-50 % [-75, +100]"},
	} {
		if got := Change(test.mean, test.low, test.high); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

func TestDuration(t *testing.T) {
	for ns, want := range map[float64]time.Duration{
		0: 0, 0.3: 1, 51.2: 52, 999: 999, 47_789.2: 47_800, 10_234_567: 10_200_000, 2.345e9: 2_350_000_000,
	} {
		if got := Duration(ns); got != want {
			t.Errorf("%v ns: %v, want %v", ns, got, want)
		}
	}
}

func TestScaleOf(t *testing.T) {
	for _, test := range []struct {
		size float64
		unit string
		want Scale
	}{
		{999, "ns", Scale{1, "ns"}}, {-1500, "ns", Scale{1e3, "µs"}}, {3e10, "ns", Scale{1e9, "s"}},
		{16_000, "B", Scale{1e3, "kB"}}, {1e9, "calls", Scale{1, "calls"}},
	} {
		if got := ScaleOf(test.size, test.unit); got != test.want {
			t.Errorf("%v %s: %+v, want %+v", test.size, test.unit, got, test.want)
		}
	}
}

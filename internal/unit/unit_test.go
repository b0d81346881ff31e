package unit

import "testing"

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		unit       string
		more, time bool
		reciprocal string
		factor     float64
	}{
		{"ns/op", false, true, "op/ns", 1}, {"MB/s", true, true, "ns/MB", 1e9}, {"req/sec", true, true, "ns/req", 1e9},
		{"hits/op", false, false, "op/hits", 1}, {"p99-ns", false, true, "1/p99-ns", 1}, {"ratio", false, false, "1/ratio", 1},
		{"cpu-ns/op", false, true, "op/cpu-ns", 1}, {"allocs/op", false, false, "op/allocs", 1}, {"sessions", false, false, "1/sessions", 1},
	} {
		name, factor := Reciprocal(c.unit)
		if MoreIsBetter(c.unit) != c.more || IsTime(c.unit) != c.time || name != c.reciprocal || factor != c.factor {
			t.Errorf("%s: more is better %v, time %v, reciprocal %s by %v", c.unit, MoreIsBetter(c.unit), IsTime(c.unit), name, factor)
		}
	}
}

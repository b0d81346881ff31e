package profile

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Profiles see a difference in the deepest function that differs, not in those that only
// call it; and nothing where one of them has no samples.
func TestGains(t *testing.T) {
	fns := functions("tabcx")
	for _, test := range []struct {
		name      string
		ratio     float64
		good, bad map[string]int64
		want      map[rune]float64 // of a, b, c
	}{
		{"the one that grew", 2, map[string]int64{"ta": 20, "tx": 80}, map[string]int64{"ta": 120, "tx": 80}, map[rune]float64{'a': 1}},
		{"the deepest that grew", 2, map[string]int64{"tab": 20, "tx": 80}, map[string]int64{"tab": 120, "tx": 80}, map[rune]float64{'b': 1}},
		{"two", 2, map[string]int64{"ta": 50, "tb": 50}, map[string]int64{"ta": 150, "tb": 50}, map[rune]float64{'a': 1}},
		{"one got faster", 1.5, map[string]int64{"ta": 50, "tb": 50}, map[string]int64{"ta": 130, "tb": 20}, map[rune]float64{'a': 1.6, 'b': -0.6}},
		{"none of good", 2, nil, map[string]int64{"ta": 92, "tx": 8}, nil},
		{"none of bad", 2, map[string]int64{"ta": 92}, nil, nil},
	} {
		whose := func(fn *callgraph.Function) int {
			for i, r := range "abc" {
				if fns[r] == fn {
					return i
				}
			}
			return -1
		}
		got := gains(test.ratio, 3, attribution{stacksFrom(fns, test.good), whose}, attribution{stacksFrom(fns, test.bad), whose})
		for i, r := range "abc" {
			if d := got[i] - test.want[r]; d > 1e-9 || d < -1e-9 {
				t.Errorf("%s: %c gained %.2f, want %.2f", test.name, r, got[i], test.want[r])
			}
		}
	}
}

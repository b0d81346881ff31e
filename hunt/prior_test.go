package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Profiles single a suspect out only if most of the difference is in it, and beneath
// it in no other suspect; and only where there are enough samples to tell.
func TestFavourite(t *testing.T) {
	fns := functions("tabcx")
	for _, test := range []struct {
		name      string
		ratio     float64
		good, bad map[string]int64
		want      string
	}{
		{"the one that grew", 2, map[string]int64{"ta": 20, "tx": 80}, map[string]int64{"ta": 120, "tx": 80}, "a"},
		{"the deepest that grew", 2, map[string]int64{"tab": 20, "tx": 80}, map[string]int64{"tab": 120, "tx": 80}, "b"},
		{"not what is below and did not grow", 2, map[string]int64{"tab": 50, "ta": 50}, map[string]int64{"tab": 50, "ta": 150}, "a"},
		{"two that grew", 2, map[string]int64{"ta": 50, "tx": 50}, map[string]int64{"ta": 100, "tx": 100}, ""},
		{"too few samples", 2, map[string]int64{"ta": 1, "tx": 4}, map[string]int64{"ta": 6, "tx": 4}, ""},
		{"a small difference", 1.1, map[string]int64{"ta": 20, "tx": 80}, map[string]int64{"ta": 30, "tx": 80}, ""},
		{"few samples of a side that is much faster", 10, map[string]int64{"ta": 2, "tx": 8}, map[string]int64{"ta": 92, "tx": 8}, "a"},
		{"none of good", 2, nil, map[string]int64{"ta": 92, "tx": 8}, ""},
		{"none of bad", 2, map[string]int64{"ta": 92}, nil, ""},
	} {
		h := &hunt{whole: &compare.Whole{Comparison: stats.Comparison{Verdict: stats.Slower, Ratio: stats.Interval{Mean: test.ratio}, Diff: stats.Interval{Mean: 100}}}}
		var list []part
		for _, r := range "abcx" {
			list = append(list, part{goodFunc: fns[r], badFunc: fns[r]})
		}
		got := ""
		if s := h.favourite(list, stacksFrom(fns, test.good), stacksFrom(fns, test.bad)); s != nil {
			got = s.badFunc.Name
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

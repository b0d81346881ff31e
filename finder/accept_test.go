package finder

import (
	"math"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

func TestAccept(t *testing.T) {
	at := func(mean, low, high float64) stats.Interval { return stats.Interval{Mean: mean, Low: low, High: high} }
	for _, test := range []struct {
		name  string
		by    Evidence
		share stats.Interval
		limit float64
		want  Acceptance
	}{
		{"all of it", PutBack, at(1, .9, 1.1), .3, Confirms},
		{"most, and surely some", PutBack, at(.7, .31, 1.1), .3, Confirms},
		{"a bit more than all", PutBack, at(1.3, 1.1, 1.5), .3, Confirms},
		{"surely more than there is", PutBack, at(2.8, 1.21, 4.4), .3, Open},
		{"surely more than there is, with others", PutBackWith, at(4.64, 4, 5), .3, Open},
		{"a third of two causes", PutBack, at(.35, .2, .5), .105, ConfirmsPart},
		{"a third where all was expected", PutBack, at(.35, .2, .5), .3, Open},
		{"most, but others came along", PutBackWith, at(1, .9, 1.1), .3, ConfirmsPart},
		{"nothing", PutBack, at(0, -.05, .05), .1, Refutes},
		{"little", PutBack, at(.1, .05, .29), .3, Refutes},
		{"slower than before", PutBack, at(-1, -1.5, -.5), .3, Refutes},
		{"nothing, with others", PutBackWith, at(0, -.05, .05), .1, Refutes},
		{"too few samples", PutBack, at(.9, .29, 1.5), .3, Open},
		{"nothing known", PutBack, at(1, math.Inf(-1), math.Inf(1)), .1, Open},
		{"no number", PutBack, at(math.NaN(), math.NaN(), math.NaN()), .1, Open},
		{"by probes, however sure", Probed, at(1, .99, 1.01), .1, Open},
		{"by probes, an impossible amount", Probed, at(2.8, 2.7, 2.9), .1, Open},
		{"by probes, surely nothing", Probed, at(0, -.05, .05), .1, Refutes},
	} {
		if got := Accept(test.by, test.share, test.limit); got != test.want {
			t.Errorf("%s: %v %v: %v, want %v", test.name, test.by, test.share, got, test.want)
		}
	}
}

func TestLimit(t *testing.T) {
	for _, test := range []struct{ expected, minShare, want float64 }{
		{1, .1, .3}, {.35, .1, .105}, {.2, .1, .1}, {1, .5, .5},
	} {
		if got := Limit(test.expected, test.minShare); math.Abs(got-test.want) > 1e-9 {
			t.Errorf("%v of which %v is worth it: %v, want %v", test.expected, test.minShare, got, test.want)
		}
	}
}

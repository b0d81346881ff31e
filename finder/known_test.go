package finder

import (
	"context"
	"reflect"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// A whole that is known to be slower needs not be found slower again: parts are
// followed, and divide up the known difference at the speed of the reading.
func TestKnownWhole(t *testing.T) {
	known := stats.Comparison{Verdict: stats.Slower, Good: stats.Summary{Mean: 100}, Diff: stats.Interval{Mean: 10, Low: 5, High: 15}}
	for _, test := range []struct {
		name  string
		first stats.Verdict
		known stats.Comparison
		want  stats.Verdict
		share float64
	}{
		{"undecided, and known", stats.Unknown, known, stats.Slower, .5},
		{"undecided, and not known", stats.Unknown, stats.Comparison{}, stats.Unknown, 0},
		{"undecided, and known to be the same", stats.Unknown, stats.Comparison{Verdict: stats.Same}, stats.Unknown, 0},
		{"contradicted", stats.Same, known, stats.Same, 0},
		{"seen again", stats.Slower, known, stats.Slower, 1},
	} {
		s := &Search{Known: test.known, Measure: func(_ context.Context, l Layer, on Region, parts []Region) (Reading, error) {
			// Twice as slow a machine as before: 20 of 200.
			r := Reading{Whole: stats.Comparison{Verdict: test.first, Good: stats.Summary{Mean: 200}, Diff: stats.Interval{Mean: 10}}}
			for range parts {
				r.Parts = append(r.Parts, stats.Comparison{Verdict: stats.Same})
			}
			if len(parts) > 0 {
				r.Parts[0] = stats.Comparison{Verdict: stats.Slower, Diff: stats.Interval{Mean: 10, Low: 9, High: 11}}
			}
			return r, nil
		}}
		r, err := s.Run(context.Background(), twoCalls)
		if err != nil || r.Verdict != test.want {
			t.Errorf("%s: %v, %v, want %v", test.name, r.Verdict, err, test.want)
			continue
		}
		if test.share > 0 && (len(r.Culprits) != 1 || r.Culprits[0].Share() != test.share || !r.Culprits[0].Confirmed) {
			t.Errorf("%s: culprits %+v, want one with a share of %v", test.name, r.Culprits, test.share)
		}
	}
}

// Whoever confirms stops measuring as soon as what was asked for is decided; so
// nothing else may be asked for.
func TestConfirmationAsksForOneThing(t *testing.T) {
	for _, test := range []struct {
		name  string
		part  Part
		on    Region
		parts []Region
	}{
		{"a call", Part{Layer: twoCalls, Region: Region{1, 2}}, Region{1, 2}, []Region{{1, 2}}},
		{"a range", Part{Layer: twoCalls, Region: Region{0, 2}}, Region{0, 2}, []Region{{0, 2}}},
		{"own code", Part{Layer: twoCalls, Region: Region{0, 2}, Own: true}, Region{0, 2}, nil},
		{"a function as a whole", Part{Layer: twoCalls, Region: Region{0, 2}, Whole: true}, Region{}, nil},
		{"a function that calls nothing", Part{Layer: Layer{Name: "f"}, Own: true}, Region{}, nil},
	} {
		if on, parts := asked(test.part); on != test.on || !reflect.DeepEqual(parts, test.parts) {
			t.Errorf("%s: %v with %v, want %v with %v", test.name, on, parts, test.on, test.parts)
		}
	}
}

package finder

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

// exact measures a layer of n calls of which one is guilty, without noise.
func exact(culprit int) MeasureFunc {
	guilty := stats.Comparison{Verdict: stats.Slower, Diff: stats.Interval{Mean: 1, Low: 1, High: 1}}
	clean := stats.Comparison{Verdict: stats.Same}
	return func(_ context.Context, l Layer, on Region, parts []Region) (Reading, error) {
		r := Reading{Whole: guilty, Own: &clean}
		for _, p := range parts {
			if p.From <= culprit && culprit < p.To {
				r.Parts = append(r.Parts, guilty)
			} else {
				r.Parts = append(r.Parts, clean)
			}
		}
		return r, nil
	}
}

// The thesis (4.3) expects log2 n measurements of binary finding and (n+1)/2
// of linear finding, averaged over the places of the culprit. Linear finding
// saves 1/n here: when two calls are left, one comparison reads both.
func TestNumberOfComparisons(t *testing.T) {
	for n := 8; n <= 1024; n *= 2 {
		for _, size := range []int{n - 1, n, n + 1} {
			binary, worst := averageComparisons(t, Binary, size)
			if most := bits.Len(uint(size - 1)); worst != most {
				t.Errorf("binary, %d calls: at most %d comparisons, want ceil(log2 n) = %d", size, worst, most)
			}
			if size == n && binary != float64(bits.Len(uint(size-1))) {
				t.Errorf("binary, %d calls: %v comparisons on average, want log2 n", size, binary)
			}
			if size > 64 && (size != n || testing.Short()) {
				continue // linear finding takes n² steps to average
			}
			linear, worst := averageComparisons(t, Linear, size)
			f := float64(size)
			if want := (f+1)/2 - 1/f; math.Abs(linear-want) > 1e-9 || worst != size-1 {
				t.Errorf("linear, %d calls: %v comparisons on average and %d at most, want %v and %d",
					size, linear, worst, want, size-1)
			}
		}
		if sweep, _ := averageComparisons(t, Sweep, n); sweep != 1 {
			t.Errorf("sweep, %d calls: %v comparisons, want 1", n, sweep)
		}
	}
}

// averageComparisons counts narrowing comparisons over all places of the
// culprit, and checks that each is found.
func averageComparisons(t *testing.T, narrow Narrow, n int) (average float64, worst int) {
	t.Helper()
	root := Layer{Name: "f"}
	for i := range n {
		root.Calls = append(root.Calls, Call{Name: fmt.Sprint("c", i)})
	}
	sum := 0
	for place := range n {
		s := &Search{Narrow: narrow, Measure: exact(place)}
		r, err := s.Run(context.Background(), root)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Culprits) != 1 || r.Culprits[0].Last().Region != (Region{place, place + 1}) || !r.Culprits[0].Confirmed {
			t.Fatalf("%d calls, culprit at %d: found %+v", n, place, r.Culprits)
		}
		sum += r.Comparisons - r.Confirmations
		worst = max(worst, r.Comparisons-r.Confirmations)
	}
	return float64(sum) / float64(n), worst
}

package stats

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"
)

func TestMannWhitneyAgainstR(t *testing.T) {
	var long, longer []float64 // 30 and 28 values with ties
	for i := range 30 {
		long = append(long, float64(7*(i+1)+100))
	}
	for i := range 28 {
		longer = append(longer, float64(11*(i+1)+101))
	}
	for _, test := range []struct {
		good, bad []float64
		want      RankSum
	}{
		// R 4.2.2: wilcox.test(bad, good, exact=T)
		{steadyGood, steadyBad, RankSum{36, 0.00216450216450216, true}},
		{wildGood, wildBad, RankSum{6, 0.785714285714286, true}},
		// R 4.2.2: wilcox.test(bad, good, exact=F, correct=T)
		{long, longer, RankSum{561.5, 0.0282254220396666, false}},
	} {
		got, err := MannWhitney(test.good, test.bad)
		if err != nil || got.U != test.want.U || got.Exact != test.want.Exact || !near(got.P, test.want.P, 1e-12) {
			t.Errorf("MannWhitney = %+v, %v, want %+v", got, err, test.want)
		}
	}
}

// With ties, against all ways to deal the same values to both sides.
func TestMannWhitneyCountedOut(t *testing.T) {
	for _, values := range [][]float64{
		{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {1, 1, 1, 2, 2, 3, 3, 3, 3, 9}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, {4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
	} {
		const m = 4
		us := map[uint]float64{}
		for dealt := uint(0); dealt < 1<<10; dealt++ {
			if bits.OnesCount(dealt) == m {
				good, bad := deal(values, dealt)
				us[dealt] = pairwise(good, bad)
			}
		}
		for dealt, u := range us {
			good, bad := deal(values, dealt)
			below, above := 0., 0.
			for _, other := range us {
				if other <= u {
					below++
				}
				if other >= u {
					above++
				}
			}
			want := RankSum{u, min(1, 2*min(below, above)/float64(len(us))), true}
			if got, err := MannWhitney(good, bad); err != nil || got.U != want.U || !near(got.P, want.P, 1e-12) {
				t.Fatalf("%v and %v: %+v, %v, want %+v", good, bad, got, err, want)
			}
		}
	}
}

func deal(values []float64, dealt uint) (good, bad []float64) {
	for i, x := range values {
		if dealt>>i&1 == 1 {
			bad = append(bad, x)
		} else {
			good = append(good, x)
		}
	}
	return good, bad
}

// pairwise is U by its definition.
func pairwise(good, bad []float64) (u float64) {
	for _, b := range bad {
		for _, g := range good {
			if b > g {
				u++
			} else if b == g {
				u += .5
			}
		}
	}
	return u
}

func TestMannWhitneyEdges(t *testing.T) {
	if _, err := MannWhitney(nil, steadyBad); !errors.Is(err, ErrTooFew) {
		t.Errorf("no value: %v", err)
	}
	if _, err := MannWhitney([]float64{math.NaN()}, steadyBad); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
	equal := slices.Repeat([]float64{3}, 40)
	if r, err := MannWhitney(equal, equal); err != nil || r.P != 1 || r.Exact {
		t.Errorf("equal values: %+v, %v", r, err)
	}
	// Where the normal distribution takes over, both must agree.
	for shift := range 12 {
		var good, bad []float64
		for i := range 25 {
			good, bad = append(good, float64((i*7)%25)), append(bad, float64((i*11)%25)+float64(shift))
		}
		exact, _ := MannWhitney(good, bad)
		_, _, ties := midranks(good, bad)
		if normal := normalRankSumP(exact.U, 25, 25, ties); !exact.Exact || math.Abs(normal-exact.P) > .003+.1*exact.P {
			t.Errorf("moved by %d: P = %v counted out, normal %v", shift, exact.P, normal)
		}
	}
}

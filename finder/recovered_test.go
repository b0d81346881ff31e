package finder

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

func TestRecovered(t *testing.T) {
	ratio := func(x float64) stats.Comparison {
		return stats.Comparison{Ratio: stats.Interval{Mean: x, Low: x, High: x}}
	}
	for _, test := range []struct{ reverted, whole, want float64 }{
		{2, 2, 1},     // as fast as good
		{1, 2, 0},     // as slow as bad
		{1.5, 3, 0.5}, // 3 went to 2, good is 1
		{1.5, 1, math.MaxFloat64},
	} {
		share, least := Recovered(ratio(test.reverted), ratio(test.whole))
		for _, got := range []float64{share.Mean, share.Low, share.High, least} {
			if math.Abs(got-test.want) > 1e-9 {
				t.Errorf("bad/reverted %v, bad/good %v: %v, want %v", test.reverted, test.whole, got, test.want)
			}
		}
	}
}

// pairsAt are pairs whose bad side takes so much longer, with a scatter of 1 %.
func pairsAt(n int, slower float64, seed uint64) (good, bad []float64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		speed := 1000 * (1 + 0.2*r.Float64())
		good = append(good, speed)
		bad = append(bad, speed*(1+slower)*(1+0.01*r.NormFloat64()))
	}
	return good, bad
}

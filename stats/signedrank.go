package stats

import (
	"math"
	"sort"
	"sync"
)

// exactRanks is the number of values up to which Wilcoxon's signed-rank
// distribution is counted out. Beyond it the normal one stands in, with a
// correction for continuity: its tails below 4 % are heavier than the true ones,
// so that it decides a little later and never wrongly.
const exactRanks = 256

// signedRanks caches the distribution by the number of values: hunts look after
// the same few numbers of pairs again and again.
var signedRanks sync.Map // int -> []float64

// signedRankCDF returns P(T <= t) for t from 0 to half of n(n+1)/2, where T is
// the sum of those ranks 1..n whose coin shows heads. Each rank comes in with
// probability 1/2, so that the distribution of n follows from that of n-1; all
// terms are positive, and the smallest tail has as many good digits as the rest.
func signedRankCDF(n int) []float64 {
	if known, ok := signedRanks.Load(n); ok {
		return known.([]float64)
	}
	p := make([]float64, n*(n+1)/4+1)
	p[0] = 1
	for rank := 1; rank <= n; rank++ {
		for t := len(p) - 1; t >= 0; t-- {
			p[t] /= 2
			if t >= rank {
				p[t] += p[t-rank] / 2
			}
		}
	}
	for t := 1; t < len(p); t++ {
		p[t] += p[t-1]
	}
	signedRanks.Store(n, p)
	return p
}

// signedRankTail returns how many of the smallest values T can be wrong about:
// the largest k with P(T < k) <= tail, 0 when even T = 0 is too likely.
func signedRankTail(n int, tail float64) int {
	if n > exactRanks {
		return normalRankTail(n, tail)
	}
	cdf := signedRankCDF(n)
	return sort.Search(len(cdf), func(t int) bool { return cdf[t] > tail })
}

func normalRankTail(n int, tail float64) int {
	mean, sd := signedRankMoments(n)
	return max(0, int(math.Floor(mean-normalUpper(tail)*sd-0.5))+1)
}

func signedRankMoments(n int) (mean, sd float64) {
	m := float64(n)
	return m * (m + 1) / 4, math.Sqrt(m * (m + 1) * (2*m + 1) / 24)
}

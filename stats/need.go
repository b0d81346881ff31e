package stats

import "math"

// maxNeed is where an estimate stops being advice.
const maxNeed = 1 << 20

// chance is the upper tail that is left for bad luck: an estimate of what is
// needed settles four times in five.
const chance = 0.2

// need estimates the pairs that would settle c by Welch or by the paired test.
func (r Rule) need(c Comparison, p pairs) int {
	if r.Test != TestPaired || p.logs == nil {
		return r.welchNeed(c, p)
	}
	m := momentsOf(p.logs, 0)
	low, high := r.ratioBounds(c.Good.Mean)
	margin := math.Min(math.Abs(m.mean()-math.Log(high)), math.Abs(m.mean()-math.Log(low)))
	return pairsFor(margin, m.variance, 1, r.Alpha, m.n)
}

func (r Rule) welchNeed(c Comparison, p pairs) int {
	if len(p.good) < 2 || len(p.bad) < 2 {
		return 0
	}
	margin := math.Abs(math.Abs(c.Bad.Mean-c.Good.Mean) - r.MinEffect)
	scale := math.Max(math.Max(c.Good.SD, c.Bad.SD), margin)
	if scale == 0 || math.IsInf(scale, 1) {
		return 0
	}
	g, b := c.Good.SD/scale, c.Bad.SD/scale
	return pairsFor(margin/scale, g*g+b*b, 2, r.Alpha, min(len(p.good), len(p.bad)))
}

// pairsFor returns the least number of pairs above have for which an estimate
// with this variance per pair, made from sides samples, stays within margin:
// half-width plus the quantile of bad luck must fit between the estimate and
// the nearest bound.
func pairsFor(margin, variance float64, sides int, alpha float64, have int) int {
	z, luck := normalUpper(alpha/2), normalUpper(chance)
	// A quantile of Student's is about z+(z³+z)/4nu, so that n is off by a constant.
	// Where it matters, six digits of it are plenty.
	guess := (z+luck)*(z+luck)*variance/(margin*margin) + (z*z+1)/float64(2*sides)
	return least(have, guess, func(n int) bool {
		nu := float64(sides * (n - 1))
		q := hill(nu, alpha/2) + luck*(1+(luck*luck+1)/(4*nu))
		return q*math.Sqrt(variance/float64(n)) < margin
	})
}

// Resolvable returns the least difference, as a share, that n pairs would rule out
// in four of five cases if there is none, when the logarithms of their ratios have
// standard deviation sd and one verdict may be wrong with probability alpha.
// Infinite for fewer than two pairs.
func Resolvable(sd float64, n int, alpha float64) float64 {
	if n < 2 {
		return math.Inf(1)
	}
	q := studentUpper(float64(n-1), alpha/2) + normalUpper(chance/2) // bad luck has two sides
	return math.Expm1(q * sd / math.Sqrt(float64(n)))
}

// need estimates the pairs for the ranks to settle from the share of half sums
// beyond a bound: slower, faster, or neither beyond the one nor the other.
func (k ranks) need(alpha float64) int {
	if len(k.sorted) < 2 {
		return 0
	}
	m := float64(k.sorted.sums())
	below, above := float64(k.sorted.atMost(2*k.from))/m, 1-float64(k.sorted.atMost(2*k.to))/m
	if within := min(1-below, 1-above); within > max(below, above) {
		return pairsForRanks(within, chance/2, alpha, len(k.sorted)) // bad luck has two sides
	}
	return pairsForRanks(max(below, above), chance, alpha, len(k.sorted))
}

// pairsForRanks returns the least number of pairs above have for which the sum
// of ranks gets past the quantile, after Noether ("Sample size determination for
// some common nonparametric tests", JASA 82, 1987): what matters is the share of
// half sums beyond the bound, one half if the truth is the bound. His sum scatters
// as much as on the bound; the closer the share comes to one, the less it does.
func pairsForRanks(share, chance, alpha float64, have int) int {
	if share <= 0.5 {
		return 0
	}
	z, luck := normalUpper(alpha/2), normalUpper(chance)
	guess := (z + luck) * (z + luck) / ((share - 0.5) * (share - 0.5)) / 3
	luck *= 2 * math.Sqrt(share*(1-share))
	return least(have, guess, func(n int) bool {
		mean, sd := signedRankMoments(n)
		return math.Ldexp(1, -n) <= alpha/2 && // fewer can't be sure enough
			(2*share-1)*mean >= min(mean-0.5, z*sd+0.5)+luck*sd
	})
}

// least returns the least number above have that fits, looking around a guess;
// 0 when that is too many to be advice. What fits goes on fitting.
func least(have int, guess float64, fits func(n int) bool) int {
	if !(guess <= maxNeed) {
		return 0
	}
	low, high := have, max(have+1, int(guess))
	for step := 1; !fits(high); step *= 2 {
		if low, high = high, high+step; high > 2*maxNeed {
			return 0
		}
	}
	for step := 1; high-step > low; step *= 2 {
		if !fits(high - step) {
			low = high - step
			break
		}
		high -= step
	}
	for high-low > 1 {
		if middle := (low + high) / 2; fits(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// earliest is the smaller of two estimates, of which either may be missing.
func earliest(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

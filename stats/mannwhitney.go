package stats

import (
	"cmp"
	"math"
	"slices"
)

// RankSum is the outcome of a Mann-Whitney test.
type RankSum struct {
	U     float64 // pairs of a bad and a good value of which bad is larger; ties count half
	P     float64 // two-sided
	Exact bool    // counted out, ties too; else by the normal distribution
}

// exactRankSum is the number of values of both sides together up to which the
// distribution is counted out.
const exactRankSum = 50

// MannWhitney tests whether bad values tend to be larger than good ones or
// smaller (Mann and Whitney, "On a test of whether one of two random variables is
// stochastically larger than the other", 1947). It is what benchstat prints.
//
// It is right for independent values of one steady machine: any distribution,
// few values, wild ones. Values of runs of good followed by runs of bad are not
// that: when speed drifts, all of one side lie above the other, and the test is
// certain of it: with 10 runs each on a machine that drifts by 3 % from process to
// process, half of all equals differ at P < 0.05 (TestWhatEachCosts). Interleaving
// cures that, but the drift is then noise to it; pairs are better asked by
// [RankRatio].
func MannWhitney(good, bad []float64) (RankSum, error) {
	if !finite(good) || !finite(bad) {
		return RankSum{}, ErrNotFinite
	}
	if len(good) == 0 || len(bad) == 0 {
		return RankSum{}, ErrTooFew
	}
	ranks, sum, ties := midranks(good, bad)
	n, m := float64(len(good)), float64(len(bad))
	r := RankSum{U: float64(sum)/2 - m*(m+1)/2}
	if len(ranks) <= exactRankSum {
		r.P, r.Exact = rankSumP(ranks, len(bad), sum), true
		return r, nil
	}
	r.P = normalRankSumP(r.U, n, m, ties)
	return r, nil
}

func normalRankSumP(u, n, m, ties float64) float64 {
	all := n + m
	sd := math.Sqrt(n * m / 12 * (all + 1 - ties/(all*(all-1))))
	if sd == 0 {
		return 1
	}
	z := max(0, math.Abs(u-n*m/2)-0.5) / sd
	return math.Erfc(z / math.Sqrt2)
}

// midranks returns twice the rank of each value among all, ascending, where equal
// ones share the middle of theirs; twice the sum of bad's; and the sum of t³-t
// over runs of t equal values.
func midranks(good, bad []float64) (ranks []int, sum int, ties float64) {
	type value struct {
		x   float64
		bad bool
	}
	var all []value
	for _, x := range good {
		all = append(all, value{x, false})
	}
	for _, x := range bad {
		all = append(all, value{x, true})
	}
	slices.SortFunc(all, func(a, b value) int { return cmp.Compare(a.x, b.x) })
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].x == all[from].x {
			to++
		}
		for _, v := range all[from:to] {
			ranks = append(ranks, from+1+to)
			if v.bad {
				sum += from + 1 + to
			}
		}
		t := float64(to - from)
		ties += t*t*t - t
		from = to
	}
	return ranks, sum, ties
}

// rankSumP is the chance that m of the ranks, drawn at random, sum to something
// as far out as sum: twice that of the smaller tail.
func rankSumP(ranks []int, m, sum int) float64 {
	total := 0
	for _, r := range ranks {
		total += r
	}
	ways := make([][]float64, m+1) // of drawing k ranks with a sum
	for k := range ways {
		ways[k] = make([]float64, total+1)
	}
	ways[0][0] = 1
	for _, r := range ranks {
		for k := m; k > 0; k-- {
			for s := total; s >= r; s-- {
				ways[k][s] += ways[k-1][s-r]
			}
		}
	}
	var below, above, all float64
	for s, w := range ways[m] {
		all += w
		if s <= sum {
			below += w
		}
		if s >= sum {
			above += w
		}
	}
	return min(1, 2*min(below, above)/all)
}

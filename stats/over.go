package stats

import (
	"fmt"
	"math"
)

// Prior is what is known of how much link layouts move a ratio before their spread
// is seen: as if so many more layouts than Freedom had been seen, whose log ratios
// have standard deviation SD about their mean.
type Prior struct {
	SD      float64 // of a layout's log ratio
	Freedom float64 // degrees of freedom that SD is known with
}

// UsualLayouts is the prior where nothing was seen of a benchmark. It is large on
// purpose: layouts moved unchanged code by 2 % in most benchmarks, by 10 % in others and
// by 20 % in a few, and an interval has to hold there, too. Simulated, verdicts of 1 to
// 16 layouts are wrong with less than alpha up to 10 %, and 2.5 times as often at 20 %.
// With SD 0.02 and two degrees of freedom, as usual benchmarks are, those of 2 layouts
// were wrong 6 times as often as allowed (1 %) at 10 %, and 12 times at 20 %.
var UsualLayouts = Prior{SD: 0.1, Freedom: 4}

// Over is a comparison over link layouts, which are a random effect: the ratio is that
// of a layout not seen yet.
type Over struct {
	Ratio   Interval // bad/good, geometric mean over layouts
	Verdict Verdict
	Layouts int
	Between float64 // standard deviation of the layouts' mean log ratios, pairs' part in it
	ByPairs float64 // that part
	Within  float64 // standard deviation of a pair's log ratio in its layout
}

// CompareOver holds log ratios of pairs, grouped by link layout, against a least effect,
// which is a share of good. Null hypotheses: Slower rejects that the ratio over all
// layouts is at most 1+minEffect, Faster that it is at least 1-minEffect, Same that it
// is outside of these. Each is wrong with probability alpha at most, for layouts whose
// effects are normal.
//
// Each layout is one value, the mean of its pairs (Kalibera and Jones, "Rigorous
// benchmarking in reasonable time", ISMM 2013), and two intervals hold together, alpha
// shared out by their degrees of freedom: Student's over the layouts seen, which nothing
// that was known before can mislead; and one whose variance is moderated by the prior
// (Smyth, "Linear models and empirical Bayes methods", SAGMB 3, 2004), which even one
// layout has. It holds where layouts spread no more than the prior says. The narrower
// one is given: with a few layouts the prior's, from eight on nearly always Student's.
// It is never narrower than pairs within their layouts allow.
func CompareOver(groups [][]float64, alpha, minEffect float64, prior Prior) (Over, error) {
	l, err := layoutsOf(groups)
	if err != nil {
		return Over{Ratio: noRatio()}, err
	}
	o := Over{Layouts: len(l.means), Within: math.Sqrt(l.within), Between: math.Sqrt(l.over.variance), ByPairs: math.Sqrt(l.within * l.shares)}
	center, half := l.over.mean(), l.half(alpha, prior)
	o.Ratio = exp(Interval{center, center - half, center + half})
	if alpha > 0 && alpha < 1 {
		o.Verdict = judge(o.Ratio, 1-minEffect, 1+minEffect)
	}
	return o, nil
}

// ByLayout are the log ratios of pairs of the same index, grouped by what numbers their
// layouts; nil layouts: all had one.
func ByLayout(good, bad []float64, layouts []int) ([][]float64, error) {
	logs, err := logRatios(good, bad)
	if err != nil {
		return nil, err
	}
	return grouped(logs, layouts)
}

// grouped are values by group, in the order in which groups come first.
func grouped[T any](values []T, group []int) ([][]T, error) {
	if group == nil {
		return [][]T{values}, nil
	}
	if len(group) != len(values) {
		return nil, fmt.Errorf("%w: %d pairs and %d groups", ErrGroup, len(values), len(group))
	}
	place := make(map[int]int)
	var groups [][]T
	for i, g := range group {
		at, ok := place[g]
		if !ok {
			at = len(groups)
			place[g] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], values[i])
	}
	return groups, nil
}

// layouts is what values of several layouts say on two levels.
type layouts struct {
	means  []float64 // by layout
	over   moments   // of the means
	within float64   // variance of a value in its layout
	free   float64   // degrees of freedom of within
	shares float64   // variance of a mean in units of within, mean over layouts
}

func layoutsOf(groups [][]float64) (layouts, error) {
	var l layouts
	squares := 0.
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		if !finite(g) {
			return l, ErrNotFinite
		}
		m := momentsOf(g, 0)
		l.means = append(l.means, m.mean())
		squares += m.variance * float64(m.n-1)
		l.free += float64(m.n - 1)
		l.shares += 1 / float64(m.n)
	}
	if l.free < 1 && len(l.means) < 2 {
		return l, ErrTooFew
	}
	if l.free > 0 {
		l.within = squares / l.free
	}
	l.shares /= float64(len(l.means))
	l.over = momentsOf(l.means, 0)
	return l, nil
}

// half is the half-width of the interval of the mean over layouts.
func (l layouts) half(alpha float64, prior Prior) float64 {
	k := float64(l.over.n)
	seen, before := prior.split(alpha, k-1)
	half := math.Inf(1)
	if seen > 0 {
		half = math.Sqrt(l.over.variance/k) * studentUpper(k-1, seen/2)
	}
	if before > 0 {
		v := prior.moderated(prior.SD*prior.SD+l.within*l.shares, l.over.variance, k-1)
		half = min(half, math.Sqrt(v/k)*studentUpper(prior.Freedom+k-1, before/2))
	}
	if l.free > 0 {
		half = max(half, math.Sqrt(l.within*l.shares/k)*studentUpper(l.free, alpha/2))
	}
	return half
}

// split shares alpha out between what is seen, with so many degrees of freedom, and what
// was known before. Only the numbers of layouts decide on it, never what they say.
func (p Prior) split(alpha, free float64) (seen, before float64) {
	if !(p.Freedom > 0) {
		return alpha, 0
	}
	before = alpha * p.Freedom / (p.Freedom + free)
	return alpha - before, before
}

// moderated is a variance known before and one that is seen, together.
func (p Prior) moderated(before, seen, free float64) float64 {
	return (p.Freedom*before + free*seen) / (p.Freedom + free)
}

// After is the prior for what comes next in a benchmark in which these layouts were
// seen, grouped as for [CompareOver]: with more degrees of freedom than the prior has,
// what was seen takes its place, since that is of this benchmark; with fewer, the two
// are put together. The pairs' own scatter is part of what was seen, so that SD
// errs towards too much.
func (p Prior) After(groups [][]float64) Prior {
	l, err := layoutsOf(groups)
	free := float64(l.over.n - 1)
	if err != nil || free < 1 {
		return p
	}
	if free > p.Freedom {
		return Prior{SD: math.Sqrt(l.over.variance), Freedom: free}
	}
	return Prior{SD: math.Sqrt(p.moderated(p.SD*p.SD, l.over.variance, free)), Freedom: p.Freedom + free}
}

// Planned is the prior for layouts to come that have so many pairs each. Unlike
// [Prior.After] it takes what pairs explain out of what o saw, since more of them make
// that less. It is for plans, and for no interval.
func (p Prior) Planned(o Over, pairs int) Prior {
	free := float64(o.Layouts - 1)
	net := max(0, o.Between*o.Between-o.ByPairs*o.ByPairs)
	v := p.moderated(p.SD*p.SD, net, free) + o.Within*o.Within/float64(pairs)
	return Prior{SD: math.Sqrt(v), Freedom: p.Freedom + free}
}

// mostOrders is where [Prior.Orders] stops to count.
const mostOrders = 1 << 10

// Orders is how many link orders [CompareOver] probably needs, if they spread as the
// prior says and each has pairs enough, for a ratio that is beyond the nearest bound by
// effect, a share: a ratio of 1.05 held against a least effect of 1 % has 0.04. At most
// 1024.
//
// It is for budgets, and to skip numbers of orders that can't tell. An error holds for
// orders that are looked at in planned numbers, with a part of alpha for each.
func (p Prior) Orders(effect, alpha float64) int {
	margin := math.Abs(math.Log1p(effect))
	luck := normalUpper(chance)
	for k := 1; k < mostOrders; k++ {
		l := layouts{over: moments{n: k, variance: p.SD * p.SD}, shares: 1}
		if l.half(alpha, p)+luck*p.SD/math.Sqrt(float64(k)) < margin {
			return k
		}
	}
	return mostOrders
}

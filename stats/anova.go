package stats

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Variance is a one-way analysis of variance.
type Variance struct {
	F              float64 // how much more the groups' means vary than their values explain
	P              float64 // chance of such an F or a larger one, if all means are equal
	Between, Error int     // degrees of freedom of numerator and denominator
	Eta            float64 // share of all variation that lies between the groups (eta squared)
}

// ErrGroups says that there is nothing to compare, or nothing to compare with.
var ErrGroups = errors.New("need at least 2 groups with a value each, and more values than groups")

// ANOVA tests whether the means of more than two groups are all equal (thesis,
// 2.3.5; for two it is Student's test with equal variances). Groups may differ
// in size.
//
// It is right for one question asked of several histories at once, of groups
// that vary alike and were measured in mixed order. It says that some mean
// differs, not which, nor in which direction; a group that varies ten times as
// much as another makes P too small where it is also the smaller one; and a
// machine that was slower on the day of one history is a difference between
// groups. For two revisions use a [Rule].
func ANOVA(groups ...[]float64) (Variance, error) {
	n := 0
	for _, g := range groups {
		if len(g) == 0 {
			return Variance{}, ErrGroups
		}
		if !finite(g) {
			return Variance{}, ErrNotFinite
		}
		n += len(g)
	}
	v := Variance{Between: len(groups) - 1, Error: n - len(groups)}
	if v.Between < 1 || v.Error < 1 {
		return Variance{}, ErrGroups
	}
	between, within := squares(groups, n)
	v.F = between / float64(v.Between) / (within / float64(v.Error))
	switch {
	case between == 0:
		v.F, v.P = 0, 1
	case within == 0:
		v.F, v.P = math.Inf(1), 0
	default:
		// Note: distuv.F was tried; its Survival is 1-CDF, without digits below 1e-16.
		b, e := float64(v.Between), float64(v.Error)
		v.P = mathext.RegIncBeta(e/2, b/2, e/(e+b*v.F))
	}
	if total := between + within; total > 0 {
		v.Eta = between / total
	}
	return v, nil
}

// squares are the sums of squares between and within groups, of values scaled so
// that they can't overflow; ratios of the two are what is wanted.
func squares(groups [][]float64, n int) (between, within float64) {
	e := exponent(groups...)
	first := math.Ldexp(groups[0][0], -e) // distances from a value keep the digits that differ
	var sum float64
	means := make([]float64, len(groups))
	for i, g := range groups {
		m := momentsOf(g, e)
		means[i] = (m.first - first) + m.shift
		within += m.variance * float64(max(0, m.n-1))
		sum += means[i] * float64(m.n)
	}
	for i, g := range groups {
		d := means[i] - sum/float64(n)
		between += d * d * float64(len(g))
	}
	return between, within
}

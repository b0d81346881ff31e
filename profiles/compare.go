package profiles

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pinpoint-go/pinpoint/change"
)

// A Share is a function's part of the samples, with its interval.
type Share struct{ Mean, Low, High float64 }

// Grown is a function whose share grew, of its own code or with what it calls.
type Grown struct {
	Function string
	Own, All change.Pair[Share]
	More     Share // the growth: of its own code, where that is sure, else with what it calls
	IsOwn    bool  // which of the two
}

// alike is the part of the samples that must lie in functions which the other profile
// has, too: below it, they are of different programs.
const alike = 0.2

// ErrDiffer says that the profiles are not of one program.
var ErrDiffer = errors.New("the two profiles have hardly any functions in common: they are of different programs")

// Compare lists the functions for which of holds and whose share is larger in bad, most
// grown first; by chance alone it lists any with a probability of at most alpha.
func Compare(p change.Pair[*Profile], of func(function string) bool, alpha float64) ([]Grown, error) {
	if common(p.Bad, p.Good) < alike || common(p.Good, p.Bad) < alike {
		return nil, ErrDiffer
	}
	var names []string
	for name := range p.Bad.All {
		if of(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	z := distuv.UnitNormal.Quantile(1 - alpha/float64(4*max(1, len(names)))) // two sides, own and all
	var grown []Grown
	for _, name := range names {
		g := Grown{Function: name, Own: shares(p, z, func(p *Profile) float64 { return p.Own[name] }), All: shares(p, z, func(p *Profile) float64 { return p.All[name] })}
		g.More, g.IsOwn = growth(g.Own), true
		if g.More.Low <= 0 {
			g.More, g.IsOwn = growth(g.All), false
		}
		if g.More.Low > 0 {
			grown = append(grown, g)
		}
	}
	slices.SortStableFunc(grown, func(a, b Grown) int {
		return cmp.Or(cmp.Compare(b.More.Mean, a.More.Mean), strings.Compare(a.Function, b.Function))
	})
	return grown, nil
}

// common is the part of a profile's samples whose function another has, too.
func common(of, other *Profile) float64 {
	n := 0.0
	for name, own := range of.Own {
		if other.All[name] > 0 {
			n += own
		}
	}
	return n / of.Samples
}

func shares(p change.Pair[*Profile], z float64, of func(*Profile) float64) change.Pair[Share] {
	return change.Map(p, func(p *Profile) Share { return wilson(of(p), p.Samples, z) })
}

// wilson is the interval of a share by counts (Wilson, JASA 22, 1927).
func wilson(x, n, z float64) Share {
	mean := x / n
	center := (mean + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(mean*(1-mean)/n+z*z/(4*n*n))
	return Share{mean, max(0, center-half), min(1, center+half)}
}

// growth is the difference of two shares (Newcombe, Statistics in Medicine 17, 1998,
// method 10).
func growth(s change.Pair[Share]) Share {
	d := s.Bad.Mean - s.Good.Mean
	return Share{
		d,
		d - math.Hypot(s.Bad.Mean-s.Bad.Low, s.Good.High-s.Good.Mean),
		d + math.Hypot(s.Bad.High-s.Bad.Mean, s.Good.Mean-s.Good.Low),
	}
}

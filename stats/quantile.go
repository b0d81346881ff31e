package stats

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/distuv"
)

// studentUpper returns the t that a Student variable with nu degrees of
// freedom exceeds with probability tail, for 0 < tail <= 0.5.
//
// Note: distuv's own Quantile was tried. Asked for 1-p it has lost p (1e-17 is
// 0). Asked for the lower tail it is exact up to a hundred degrees of freedom;
// then it inverts nu/(nu+t²), which is next to 1, and for a tail of 5e-10 is
// off by 4e-7 of the quantile at nu = 1000 and by a factor of 40 at a million.
// Survival is direct and good to the last digits in the tail, so that is
// inverted here, on the logarithm of the tail, which is nearly a parabola of t,
// inside a bracket that only shrinks.
func studentUpper(nu, tail float64) float64 {
	switch {
	case math.IsNaN(nu) || nu <= 0 || math.IsNaN(tail) || tail > 0.5:
		return math.NaN()
	case tail <= 0:
		return math.Inf(1)
	case tail == 0.5:
		return 0
	case nu > normalFrom:
		return normalUpper(tail)
	case nu == math.Trunc(nu) && nu < maxKnown:
		return knownStudent(nu, tail)
	}
	return invertStudent(nu, tail)
}

// maxKnown and maxTails bound what is remembered.
const (
	maxKnown = 1024
	maxTails = 4096
)

// known are quantiles asked for before: all parts of a comparison have the same
// number of pairs and the same share of the error.
var known struct {
	sync.RWMutex
	student map[[2]float64]float64
}

func knownStudent(nu, tail float64) float64 {
	at := [2]float64{nu, tail}
	known.RLock()
	x, ok := known.student[at]
	known.RUnlock()
	if ok {
		return x
	}
	x = invertStudent(nu, tail)
	known.Lock()
	defer known.Unlock()
	if known.student == nil || len(known.student) >= maxTails {
		known.student = make(map[[2]float64]float64)
	}
	known.student[at] = x
	return x
}

func invertStudent(nu, tail float64) float64 {
	want := math.Log(tail)
	lbeta := lgamma(nu/2) + lgamma(0.5) - lgamma((nu+1)/2)
	low, high := 0.0, math.Inf(1)
	x := hill(nu, tail)
	for range 200 {
		s, density := logStudent(nu, x, lbeta)
		if s > want {
			low = x
		} else {
			high = x
		}
		// Halley's step: g is the error of the logarithm, its derivatives are -r
		// and r*(curve-r).
		g, r, curve := s-want, math.Exp(density-s), (nu+1)*x/(nu+x*x)
		next := x + g/r/(1-g*(curve-r)/(2*r))
		if next > low && next < high {
			if math.Abs(next-x) <= 1e-6*x {
				return next // a step leaves the cube of the error: no digit is left to win
			}
		} else if math.IsInf(high, 1) {
			next = 2 * x
		} else if next = low + (high-low)/2; next == low || next == high {
			return next
		}
		x = next
	}
	return x
}

// logStudent returns the logarithms of the tail above x and of the density there.
// The tail is half an incomplete beta function, and its series goes on as powers
// of y, so that it is short where the tail is; elsewhere gonum's is taken.
func logStudent(nu, x, lbeta float64) (tail, density float64) {
	y := nu / (nu + x*x)
	logY := -math.Log1p(x * x / nu)
	density = (nu+1)/2*logY - math.Log(nu)/2 - lbeta
	if y > 0.7 {
		return math.Log(distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}.Survival(x)), density
	}
	a := nu / 2
	sum, term := 1/a, 1.0
	for n := 1.0; ; n++ {
		term *= (n - 0.5) / n * y
		t := term / (a + n)
		if sum += t; t < 1e-17*sum {
			break
		}
	}
	return a*logY - lbeta + math.Log(sum/2), density
}

func lgamma(x float64) float64 {
	l, _ := math.Lgamma(x)
	return l
}

// hill is where to begin looking for the quantile: Hill's expansion ("Algorithm
// 396", Communications of the ACM 13, 1970), six digits from two degrees of
// freedom on, and rough below.
func hill(nu, tail float64) float64 {
	a := 1 / (nu - 0.5)
	b := 48 / (a * a)
	c := ((20700*a/b-98)*a-16)*a + 96.36
	d := ((94.5/(b+c)-3)/b + 1) * math.Sqrt(a*math.Pi/2) * nu
	y := math.Pow(2*tail*d, 2/nu)
	if y > 0.05+a {
		x := -normalUpper(tail)
		y = x * x
		if nu < 5 {
			c += 0.3 * (nu - 4.5) * (x + 0.6)
		}
		c += (((0.05*d*x-5)*x-7)*x-2)*x + b
		y = (((((0.4*y+6.3)*y+36)*y+94.5)/c-y-3)/b + 1) * x
		y = math.Expm1(a * y * y)
	} else {
		y = ((1/(((nu+6)/(nu*y)-0.089*d-0.822)*(nu+2)*3)+0.5/(nu+4))*y-1)*(nu+1)/(nu+2) + 1/y
	}
	if t := math.Sqrt(nu * y); t > 0 && !math.IsInf(t, 1) {
		return t
	}
	return 1
}

// normalFrom is the number of degrees of freedom above which Student's and
// the normal quantile agree to about (t²+1)/4nu, far below any use of them.
const normalFrom = 1e9

// normalUpper returns the z that a standard normal variable exceeds with
// probability tail. The lower tail is asked for, since 1-tail has no digits
// for the tails that a hunt's shares are.
func normalUpper(tail float64) float64 {
	if tail <= 0 {
		return math.Inf(1)
	}
	return -distuv.UnitNormal.Quantile(tail)
}

package stats

import "math"

// Summary describes the values of one side.
type Summary struct {
	N    int     // number of values
	Mean float64 // arithmetic mean, in the unit of the values
	SD   float64 // sample standard deviation (n-1), 0 for fewer than two values
}

// Summarize returns the number, mean and standard deviation of xs. It neither
// overflows nor underflows as long as the answer itself is a float64.
func Summarize(xs []float64) Summary {
	e := exponent(xs)
	m := momentsOf(xs, e)
	return Summary{N: len(xs), Mean: math.Ldexp(m.mean(), e), SD: math.Ldexp(math.Sqrt(m.variance), e)}
}

// moments are the mean and the sample variance of values divided by 2^e. The
// mean is kept as the first value and the mean distance from it.
type moments struct {
	n            int
	first, shift float64
	variance     float64
}

func (m moments) mean() float64 { return m.first + m.shift }

// minus returns the difference of two means. First values that are close have
// an exact difference, so that digits below those of the means survive.
func (m moments) minus(o moments) float64 { return (m.first - o.first) + (m.shift - o.shift) }

// exponent returns the binary exponent of the largest magnitude in all sides.
// Dividing by that power of two is exact and brings every value into [-1, 1],
// where squares can't overflow and don't vanish unless they are irrelevant.
func exponent(sides ...[]float64) int {
	var largest float64
	for _, xs := range sides {
		for _, x := range xs {
			if x = math.Abs(x); x > largest {
				largest = x
			}
		}
	}
	_, e := math.Frexp(largest)
	return e
}

// momentsOf works on distances from the first value: equal values then have
// that value as their mean and a variance of zero, exactly, and a large common
// part can't cancel the digits that differ.
func momentsOf(xs []float64, e int) moments {
	m := moments{n: len(xs)}
	if m.n == 0 {
		return m
	}
	scaled := func(x float64) float64 { return math.Ldexp(x, -e) }
	if e > -1000 && e < 1000 {
		power := math.Ldexp(1, -e)
		scaled = func(x float64) float64 { return x * power } // as exact, and faster
	}
	m.first = scaled(xs[0])
	for _, x := range xs {
		m.shift += scaled(x) - m.first
	}
	m.shift /= float64(m.n)
	if m.n < 2 {
		return m
	}
	var squares float64
	for _, x := range xs {
		d := scaled(x) - m.first - m.shift
		squares += d * d
	}
	m.variance = squares / float64(m.n-1)
	return m
}

package stats

import (
	"math"
	"slices"
)

// walsh are ascending values and, by that, their Walsh sums: x[i]+x[j] for all
// i <= j. Their halves are what signed ranks are made of: the values that a
// center must not exceed for the k-th smallest of them to be that small.
//
// There are n(n+1)/2 sums, 74 thousand for 384 pairs. They are never listed:
// how many of them are small is counted in n steps, since rows are ascending.
type walsh []float64

func (x walsh) sums() int { return len(x) * (len(x) + 1) / 2 }

// atMost counts the sums that are at most s. Row i has those up to its partner j,
// and the partners only fall.
func (x walsh) atMost(s float64) int {
	count, i, j := 0, 0, len(x)-1
	for i <= j {
		if x[i]+x[j] <= s {
			count += j - i + 1
			i++
		} else {
			j--
		}
	}
	return count
}

// few is the number of sums that are faster sorted than halved once more.
const few = 12

// nth returns the k-th smallest sum, k from 1. It lies between two values that
// are brought together until few sums are left between them, and these are
// sorted. The next value is where the sum should be, and a little beyond, so that
// the farther end follows; where one end stays twice, halving makes sure of it.
func (x walsh) nth(k int) float64 {
	low, high := math.Nextafter(2*x[0], math.Inf(-1)), 2*x[len(x)-1]
	below, upTo := 0, x.sums()
	beyond := math.Sqrt(float64(len(x)))
	lows, highs := 0, 0 // how often in a row an end was moved
	for upTo-below > few {
		left := float64(upTo - below)
		at := (float64(k-below) - 0.5) / left
		if at < 0.5 {
			at += beyond / left
		} else {
			at -= beyond / left
		}
		if at <= 0 || at >= 1 || lows > 1 || highs > 1 {
			at = 0.5
		}
		middle := low + (high-low)*at
		if middle <= low || middle >= high {
			if middle = low + (high-low)/2; middle <= low || middle >= high {
				return high // all that are left are equal
			}
		}
		if n := x.atMost(middle); n >= k {
			high, upTo, highs, lows = middle, n, highs+1, 0
		} else {
			low, below, lows, highs = middle, n, lows+1, 0
		}
	}
	var list [few]float64
	left := x.between(low, high, list[:0])
	slices.Sort(left)
	return left[k-below-1]
}

// between appends the sums above low and up to high.
func (x walsh) between(low, high float64, left []float64) []float64 {
	end := len(x) // row i has its sums up to high before end
	for i := range x {
		for end > i && x[i]+x[end-1] > high {
			end--
		}
		for j := end - 1; j >= i && x[i]+x[j] > low; j-- {
			left = append(left, x[i]+x[j])
		}
	}
	return left
}

// center is the Hodges-Lehmann estimate: the median of the half sums.
func (x walsh) center() float64 {
	m := x.sums()
	middle := x.nth((m + 1) / 2)
	if m%2 == 1 || x.atMost(middle) > m/2 {
		return middle / 2 // the next one is the same
	}
	return middle/4 + x.nth(m/2+1)/4
}

// interval holds the center of a symmetric distribution with probability
// 1-alpha at least, whatever else that distribution is: Wilcoxon's signed-rank
// test inverted (Hodges and Lehmann, "Estimates of location based on rank
// tests", 1963). It is closed, and by that also holds where values are equal or
// lie on its ends: breaking such ties at random would move no end by more than
// nothing.
func (x walsh) interval(alpha float64) Interval {
	i := Interval{x.center(), math.Inf(-1), math.Inf(1)}
	if k := signedRankTail(len(x), alpha/2); k > 0 {
		i.Low, i.High = x.nth(k)/2, x.nth(x.sums()+1-k)/2
	}
	return i
}

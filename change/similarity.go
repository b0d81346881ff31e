package change

import "github.com/pinpoint-go/pinpoint/callgraph"

// leastSimilarity is the share of equal tokens from which two texts count as versions of
// one.
const leastSimilarity = 0.6

// Similar gives the similarity of two functions' parameters, results and bodies, from 0
// to 1: the share of tokens that they have in common in order. Names and receivers don't
// count. Below 0.6 it may be an upper bound. It is 0 when either has no source.
func Similar(a, b *callgraph.Function) float64 {
	if !a.HasBody() || !b.HasBody() {
		return 0
	}
	return Similarity(a.Tokens(), b.Tokens(), leastSimilarity)
}

// Similarity is the share of tokens that two sequences have in common in order: the
// length of their longest common subsequence, twice, by the length of both; 1 for
// equal sequences, 0 for disjoint ones. Where it can't reach least, an upper bound of
// it that is below least will do, which takes linear time.
func Similarity(a, b []string, least float64) float64 {
	all := float64(len(a) + len(b))
	if all == 0 {
		return 1
	}
	if bound := 2 * float64(inCommon(a, b)) / all; bound < least {
		return bound
	}
	return 2 * float64(commonLength(a, b)) / all
}

// inCommon counts the tokens that a and b have in common in any order.
func inCommon(a, b []string) int {
	left := make(map[string]int)
	for _, tok := range a {
		left[tok]++
	}
	both := 0
	for _, tok := range b {
		if left[tok] > 0 {
			left[tok]--
			both++
		}
	}
	return both
}

// commonLength is the length of the longest common subsequence. Equal ends, which
// is most of a changed function, are taken off first.
func commonLength(a, b []string) int {
	n := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b, n = a[1:], b[1:], n+1
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	x, y := numbers(a, b)
	row := make([]int, len(y)+1)
	for i := range x {
		diagonal := 0
		for j := range y {
			above := row[j+1]
			if x[i] == y[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return n + row[len(y)]
}

// numbers replaces equal tokens by equal numbers, which compare faster.
func numbers(a, b []string) (x, y []int32) {
	number := make(map[string]int32)
	convert := func(list []string) []int32 {
		out := make([]int32, len(list))
		for i, tok := range list {
			n, ok := number[tok]
			if !ok {
				n = int32(len(number))
				number[tok] = n
			}
			out[i] = n
		}
		return out
	}
	return convert(a), convert(b)
}

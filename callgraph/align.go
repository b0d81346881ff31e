package callgraph

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Pair is a call and its twin, as indexes into the calls of the good and the
// bad layer; -1 where a side has none.
type Pair struct{ Good, Bad int }

// Align matches the calls of two revisions of a layer without changing the
// order of either. It looks for the longest common sequence of calls with
// equal callee and text; in the gaps of that for equal callees; then for callees of
// equal base name (a function that became a method), then for callees with
// similar code (a renamed one), then for similar text. Every call of both layers is in
// exactly one pair.
//
// A call that moved past an unchanged one is therefore reported as removed in
// one place and added in the other.
func Align(good, bad *Layer) []Pair {
	steps := []func(g, b *Call) bool{
		func(g, b *Call) bool { return g.Key == b.Key },
		func(g, b *Call) bool { return g.target == b.target },
		func(g, b *Call) bool { return baseName(g) == baseName(b) },
		sameCode,
		func(g, b *Call) bool { return Similarity(words(g), words(b), similar) >= similar },
	}
	return align(good.Calls, bad.Calls, 0, 0, steps)
}

// sameCode reports whether the callees are versions of one function by their
// source. That of a few tokens is like any other's.
func sameCode(g, b *Call) bool {
	const few = 12
	x, y := g.Callee(), b.Callee()
	if x == nil || y == nil || !x.HasBody() || !y.HasBody() || len(x.tokens()) < few || len(y.tokens()) < few {
		return false
	}
	return Similar(x, y) >= similar
}

// words gives the names and literals of a call's text; punctuation makes any
// two calls look alike.
func words(c *Call) []string {
	var list []string
	for _, tok := range strings.Fields(c.tokens) {
		if r, _ := utf8.DecodeRuneInString(tok); unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_\"'`", r) {
			list = append(list, tok)
		}
	}
	return list
}

func align(good, bad []*Call, g0, b0 int, steps []func(g, b *Call) bool) []Pair {
	var pairs []Pair
	if len(steps) == 0 || len(good) == 0 || len(bad) == 0 {
		for i := range good {
			pairs = append(pairs, Pair{g0 + i, -1})
		}
		for i := range bad {
			pairs = append(pairs, Pair{-1, b0 + i})
		}
		return pairs
	}
	g, b := 0, 0
	for _, m := range common(len(good), len(bad), func(i, j int) bool { return steps[0](good[i], bad[j]) }) {
		pairs = append(pairs, align(good[g:m.Good], bad[b:m.Bad], g0+g, b0+b, steps[1:])...)
		pairs = append(pairs, Pair{g0 + m.Good, b0 + m.Bad})
		g, b = m.Good+1, m.Bad+1
	}
	return append(pairs, align(good[g:], bad[b:], g0+g, b0+b, steps[1:])...)
}

// common gives a longest common subsequence of two sequences of n and m
// elements, the earliest one when there are several.
func common(n, m int, equal func(i, j int) bool) []Pair {
	length := make([][]int, n+1) // of the longest one of the rests from i and j
	for i := range length {
		length[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if equal(i, j) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var pairs []Pair
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case equal(i, j) && length[i][j] == length[i+1][j+1]+1:
			pairs = append(pairs, Pair{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// baseName is the callee without package and receiver.
func baseName(c *Call) string {
	name := c.target
	if i := strings.LastIndexAny(name, ". "); i >= 0 {
		name = name[i+1:]
	}
	return name
}

// similar is the share of equal tokens from which two texts count as versions
// of one.
const similar = 0.6

package change

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pinpoint-go/pinpoint/callgraph"
)

// Align matches the calls of two revisions of a layer, by their indexes; -1 where a side
// has none. It looks for the longest common sequence of calls with equal callee and text;
// in the gaps of that for equal callees; then for callees of equal base name (a function
// that became a method), then for callees with similar code (a renamed one), then for
// similar text. Pairs are in the order of both; but a call that moved past an unchanged
// one, with its text or with its callee at least, stands where bad has it: apart, one would
// be seen to be gone and the other to be new, and neither would be followed. Every call of both layers is in exactly one pair.
func Align(good, bad *callgraph.Layer) []Pair[int] {
	steps := []func(g, b *callgraph.Call) bool{
		func(g, b *callgraph.Call) bool { return g.Key == b.Key },
		func(g, b *callgraph.Call) bool { return g.Target() == b.Target() },
		func(g, b *callgraph.Call) bool { return baseName(g) == baseName(b) },
		sameCode,
		func(g, b *callgraph.Call) bool {
			return Similarity(words(g), words(b), leastSimilarity) >= leastSimilarity
		},
	}
	pairs := align(good.Calls, bad.Calls, 0, 0, steps)
	moved := make(map[int]bool)
	for _, same := range steps[:2] {
		for i, p := range pairs {
			if p.Good >= 0 {
				continue
			}
			j := slices.IndexFunc(pairs, func(q Pair[int]) bool {
				return q.Bad < 0 && !moved[q.Good] && same(good.Calls[q.Good], bad.Calls[p.Bad])
			})
			if j >= 0 {
				pairs[i].Good = pairs[j].Good
				moved[pairs[j].Good] = true
			}
		}
	}
	return slices.DeleteFunc(pairs, func(p Pair[int]) bool { return p.Bad < 0 && moved[p.Good] })
}

// sameCode reports whether the callees are versions of one function by their
// source. That of a few tokens is like any other's.
func sameCode(g, b *callgraph.Call) bool {
	const few = 12
	x, y := g.Callee(), b.Callee()
	if x == nil || y == nil || !x.HasBody() || !y.HasBody() || len(x.Tokens()) < few || len(y.Tokens()) < few {
		return false
	}
	return Similar(x, y) >= leastSimilarity
}

// words gives the names and literals of a call's text; punctuation makes any
// two calls look alike.
func words(c *callgraph.Call) []string {
	var list []string
	for _, tok := range strings.Fields(c.Normal()) {
		if r, _ := utf8.DecodeRuneInString(tok); unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_\"'`", r) {
			list = append(list, tok)
		}
	}
	return list
}

func align(good, bad []*callgraph.Call, g0, b0 int, steps []func(g, b *callgraph.Call) bool) []Pair[int] {
	var pairs []Pair[int]
	if len(steps) == 0 || len(good) == 0 || len(bad) == 0 {
		for i := range good {
			pairs = append(pairs, Pair[int]{g0 + i, -1})
		}
		for i := range bad {
			pairs = append(pairs, Pair[int]{-1, b0 + i})
		}
		return pairs
	}
	g, b := 0, 0
	for _, m := range Common(len(good), len(bad), func(i, j int) bool { return steps[0](good[i], bad[j]) }) {
		pairs = append(pairs, align(good[g:m.Good], bad[b:m.Bad], g0+g, b0+b, steps[1:])...)
		pairs = append(pairs, Pair[int]{g0 + m.Good, b0 + m.Bad})
		g, b = m.Good+1, m.Bad+1
	}
	return append(pairs, align(good[g:], bad[b:], g0+g, b0+b, steps[1:])...)
}

// Common gives a longest common subsequence of two sequences of n and m
// elements, the earliest one when there are several.
func Common(n, m int, equal func(i, j int) bool) []Pair[int] {
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
	var pairs []Pair[int]
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case equal(i, j) && length[i][j] == length[i+1][j+1]+1:
			pairs = append(pairs, Pair[int]{i, j})
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
func baseName(c *callgraph.Call) string {
	name := c.Target()
	if i := strings.LastIndexAny(name, ". "); i >= 0 {
		name = name[i+1:]
	}
	return name
}

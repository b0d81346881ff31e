package finder

import (
	"encoding/binary"
	"slices"
)

// Sets of elements are ascending lists of their indices, each once.

func union(a, b []int) []int {
	u := slices.Concat(a, b)
	slices.Sort(u)
	return slices.Compact(u)
}

func minus(a, b []int) []int {
	var left []int
	for _, x := range a {
		for len(b) > 0 && b[0] < x {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != x {
			left = append(left, x)
		}
	}
	return left
}

// within reports whether all of a is in b.
func within(a, b []int) bool { return len(minus(a, b)) == 0 }

func key(a []int) string {
	k := make([]byte, 0, 2*len(a))
	for _, x := range a {
		k = binary.AppendUvarint(k, uint64(x))
	}
	return string(k)
}

// Package sestoft holds what Peter Sestoft measures in "Microbenchmarks in Java and
// C#" (2015): a function of twenty multiplications, and binary search.
//
// To see his table, from useless to useful ways of measuring, and to draw binary
// search over the size of the array, from the top of the repository:
//
//	go run ./examples/sestoft/table
package sestoft

import "math/rand/v2"

// Multiply does twenty multiplications that depend on i, so that none can be done
// beforehand.
func Multiply(i int) float64 {
	x := 1.1 * float64(i&0xFF)
	return x * x * x * x * x * x * x * x * x * x *
		x * x * x * x * x * x * x * x * x * x
}

// Search gives the index of x in sorted, or -1.
func Search(x int, sorted []int) int {
	low, high := 0, len(sorted)-1
	for low <= high {
		middle := int(uint(low+high) >> 1)
		switch {
		case sorted[middle] < x:
			low = middle + 1
		case sorted[middle] > x:
			high = middle - 1
		default:
			return middle
		}
	}
	return -1
}

// Numbers are 0 to n-1: searching takes longest where all items differ.
func Numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Items are numbers below n in no order, the same ones every time. They are made
// before the clock runs: to draw one takes as long as to search for it.
func Items(n int) []int {
	r := rand.New(rand.NewPCG(1, uint64(n)))
	list := make([]int, 1<<14)
	for i := range list {
		list[i] = r.IntN(n)
	}
	return list
}

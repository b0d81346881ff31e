// Package arraycopy is the benchmark of an experiment on noticing regressions (the
// thesis on the Scala Benchmarking Suite, 3.4): slices of nine types are cloned. How
// often, is what the experiment changes.
//
// To run the experiment and draw its figures, from the top of the repository:
//
//	go run ./examples/arraycopy/experiment
package arraycopy

// A List is what is cloned.
type List struct {
	Objects []any
	Bools   []bool
	Bytes   []int8
	Chars   []uint16
	Doubles []float64
	Floats  []float32
	Ints    []int32
	Longs   []int64
	Shorts  []int16
}

// NewList makes slices of zeros, of so many elements each.
func NewList(size int) List {
	return List{
		make([]any, size), make([]bool, size), make([]int8, size), make([]uint16, size), make([]float64, size),
		make([]float32, size), make([]int32, size), make([]int64, size), make([]int16, size),
	}
}

// Clone clones every slice.
func (l List) Clone() List {
	var to List
	l.CopyTo(&to)
	return to
}

// CopyTo clones every slice into what to has room for.
func (l List) CopyTo(to *List) {
	to.Objects = append(to.Objects[:0], l.Objects...)
	to.Bools = append(to.Bools[:0], l.Bools...)
	to.Bytes = append(to.Bytes[:0], l.Bytes...)
	to.Chars = append(to.Chars[:0], l.Chars...)
	to.Doubles = append(to.Doubles[:0], l.Doubles...)
	to.Floats = append(to.Floats[:0], l.Floats...)
	to.Ints = append(to.Ints[:0], l.Ints...)
	to.Longs = append(to.Longs[:0], l.Longs...)
	to.Shorts = append(to.Shorts[:0], l.Shorts...)
}

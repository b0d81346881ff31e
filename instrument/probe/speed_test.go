package probe

import (
	"sync"
	"testing"
	"time"
	"unsafe"
)

// BenchmarkCost compares a pair with its floor, two reads of the clock, and
// with what one would write by hand:
//
//	go test -bench Cost -benchtime 2000000x ./instrument/probe
//
// To reach: on at most 1.3 times two reads and 0.4 times time.Now and
// time.Since; off at most 1.5 ns; no allocation.
func BenchmarkCost(b *testing.B) {
	onStripes(b)
	b.ReportAllocs()
	b.Run("TwoReads", func(b *testing.B) {
		b.ReportAllocs()
		var sum uint64
		for range b.N {
			sum -= ticks()
			sum += ticks()
		}
		sink = int(sum)
	})
	b.Run("PairOn", func(b *testing.B) {
		b.ReportAllocs()
		pairs(b.N)
	})
	b.Run("PairOff", func(b *testing.B) {
		b.ReportAllocs()
		mask = &allOff
		defer func() { mask = chosen }()
		pairs(b.N)
	})
	b.Run("TimeNowSince", func(b *testing.B) {
		b.ReportAllocs()
		var sum time.Duration
		for range b.N {
			sum += time.Since(time.Now())
		}
		sink = int(sum)
	})
	b.Run("PairOn2Goroutines", func(b *testing.B) {
		b.ReportAllocs()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() { pairs(b.N) })
		}
		wg.Wait()
	})
	b.Run("GroupOn", func(b *testing.B) {
		b.ReportAllocs()
		var m [1]Mark
		s := 0
		for range b.N {
			s += Stop(BeginGroup(&m[0], 41, 41), s)
		}
	})
}

func pairs(n int) {
	var m [1]Mark
	s := 0
	for range n {
		s += Stop(Begin(&m[0], 40), s)
	}
}

var sink int

// onStripes lets probes count on stripes of their P, as on a board.
func onStripes(b *testing.B) {
	const n = 64
	var memory [n + 2][privateProbes + 1]Cell
	oldCells, oldStripes := cells, stripes
	cells, stripes = unsafe.Pointer(&memory), n
	b.Cleanup(func() { cells, stripes = oldCells, oldStripes })
}

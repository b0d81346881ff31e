package sestoft

import (
	"fmt"
	"testing"
)

var sink float64

func BenchmarkMultiply(b *testing.B) {
	sum := 0.0
	for i := 0; i < b.N; i++ {
		sum += Multiply(i)
	}
	sink = sum
}

var sizes = []int{100, 400, 1600, 6400, 25600, 102400, 409600, 1638400, 6553600}

// BenchmarkSearch searches for the same item again and again, which all caches then
// hold, and for others each time.
func BenchmarkSearch(b *testing.B) {
	for _, kind := range []string{"same", "random"} {
		for _, n := range sizes {
			b.Run(fmt.Sprintf("item=%s/size=%d", kind, n), func(b *testing.B) {
				numbers, items := Numbers(n), Items(n)
				if kind == "same" {
					for i := range items {
						items[i] = int(0.49 * float64(n))
					}
				}
				b.ResetTimer()
				found := 0
				for i := 0; i < b.N; i++ {
					found += Search(items[i&(len(items)-1)], numbers)
				}
				sink = float64(found)
			})
		}
	}
}

func TestSearch(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 100} {
		numbers := Numbers(n)
		for x := -1; x <= n; x++ {
			want := x
			if x < 0 || x >= n {
				want = -1
			}
			if got := Search(x, numbers); got != want {
				t.Errorf("%d of %d numbers: %d, want %d", x, n, got, want)
			}
		}
	}
}

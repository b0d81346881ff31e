package history

import (
	"math"
	"strings"
	"testing"
)

// FuzzRead takes anything for a result, and holds it against itself: nothing panics, and
// what is read has samples that are numbers.
func FuzzRead(f *testing.F) {
	f.Add(text(3, "h", 100, 1, 3))
	f.Add("rev: a\nBenchmarkX-8 1 5 ns/op 3 B/op\nrev: b\nBenchmarkX 1 NaN ns/op\n")
	f.Add("BenchmarkX 1 1e999 ns/op\nBenchmarkX\t1\t-0x1p-3 \xff/op\nUnit ns/op assume=exact\n")
	f.Fuzz(func(t *testing.T, data string) {
		all, err := Read(strings.NewReader(data), "fuzzed")
		if err != nil {
			return
		}
		for _, e := range all {
			for _, key := range e.Keys {
				for _, x := range e.Samples[key] {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Errorf("%v has %v", key, x)
					}
				}
			}
		}
		Rule{}.Check(append(all[:len(all):len(all)], all...), all)
	})
}

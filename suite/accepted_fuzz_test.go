package suite

import (
	"strings"
	"testing"
)

// FuzzAccepted reads files of accepted regressions. Each line is an entry or an error, and
// what is said of it is short.
func FuzzAccepted(f *testing.F) {
	f.Add("BenchmarkEncode  example.com/m/codec.sum  3f2a9c1d  records have checksums\n# no\n")
	f.Add("BenchmarkX * * y\r\nBenchmarkX * * y\n")
	f.Add("x.BenchmarkX/a=1 f 1234567 \x00\xff")
	f.Add(".Benchmark / . .")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := parseAccepted("a", text)
		lines := strings.Count(text, "\n") + 1
		if len(entries) > lines {
			t.Errorf("%d entries on %d lines", len(entries), lines)
		}
		if err != nil && len(err.Error()) > 600*lines {
			t.Errorf("an error of %d bytes on %d lines", len(err.Error()), lines)
		}
	})
}

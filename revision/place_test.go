package revision

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pinpoint-go/pinpoint/harness"
)

func TestDeclaring(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go":      "package p\nfunc BenchmarkA(b *testing.B) {}\n",
		"b_test.go":      "package p_test\nfunc BenchmarkB(b *testing.B) {}\nfunc TestA(t *testing.T) {}\n",
		"c_test.go":      "package p\nfunc Benchmarked(b *testing.B) {}\n",
		"a.go":           "package p\nfunc BenchmarkA() {}\n",
		"broken_test.go": "package p\nfunc {",
		"m_test.go":      "package p\nfunc (x T) BenchmarkA() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string][]string{
		"BenchmarkA$":    {"a_test.go"},
		"Benchmark":      {"a_test.go", "b_test.go"},
		"BenchmarkC":     nil,
		"Benchmarked":    nil,
		"BenchmarkB/x=1": {"b_test.go"},
	} {
		got, err := declaring(dir, harness.Workload{Kind: harness.Bench, Pattern: pattern})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", pattern, got, err, want)
		}
	}
}

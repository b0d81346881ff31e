package semver_test

import (
	"testing"

	"github.com/Masterminds/semver/v3"
)

// BenchmarkDrvInvalid tells texts that are no versions from versions.
func BenchmarkDrvInvalid(b *testing.B) {
	texts := []string{"1.2.3-alpha.01", "latest", "1.02.3", "release-2024-10-01", "1.2.3.4", "main"}
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		for _, text := range texts {
			if _, err := semver.NewVersion(text); err == nil {
				b.Fatal(text)
			}
		}
	}
}

package report

import (
	"strings"
	"testing"
)

// What a saved report says of the pinpoint that made it is text of others, too.
func TestSARIFVersion(t *testing.T) {
	r := &Report{}
	r.Provenance.Pinpoint = "v1\u202e\x1b[2J"
	var out strings.Builder
	if err := (&Suite{Benchmarks: []Benchmark{{Report: r}}}).WriteSARIF(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"version": "v1`) || strings.ContainsAny(out.String(), "\u202e\x1b") {
		t.Error(out.String())
	}
}

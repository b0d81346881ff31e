package harness

import (
	"errors"
	"strings"
	"testing"
)

// Several binaries get one count, whatever their number; a test has one batch of
// one; what matches nothing is an error.
func TestCalibrateEach(t *testing.T) {
	good, bad := buildSubject(t, "good", "./sub", Bench), buildSubject(t, "bad", "./sub", Bench)
	bins := []Binary{good, bad, good}
	it, err := CalibrateEach(t.Context(), bins, Workload{Pattern: "^BenchmarkLoop$"})
	if err != nil {
		t.Fatal(err)
	}
	if len(it.N) != 3 || it.N[0] < 1 || it.N[0] != it.N[1] || it.N[1] != it.N[2] || it.Batches < minBatches {
		t.Errorf("%+v", it)
	}
	it, err = CalibrateEach(t.Context(), bins[:1], Workload{Kind: Test, Pattern: "^TestFine$"})
	if err != nil || len(it.N) != 1 || it.N[0] != 1 || it.Batches != 1 {
		t.Errorf("%+v, %v", it, err)
	}
	var missing *MissingError
	if _, err := CalibrateEach(t.Context(), bins, Workload{Pattern: "Nowhere"}); !errors.As(err, &missing) {
		t.Errorf("error %v, want a MissingError", err)
	}
}

func TestPrinted(t *testing.T) {
	b := buildSubject(t, "good", "./sub", Bench)
	out, err := Printed(t.Context(), b, Workload{Pattern: "^BenchmarkLoop$", Set: []string{"GODEBUG=inittrace=1"}})
	if err != nil || !strings.Contains(out, "BenchmarkLoop") || !strings.Contains(out, "init runtime @") {
		t.Errorf("printed %q, %v", out, err)
	}
	var failed *WorkloadError
	if _, err := Printed(t.Context(), b, Workload{Pattern: "("}); !errors.As(err, &failed) {
		t.Errorf("error %v, want a WorkloadError", err)
	}
}

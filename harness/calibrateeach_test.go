package harness

import (
	"errors"
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

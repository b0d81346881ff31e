package harness

import (
	"errors"
	"fmt"
	"testing"
)

func TestFirstLine(t *testing.T) {
	failed := &WorkloadError{Label: "bad", Workload: "benchmark X", Cause: errors.New("exit status 2"), Tail: "goos: linux\npanic: no good\n\ngoroutine 1"}
	for _, test := range []struct {
		err  error
		want string
	}{
		{errors.New("one\ntwo"), "one"},
		{fmt.Errorf("measuring pair 1: %w", failed), "measuring pair 1: running benchmark X of the bad side: exit status 2 (panic: no good)"},
		{&WorkloadError{Label: "bad", Workload: "test X", Cause: errors.New("exit status 1"), Tail: "FAIL"}, "running test X of the bad side: exit status 1"},
	} {
		if got := FirstLine(test.err); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

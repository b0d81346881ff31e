package hunt

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
)

// testTime is the most that the tests of the package get, and testShare the share
// of the budget that is left.
const (
	testTime  = 20 * time.Second
	testShare = 0.25
)

// testUnderRevert runs the tests of the workload's package in bad with good's code
// put back, and says what they said: compiling is not being right. Tests that
// fail in bad itself say nothing.
func (h *hunt) testUnderRevert(ctx context.Context, p *proof) string {
	if h.opts.Workload.Kind == harness.Main || h.left() <= 0 {
		return ""
	}
	h.progress("running the package's tests with good's code put back")
	w := harness.Workload{
		Kind: harness.Test, Pattern: ".", Args: []string{"-test.short"},
		CPUs: h.opts.Workload.CPUs, Env: h.opts.Workload.Env,
		Timeout: min(testTime, time.Duration(testShare*float64(h.left()))),
	}
	failed, err := runTests(ctx, p.binary, w)
	switch {
	case ctx.Err() != nil:
		return ""
	case errors.Is(err, harness.ErrHung):
		return fmt.Sprintf("the package's tests did not end within %v with it", w.Timeout.Round(time.Second))
	case err != nil:
		return ""
	case len(failed) == 0:
		return "the package's tests (-short) pass with it"
	}
	before, err := runTests(ctx, h.bad.unprobed, w)
	if err != nil {
		return ""
	}
	var new []string
	for _, name := range failed {
		if !slices.Contains(before, name) {
			new = append(new, name)
		}
	}
	if len(new) == 0 {
		return "the tests of the package that fail with it fail in bad, too"
	}
	return "it is no fix: with it these tests of the package fail, which pass in bad: " + strings.Join(new, ", ")
}

// runTests gives the tests that failed, none if all passed or there are none.
func runTests(ctx context.Context, bin harness.Binary, w harness.Workload) (failed []string, err error) {
	_, err = harness.Run(ctx, bin, w, harness.Order{})
	var bad *harness.WorkloadError
	var none *harness.MissingError
	switch {
	case errors.As(err, &none):
		return nil, err
	case errors.Is(err, harness.ErrSkipped):
		return nil, nil
	case errors.As(err, &bad) && !errors.Is(err, harness.ErrHung):
		if failed = failedTests(bad.Tail); len(failed) == 0 {
			failed = []string{firstLine(bad.Cause)} // it panicked or exited by itself
		}
		return failed, nil
	}
	return nil, err
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

func failedTests(output string) []string {
	var names []string
	for _, m := range failedTest.FindAllStringSubmatch(output, -1) {
		names = append(names, m[1])
	}
	return names
}

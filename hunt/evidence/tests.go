package evidence

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// testTime is the most that one run of the tests of the package gets.
const testTime = 20 * time.Second

// testRounds is how often a test has to fail with good's code, and to pass without:
// some fail now and then by themselves.
const testRounds = 2

// addTests says what the package's tests say of bad with good's code for a culprit.
func (g *Gatherer) addTests(ctx context.Context, c *report.Culprit, _ change.Functions) {
	if p := g.Put[c.Function]; p != nil && c.Reverted != nil {
		if c.Reverted.Tests = g.testUnderRevert(ctx, p); c.Reverted.Tests != "" {
			c.AttestAll("tests", c.Reverted.Tests)
		}
	}
}

// testUnderRevert runs the tests of the workload's package in bad with good's code
// put back, and says what they said: compiling is not being right. Tests that
// fail in bad itself say nothing.
func (g *Gatherer) testUnderRevert(ctx context.Context, p *prove.Composition) string {
	if g.Sampler.Workload.Kind == harness.Main || g.Sampler.Budget.Left() <= 0 {
		return ""
	}
	g.Sampler.Log.Phase("running the package's tests with good's code put back")
	w := harness.Workload{
		Kind: harness.Test, Pattern: ".", Args: []string{"-test.short"},
		CPUs: g.Sampler.Workload.CPUs, Env: g.Sampler.Workload.Env,
	}
	tests := "the tests (-short) of " + g.packageName()
	var fail []string // with it, and not without
	for round := range testRounds {
		w.Timeout = min(testTime, g.Sampler.Budget.Left())
		if w.Timeout <= 0 {
			return ""
		}
		failed, err := runTests(ctx, p.Trial.Back.Binary, w)
		switch {
		case ctx.Err() != nil:
			return ""
		case errors.Is(err, harness.ErrHung):
			return fmt.Sprintf("%s did not end within %v with it", tests, w.Timeout.Round(time.Second))
		case err != nil:
			return ""
		case len(failed) == 0 && round == 0:
			return tests + " pass with it"
		case len(failed) == 0:
			return tests + " that fail with it do so now and then"
		}
		before, err := runTests(ctx, g.Bad.Unprobed, w)
		if err != nil {
			return ""
		}
		if round == 0 {
			fail = failed
		}
		fail = slices.DeleteFunc(fail, func(name string) bool {
			return !slices.Contains(failed, name) || slices.Contains(before, name)
		})
		if len(fail) == 0 {
			return tests + " that fail with it fail in bad, too"
		}
	}
	return "it is no fix: with it these of " + tests + " fail, which pass in bad: " + strings.Join(fail, ", ")
}

// packageName is the import path of the workload's package in bad.
func (g *Gatherer) packageName() string {
	name, _ := g.Bad.Prog.Package()
	return name
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
			failed = []string{harness.FirstLine(bad.Cause)} // it panicked or exited by itself
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

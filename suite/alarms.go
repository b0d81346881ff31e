package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/gate"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/report"
)

// onlyAlarms narrows the job to what another gate complained of.
func (o *Options) onlyAlarms() error {
	if len(o.Alarms) == 0 {
		return nil
	}
	var patterns, packages []string
	everywhere := false
	for _, a := range o.Alarms {
		if a.Kind != harness.Bench {
			continue
		}
		for _, name := range a.Names() {
			patterns = append(patterns, harness.PatternOf(name, nil))
		}
		everywhere = everywhere || a.Package == ""
		packages = append(packages, a.Package)
	}
	if len(patterns) == 0 {
		return nil
	}
	if slices.Equal(o.Packages, everything) && !everywhere {
		slices.Sort(packages)
		o.Packages = slices.Compact(packages)
	}
	var err error
	o.Changed = false
	o.Bench, err = harness.ParsePattern(strings.Join(patterns, "|"))
	return err
}

// everyModule has names without a package looked for in all modules of a workspace.
func (r *run) everyModule(ctx context.Context) {
	if len(r.opts.Alarms) == 0 || len(r.opts.Modules) > 0 || !slices.Equal(r.opts.Packages, everything) {
		return
	}
	bad := r.set.Pair().Bad
	out, err := bad.List(ctx, "-m", "-f", "{{.Dir}}")
	if err != nil {
		return // there may be none at the top, and the list of packages will say so
	}
	var patterns []string
	for dir := range strings.Lines(string(out)) {
		if rel, err := filepath.Rel(bad.PackageDir, strings.TrimSpace(dir)); err == nil && filepath.IsLocal(rel) {
			patterns = append(patterns, "./"+filepath.ToSlash(filepath.Join(rel, "...")))
		}
	}
	if len(patterns) > 1 {
		r.opts.Packages = patterns
	}
}

// means says whether the alarm is about a benchmark.
func means(a gate.Alarm, pkg, name string) bool {
	return a.Kind == harness.Bench && (a.Package == "" || a.Package == pkg) && slices.Contains(a.Names(), name)
}

// byClaim puts first what is claimed to be slower by most.
func (r *run) byClaim() {
	claim := func(b *bench) int {
		i := slices.IndexFunc(r.opts.Alarms, func(a gate.Alarm) bool { return means(a, b.Package, b.Name) })
		if i < 0 {
			return len(r.opts.Alarms)
		}
		return i
	}
	slices.SortStableFunc(r.benches, func(a, b *bench) int { return cmp.Compare(claim(a), claim(b)) })
}

// judgeAlarms says of each alarm what became of it.
func (r *run) judgeAlarms() {
	for _, a := range r.opts.Alarms {
		if a.Kind != harness.Bench {
			continue
		}
		out := alarmOf(a)
		for _, b := range r.report.Benchmarks {
			if means(a, b.Package, b.Name) {
				out.Package = b.Package
				out.Finding, out.Why = b.Judge()
			}
		}
		r.report.Alarms = append(r.report.Alarms, out)
	}
}

func alarmOf(a gate.Alarm) report.Alarm {
	return report.Alarm{Package: a.Package, Name: a.Name, Claim: a.Claim, Ratio: a.Ratio, Finding: report.Missing}
}

// huntTests hunts the tests that failed, each with an equal part of the time left. One
// that takes too long in bad, and not in good, is a workload like another.
func (r *run) huntTests(ctx context.Context) error {
	var tests []gate.Alarm
	for _, a := range r.opts.Alarms {
		if a.Kind == harness.Test {
			tests = append(tests, a)
		}
	}
	for i, a := range tests {
		out := alarmOf(a)
		dir, pkg, err := r.testDir(ctx, a)
		if err != nil {
			return err
		}
		budget := r.left() / time.Duration(len(tests)-i)
		switch {
		case dir == "":
		case budget < leastHunt:
			out.Finding, out.Why = report.Open, "no time was left: raise --budget"
		default:
			out.Package = pkg
			out.Finding, out.Why, out.Report, err = r.huntTest(ctx, a, dir, budget)
		}
		if err != nil {
			return err
		}
		r.report.Alarms = append(r.report.Alarms, out)
	}
	return nil
}

// patience is how many times as long as in the gate a test may take here.
const patience = 4

func (r *run) huntTest(ctx context.Context, a gate.Alarm, dir string, budget time.Duration) (report.Finding, string, *report.Report, error) {
	opts := r.opts.Hunt
	opts.Good, opts.Bad, opts.Package, opts.Budget = r.report.Good.Commit, r.headRevision(), dir, budget
	opts.Workload.Kind, opts.Workload.Pattern = harness.Test, harness.PatternOf(a.Name, nil)
	opts.Workload.Timeout = max(opts.Workload.Timeout, time.Duration(patience*a.Seconds*float64(time.Second)))
	opts.Progress = func(phase string, done, total int) {
		r.opts.Hunt.Progress("hunting "+a.Name+": "+phase, done, total)
	}
	rep, err := hunt.Find(harness.Purpose(ctx, "hunting "+opts.Workload.Pattern), opts)
	r.report.Cost.Hunts++
	switch {
	case errors.Is(err, context.Canceled):
		return "", "", rep, err
	case errors.Is(err, harness.ErrHung):
		return report.Broken, fmt.Sprintf("it takes more than %v here", opts.Workload.Timeout), rep, nil
	case err != nil:
		first, _, _ := strings.Cut(err.Error(), "\n")
		return report.Broken, "no matter of time: " + first, rep, nil
	case rep.Verdict == report.Regression:
		return report.Confirmed, rep.Change(), rep, nil
	case rep.Verdict == report.Inconclusive:
		return report.Open, rep.Change(), rep, nil
	}
	return report.FalseAlarm, rep.Change(), rep, nil
}

// testDir finds the package that declares a test: its directory and import path, "" if
// none does.
func (r *run) testDir(ctx context.Context, a gate.Alarm) (dir, pkg string, err error) {
	patterns := r.opts.Packages
	if a.Package != "" {
		patterns = []string{a.Package}
	}
	top := r.set.Pair().Bad.PackageDir
	for _, h := range r.homes {
		if h.sides.Bad == nil {
			continue
		}
		out, err := h.sides.Bad.List(ctx, append([]string{"-e", "-find", "-json=ImportPath,Dir,TestGoFiles,XTestGoFiles", "--"}, patterns...)...)
		if err != nil {
			return "", "", err
		}
		packages, err := packagesOf(out)
		if err != nil {
			return "", "", err
		}
		for _, path := range sortedKeys(packages) {
			tests, err := declared(packages[path], top, harness.Test)
			if err != nil {
				return "", "", err
			}
			if tests[a.Name] != "" {
				rel, err := filepath.Rel(top, packages[path].Dir)
				return filepath.ToSlash(rel), path, err
			}
		}
	}
	return "", "", nil
}

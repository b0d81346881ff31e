package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/report"
)

// entry is one accepted regression.
type entry struct {
	report.Acceptance
	between bool // the commit is one of those between base and head
	used    bool
}

// whatever is what an entry says where it does not matter.
const whatever = "*"

// parseAccepted reads entries, one a line:
//
//	# why a build may be slower
//	BenchmarkEncode  example.com/m/codec.checksum  3f2a9c1d  records carry a checksum now
//
// Benchmark (with or without its import path), the culprit's function, the commit
// that brought it (7 digits of its hash at least), and the reason, in words.
// Fields are set off by spaces. Culprit and commit may be *, for any. Empty lines
// and those that begin with # don't count.
func parseAccepted(file, text string) ([]report.Acceptance, error) {
	var entries []report.Acceptance
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		a, err := parseEntry(line)
		a.File, a.Line = file, i+1
		if err == nil {
			if j := slices.IndexFunc(entries, func(b report.Acceptance) bool {
				return a.Benchmark == b.Benchmark && a.Culprit == b.Culprit && a.Commit == b.Commit
			}); j >= 0 {
				err = fmt.Errorf("the same as line %d", entries[j].Line)
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", file, i+1, err))
			continue
		}
		entries = append(entries, a)
	}
	return entries, errors.Join(errs...)
}

func parseEntry(line string) (report.Acceptance, error) {
	var a report.Acceptance
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return a, fmt.Errorf("want a benchmark, a culprit, a commit and a reason, got %d of the four", len(fields))
	}
	a.Benchmark, a.Culprit, a.Commit = fields[0], fields[1], fields[2]
	a.Reason = strings.Join(fields[3:], " ")
	name, _, _ := strings.Cut(a.Benchmark[strings.LastIndex(a.Benchmark, ".Benchmark")+1:], "/")
	if !strings.HasPrefix(name, "Benchmark") {
		return a, fmt.Errorf("%.100q is not the name of a benchmark, such as BenchmarkEncode or example.com/m/codec.BenchmarkEncode/small", a.Benchmark)
	}
	if a.Commit != whatever && (len(a.Commit) < 7 || strings.Trim(a.Commit, "0123456789abcdef") != "") {
		return a, fmt.Errorf("%.100q is not a commit: give at least 7 digits of its hash, or * for any", a.Commit)
	}
	return a, nil
}

// mostAccepted is the largest file of accepted regressions, in bytes: some hundred
// entries with their reasons.
const mostAccepted = 64 << 10

// readAccepted reads the head's file of accepted regressions, if it has one, and
// finds out which of the commits lie between base and head.
func (r *run) readAccepted(ctx context.Context) error {
	name := r.opts.AcceptedFile
	data, err := r.set.Repo().File(ctx, r.set.Pair().Bad.Tree, name, mostAccepted)
	if errors.Is(err, fs.ErrNotExist) {
		if name == DefaultAccepted {
			return nil
		}
		return fmt.Errorf("--accepted %s: the head has no such file", name)
	}
	if err != nil {
		return fmt.Errorf("reading accepted regressions: %w", err)
	}
	entries, err := parseAccepted(name, string(data))
	if err != nil {
		return fmt.Errorf("reading accepted regressions:\n%w", err)
	}
	out, err := r.repo.Git(ctx, "rev-list", r.report.Good.Commit+".."+r.report.Bad.Commit)
	if err != nil {
		return err
	}
	commits := strings.Fields(string(out))
	for _, a := range entries {
		between := slices.ContainsFunc(commits, func(c string) bool { return strings.HasPrefix(c, a.Commit) })
		r.accepted = append(r.accepted, entry{Acceptance: a, between: between || a.Commit == whatever})
	}
	return nil
}

// matches says whether the entry is about a culprit of a benchmark.
func (e *entry) matches(b report.Benchmark, culprit string) bool {
	return e.between && e.names(b) && (e.Culprit == whatever || e.Culprit == culprit)
}

func (e *entry) names(b report.Benchmark) bool {
	return e.Benchmark == b.Name || e.Benchmark == b.FullName()
}

// judgeAccepted silences regressions all of whose culprits are accepted, and
// lists the entries that no longer match anything.
func (r *run) judgeAccepted() {
	for i := range r.report.Benchmarks {
		b := &r.report.Benchmarks[i]
		if b.Outcome != report.IsRegression {
			continue
		}
		if e := r.accepting(*b); e != nil {
			b.Outcome, b.Acceptance = report.IsAccepted, &e.Acceptance
		}
	}
	for i := range r.accepted {
		if e := &r.accepted[i]; !e.used {
			if why := r.stale(e); why != "" {
				r.report.Stale = append(r.report.Stale, report.Stale{Acceptance: e.Acceptance, Why: why})
			}
		}
	}
}

// accepting is the entry that silences a regression: one for each of its culprits
// must be there, and the first is given.
func (r *run) accepting(b report.Benchmark) *entry {
	culprits := []string{""} // none was found: only an entry for any matches
	if b.Report != nil && len(b.Report.Culprits) > 0 {
		culprits = nil
		for _, c := range b.Report.Culprits {
			culprits = append(culprits, c.Function)
		}
	}
	var first *entry
	missing := false
	for _, c := range culprits {
		i := slices.IndexFunc(r.accepted, func(e entry) bool { return e.matches(b, c) })
		if i < 0 {
			missing = true
			continue
		}
		r.accepted[i].used = true
		if first == nil {
			first = &r.accepted[i]
		}
	}
	if missing {
		return nil
	}
	return first
}

// stale says why an entry that was not used has nothing to say any more; "" when
// this job could not tell.
func (r *run) stale(e *entry) string {
	if !e.between {
		return "its commit is not between base and head: it is in the base by now, was rewritten, or never was"
	}
	named := false
	for _, b := range r.report.Benchmarks {
		if !e.names(b) {
			continue
		}
		named = true
		switch b.Outcome {
		case report.IsUnknown, report.IsFailed, report.IsBaseFailed, report.IsSkipped:
			return ""
		case report.IsUnselected:
			if b.Selected == notNamed {
				return ""
			}
		case report.IsRegression, report.IsAccepted:
			if b.Report == nil || len(b.Report.Culprits) == 0 {
				return "" // which culprit is not known
			}
			return "its benchmark got slower by something else: " + b.Report.Culprits[0].Function
		}
	}
	switch {
	case !named && (r.opts.Bench != nil || !slices.Equal(r.opts.Packages, everything)):
		return ""
	case !named:
		return "there is no such benchmark"
	}
	return "its benchmark has no regression"
}

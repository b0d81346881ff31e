package suite

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// run is one job under way.
type run struct {
	opts     Options
	start    time.Time
	repo     *backup.Repo
	head     backup.Revision // as it was when the job began
	rand     *rand.Rand
	set      *revision.Set // of the directory, for lists
	homes    []home
	alone    []*revision.Set // of modules that one revision has
	packages []*pkg
	orders   compare.Orders // that binaries are linked in
	benches  []*bench       // those that are compared
	accepted []entry
	report   *report.Suite
	machine  harness.Facts      // what measures
	kinds    []harness.Machines // of a fleet
	deciding sync.Mutex         // held while it is looked at what is decided of benchmarks
	mu       sync.Mutex         // guards the progress shown
	here     sync.Mutex         // held while a benchmark that is compared beside others uses what they share
}

// home is a directory in which the go command lists packages: the job's own, or that of a
// module below it.
type home struct {
	dir   string                          // slash path relative to the job's
	sides change.Pair[*revision.Revision] // nil where the revision has no such module
}

// pkg is a package that has benchmarks.
type pkg struct {
	path, dir string // import path; directory relative to where the job runs
	good, bad *listed
	diff      difference
	functions []*function        // of both revisions, by name
	rest      []report.Benchmark // those that are not compared
	inOrders  change.Pair[*compare.Entrant]
	set       *revision.Set // nil unless something of it is compared
}

// function is a benchmark function that both revisions have.
type function struct {
	name     string
	position string // in bad
	why      string // it is compared; "" is not at all
	looked   bool   // into its sub-benchmarks, or given up
	// leaves are the benchmarks that it was seen to have in each revision, itself if it has
	// no sub-benchmarks; nil before.
	leaves change.Pair[[]string]
	idle   map[string]bool // of them, those that run no changed code
	runs   int             // how many functions that differ it runs while it is timed, as far as that was counted
}

// pattern is what names one of its benchmarks.
func (f *function) pattern(name string) string {
	return harness.PatternOf(name, slices.Concat(f.leaves.Good, f.leaves.Bad))
}

// chosen are its benchmarks that are compared, as far as they are known.
func (f *function) chosen() []string {
	if f.leaves.Bad == nil {
		return []string{f.name}
	}
	return slices.DeleteFunc(slices.Clone(f.leaves.Bad), func(name string) bool {
		return f.idle[name] || !slices.Contains(f.leaves.Good, name)
	})
}

// bench is one benchmark that is compared.
type bench struct {
	report.Benchmark
	pkg      *pkg
	workload harness.Workload
	campaign *harness.Campaign
	samples  samples
	perPair  time.Duration
	changed  int // how many functions that differ its function runs while timed
	p        float64
	clear    bool
	said     reading // of the last look, by itself
	under    bool    // a look is under way
	stopped  bool    // failed, or its hunt contradicted
	hunted   bool
}

// progress tells what is done next. Builds of both sides may tell at the same time.
func (r *run) progress(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.opts.Hunt.Progress(fmt.Sprintf(format, args...), 0, 0)
}

// left is how much of the budget there is.
func (r *run) left() time.Duration { return r.opts.Hunt.Budget - time.Since(r.start) }

func (r *run) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.report.Warnings, text) {
		r.report.Warnings = append(r.report.Warnings, text)
	}
}

// inRepository makes a slash path below the job's directory one below the
// repository's top.
func (r *run) inRepository(dir string) string { return path.Join(r.repo.Prefix(), dir) }

// listOnly takes a benchmark up that is not compared.
func (p *pkg) listOnly(name, position string, outcome report.Outcome, why string, r *run) {
	p.rest = append(p.rest, report.Benchmark{
		Package: p.path, Dir: r.inRepository(p.dir), Name: name, Position: position, Outcome: outcome, Selected: why,
	})
}

func (p *pkg) chooseAll(why string) {
	for _, f := range p.functions {
		f.why = why
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

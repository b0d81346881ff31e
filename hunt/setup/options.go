package setup

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/serve"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Options says what to hunt and how. The zero value of a field is its default.
type Options struct {
	Dir       string // where the repository is looked for: any directory of it, or a git directory; default "."
	Good, Bad string // revisions; Bad may be backup.Worktree
	Package   string // directory of the workload's package, relative to Dir; default "."
	Workload  harness.Workload
	Driver    string // a _test.go file to place in the package in both revisions

	Func    string                 // the inspected function; default: the timed body
	Depth   int                    // how many layers to open; 0: no limit
	Exclude func(name string) bool // functions not to dig into
	Finder  string                 // auto, sweep, binary, linear or revert; default auto
	Metric  string                 // one of Metrics, or a unit that the benchmark reports; default time

	MinEffect     float64       // share of the good whole below which a difference does not count; default 1 %
	Alpha         float64       // bound on the chance of a wrong accusation; default 1 %
	Test          stats.Test    // which interval decides
	Budget        time.Duration // for everything, builds included; default 10 minutes
	MeasureAnyway bool          // a workload that runs nothing of what differs, too; a search only
	Evidence      time.Duration // of the budget, for what is told beside a culprit; default as long as it took to come to that, 15 s at most
	Seed          uint64        // of the order of pairs; 0: chosen and reported
	Duet          bool          // run both sides of a pair at the same time, see harness.Campaign

	Tags             string               // build tags, comma separated
	PGO              string               // off, or the absolute name of a profile that both are compiled by; default what each revision has
	Server           *serve.Server        // that Workload asks, whose benchmark it brings to Package; nil: none
	Toolchains       []string             // good's and bad's, as revision.Spec has them; default one for both
	CacheDir         string               // of the private trees; default the user's cache directory
	Version          string               // of pinpoint, for the report
	compare.Follower                      // is told how far it is; default: nobody
	Named            func(report.Culprit) // told as soon as a culprit is proved that makes most of the difference, before how it is reached and its evidence are known; default: silent
	Reached          func(report.Culprit) // told of each confirmed one when that is known, too, before its evidence is gathered; default: silent

	// Opened are both revisions, where the caller has opened them and closes them
	// again; nil: they are opened by what Dir, Package, Good, Bad, Driver and Tags say.
	Opened *revision.Set
}

// Metrics are the quantities that can be searched for, besides what benchmarks report
// themselves.
var Metrics = compare.Names()

// The defaults of Options.
const (
	DefaultMinEffect = 0.01
	DefaultAlpha     = 0.01
	DefaultBudget    = 10 * time.Minute
	AllEvidence      = math.MaxInt64 // whatever it takes of the budget
)

// SetDefaults fills in what was not said.
func (o *Options) SetDefaults() {
	if o.Dir == "" {
		o.Dir = "."
	}
	if o.Package == "" {
		o.Package = "."
	}
	if o.Finder == "" {
		o.Finder = "auto"
	}
	if o.Metric == "" {
		o.Metric = "time"
	}
	if o.MinEffect == 0 {
		o.MinEffect = DefaultMinEffect
	}
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Seed == 0 {
		// A seed that reads and types easily; it only orders pairs.
		o.Seed = 1 + rand.Uint64N(1_000_000)
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Named == nil {
		o.Named = func(report.Culprit) {}
	}
	if o.Reached == nil {
		o.Reached = func(report.Culprit) {}
	}
}

// Guided says whether the user told the search a way to go: then it goes through
// the layers, and what lies off the way is not looked at.
func (o *Options) Guided() bool { return o.Func != "" || o.Depth != 0 || o.Exclude != nil }

// spec is what is opened of both revisions.
func (o *Options) spec(q compare.Quantity) revision.Spec {
	return revision.Spec{
		Dir: o.Dir, Package: o.Package, Workload: o.Workload, Driver: o.Driver,
		Tags: o.Tags, PGO: o.PGO, Toolchains: o.Toolchains, Meter: q.Meter, Gauges: q.Gauges, CacheDir: o.CacheDir,
	}
}

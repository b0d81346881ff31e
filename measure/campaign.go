package measure

import (
	"math/rand/v2"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/serve"
)

// Options says what to measure and how. The zero value of a field is its default.
type Options struct {
	Dir     string   // where the repository is looked for; default "."
	Revs    []string // revisions; default the working tree
	Package string   // directory of the workload's package, relative to Dir; default "."

	// Workload is what runs. Its CPUs are the scenarios', and its Set comes before
	// their settings. The pattern of a benchmark may match several: each is a
	// scenario.
	Workload harness.Workload
	CPUs     []int   // numbers of processors; 0 is all; default all
	Params   []Param // environment variables with their values
	Driver   string  // a _test.go file to place in the package

	Measurers []Measurer // at least one
	Processes int        // per scenario; counts are content with 3; default 10
	// Lengths are those of the batches of a scenario's processes, in turn, as multiples
	// of the planned number of iterations; default all 1. See [ParseLengths].
	Lengths []float64
	// Deviation is the share of the mean time that the standard deviation of a
	// scenario's processes may be. Up to More processes follow one by one while it is
	// more; 0: none. A mean is as good for being stopped so, but its interval is a
	// little too narrow.
	Deviation float64
	More      int // default 7
	// Local takes all values from one process: its batches are the values. What the
	// process itself adds to all of them is then in none of their differences.
	Local bool
	// Iterations and Batches fix what one process runs; 0 leaves it to calibration.
	Iterations int64
	Batches    int

	// By is what is held against each other: a key of the benchmarks' names or of Params,
	// whose values are alternatives; "" for the revisions.
	By string

	Seed uint64 // of the order of processes; 0: chosen and reported
	Tags string // build tags, comma separated
	PGO  string // off, or the absolute name of a profile that all are compiled by; default what each revision has
	// Toolchains are those that build each revision, as revision.Spec has them; default
	// one for all.
	Toolchains []string
	Server     *serve.Server // that Workload asks; nil: none
	CacheDir   string        // of the private trees; default the user's cache directory
	Version    string        // of pinpoint, for the configuration lines
	Progress   func(phase string, done, total int)
}

// DefaultProcesses is how many processes measure a scenario.
const DefaultProcesses = 10

// DefaultMore is how many processes may follow where a deviation is asked for.
const DefaultMore = 7

func (o *Options) setDefaults() {
	if o.Dir == "" {
		o.Dir = "."
	}
	if len(o.Revs) == 0 {
		o.Revs = []string{backup.Worktree}
	}
	if o.Package == "" {
		o.Package = "."
	}
	if len(o.CPUs) == 0 {
		o.CPUs = []int{0}
	}
	if o.Processes == 0 {
		o.Processes = DefaultProcesses
	}
	if o.More == 0 {
		o.More = DefaultMore
	}
	if o.Seed == 0 {
		o.Seed = 1 + rand.Uint64N(1_000_000)
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
}

// A campaign is one measurement under way.
type campaign struct {
	opts   Options
	set    *revision.Set
	revs   []*version
	rand   *rand.Rand
	runs   []run
	cells  []*cell
	result *Result
}

// A cell is one scenario with what is needed to run it.
type cell struct {
	Scenario
	rev      *version
	workload harness.Workload
	n        int64 // iterations of a batch, by calibration
	batches  int
	index    int // in the result
}

func (c *campaign) progress(phase string) { c.opts.Progress(phase, 0, 0) }

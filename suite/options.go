package suite

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/gate"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
)

// Options says what to compare and by which rule. The zero value of a field is
// its default.
type Options struct {
	// Hunt has what all benchmarks share: directory, workload (processors,
	// timeout, environment), tags, cache, progress, seed, the budget of the whole
	// job, and what a hunt goes by (MinEffect, Alpha). Good, Bad, Package and the
	// workload's pattern are set here.
	Hunt hunt.Options

	Base     string   // revision to share history with; default: Target's
	Target   string   // name of the branch that head is to go into; default the remote's default branch
	Head     string   // default HEAD; may be backup.Worktree
	Packages []string // patterns as the go command has them, below Hunt.Dir; default ./...

	// Modules are directories below Hunt.Dir that have a go.mod, or with /... all below
	// them: Packages are patterns in each. Default: the go command runs in Hunt.Dir.
	Modules []string

	Bench   *harness.Pattern // nil is all
	Changed bool             // only benchmarks whose reachable code differs

	Alarms []gate.Alarm // of another gate: only these, most slower first; in place of Bench and Changed

	FailAbove     float64 // share of good by which bad may be slower; default 5 %
	FailOnUnknown bool
	AcceptedFile  string // slash path in the head's tree; default .pinpoint/accepted
	MeasureAnyway bool   // what runs no changed code, too
	DryRun        bool   // only say what would be compared, and why
}

// DefaultFailAbove and DefaultAccepted are defaults of Options, DefaultBudget is
// that of Options.Hunt.Budget.
const (
	DefaultFailAbove = 0.05
	DefaultAccepted  = ".pinpoint/accepted"
	DefaultBudget    = 20 * time.Minute
)

// everything is the default of Options.Packages.
var everything = []string{"./..."}

func (o *Options) setDefaults() {
	h := &o.Hunt
	if h.Dir == "" {
		h.Dir = "."
	}
	if h.Alpha == 0 {
		h.Alpha = setup.DefaultAlpha
	}
	if h.Budget == 0 {
		h.Budget = DefaultBudget
	}
	if h.Seed == 0 {
		h.Seed = 1 + rand.Uint64N(1_000_000)
	}
	if h.Progress == nil {
		h.Progress = func(string, int, int) {}
	}
	if o.Head == "" {
		o.Head = "HEAD"
	}
	if len(o.Packages) == 0 {
		o.Packages = everything
	}
	if o.FailAbove == 0 {
		o.FailAbove = DefaultFailAbove
	}
	if o.AcceptedFile == "" {
		o.AcceptedFile = DefaultAccepted
	}
}

// selection says in a phrase which benchmarks are compared.
func (o *Options) selection() string {
	what := "all benchmarks"
	if len(o.Alarms) > 0 {
		return "what another gate called slower, in " + strings.Join(o.Packages, " ")
	}
	if o.Bench != nil {
		what = fmt.Sprintf("benchmarks that match %q", o.Bench)
	}
	if o.Changed {
		what += " whose reachable code differs"
	}
	what += " in " + strings.Join(o.Packages, " ")
	if len(o.Modules) > 0 {
		what += " of the modules " + strings.Join(o.Modules, " ")
	}
	return what
}

// benchmarks says whether any benchmark is to be compared: another gate may complain of
// tests only.
func (o *Options) benchmarks() bool {
	return len(o.Alarms) == 0 || slices.ContainsFunc(o.Alarms, func(a gate.Alarm) bool { return a.Kind == harness.Bench })
}

// named says why benchmarks are compared whose reachable code may be the same.
func (o *Options) named() string {
	switch {
	case len(o.Alarms) > 0:
		return "another gate called it slower"
	case o.Bench != nil:
		return "named by --bench"
	}
	return "all are compared"
}

package hunt

import (
	"context"
	"errors"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Pair is one package in both revisions, for whoever compares many workloads
// before any of them is hunted: everything is done when it is asked for, once,
// and serves all the package's workloads. Nothing is carried from one revision
// to the other.
type Pair struct {
	*revision.Set
	workload          harness.Workload
	bad               harness.Binary
	GoodTree, BadTree backup.Tree
	Go                *harness.Go // builds both sides
}

// Open takes private copies of both revisions and picks the toolchain. Of the
// options, those that say what to search for are not looked at.
func Open(ctx context.Context, opts Options) (*Pair, error) {
	opts.setDefaults()
	opts.Workload.Pattern, opts.Driver = "", ""
	set, err := revision.OpenPair(ctx, opts.spec(0), change.Pair[string]{Good: opts.Good, Bad: opts.Bad})
	if err != nil {
		return nil, err
	}
	p := set.Pair()
	return &Pair{Set: set, workload: opts.Workload, GoodTree: p.Good.Tree, BadTree: p.Bad.Tree, Go: set.Go()}, nil
}

// Dirs are the package's directories in the private trees.
func (p *Pair) Dirs() (good, bad string) {
	sides := p.Pair()
	return sides.Good.PackageDir, sides.Bad.PackageDir
}

// Host is what the processes run on and with, for reports. Call it after Build.
func (p *Pair) Host() (host, environment []string) {
	return hostLines(p.Go), harness.Environment(p.bad, p.workload)
}

// List runs "go list" with these arguments in the package's directory of both
// revisions, with the build tags of the options. Both errors are the joined one.
func (p *Pair) List(ctx context.Context, args ...string) (good, bad []byte, err error) {
	sides := p.Pair()
	var errGood, errBad error
	change.Together(
		func() error { good, errGood = sides.Good.List(ctx, args...); return errGood },
		func() error { bad, errBad = sides.Bad.List(ctx, args...); return errBad },
	)
	return good, bad, errors.Join(errGood, errBad)
}

// Programs loads the package's code, for asking what it reaches: good's first, and then
// bad's, which finds compiled what both link. Each side has its own error.
func (p *Pair) Programs(ctx context.Context) (good, bad *callgraph.Program, errGood, errBad error) {
	sides := p.Pair()
	good, errGood = sides.Good.Load(ctx)
	bad, errBad = sides.Bad.Load(ctx)
	return good, bad, errGood, errBad
}

// Build builds the package's test binary in both revisions, without probes. Each
// side has its own error.
func (p *Pair) Build(ctx context.Context) (good, bad harness.Binary, errGood, errBad error) {
	bins, errs := p.BuildEach(ctx, revision.Build{})
	p.bad = bins.Bad
	return bins.Good, bins.Bad, errs.Good, errs.Bad
}

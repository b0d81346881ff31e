package ran

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"path"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Counter is a package in both revisions with counters on what differs.
type Counter struct {
	// Always says why every workload of the package runs something that differs, or may;
	// "" where that is to be counted. Then there are no binaries.
	Always string

	set      *revision.Set
	execs    bool // either side links os/exec
	affected change.Pair[[]change.Affected]
	counted  change.Pair[[]Counted]
	bins     change.Pair[harness.Binary] // zero where nothing is counted
}

// Counted is a function that has a counter.
type Counted struct {
	Function string // as callgraph.Function has it
	Why      string // what it is that, see change.Affected
}

// New is one of what lies between the revisions of a set, which are loaded. Nothing is
// built.
func New(set *revision.Set, between *change.Change) *Counter {
	c := &Counter{set: set, execs: between.Good.Packages["os/exec"] != nil || between.Bad.Packages["os/exec"] != nil}
	if c.Always = otherVersions(set.Pair()); c.Always != "" {
		return c
	}
	c.affected, c.Always = between.Affected()
	c.counted = change.Map(c.affected, counted)
	return c
}

// Affected are the functions whose running means that something that differs ran.
func (c *Counter) Affected() change.Pair[[]change.Affected] { return c.affected }

// Build builds both revisions with counters on what differs, where there is something to
// count. The error is that of building.
func (c *Counter) Build(ctx context.Context) error {
	if c.Always != "" || c.Nothing() {
		return nil
	}
	builds, err := change.Both(change.Zip(c.set.Pair(), c.affected, take), func(t taken) (revision.Build, error) {
		b, refused, err := t.build()
		if refused != "" {
			c.Always = refused
		}
		return b, err
	})
	if err == nil && c.Always == "" {
		c.bins, err = c.set.BuildPair(ctx, builds)
	}
	return err
}

// otherVersions says which module that the package links is not of the same version.
func otherVersions(p change.Pair[*revision.Revision]) string {
	good, bad := p.Good.Versions(), p.Bad.Versions()
	all := maps.Clone(good)
	maps.Copy(all, bad)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if good[path] != bad[path] {
			return fmt.Sprintf("module %s changed", path)
		}
	}
	return ""
}

func counted(affected []change.Affected) (list []Counted) {
	for _, fn := range affected {
		list = append(list, Counted{fn.Name, fn.Why})
	}
	return list
}

// Nothing says that no function of either side differs: no workload can run any.
func (c *Counter) Nothing() bool {
	return c.Always == "" && len(c.counted.Good)+len(c.counted.Bad) == 0
}

// taken are the functions of a revision that are counted.
type taken struct {
	*revision.Revision
	list []change.Affected
}

func take(r *revision.Revision, list []change.Affected) taken { return taken{r, list} }

// build is the revision with its counters, two IDs each, or why one can't be counted.
func (t taken) build() (b revision.Build, refused string, err error) {
	if len(t.list) == 0 {
		return b, "", nil
	}
	b = revision.Build{Files: make(map[string][]byte), Probes: 2 * len(t.list)}
	if b.Probes >= mostProbes {
		return b, fmt.Sprintf("%d functions differ: too many to count", len(t.list)), nil
	}
	bodies := make(map[*ast.File][]instrument.BodyHit)
	for i, fn := range t.list {
		bodies[fn.File] = append(bodies[fn.File], instrument.BodyHit{ID: 2 * i, Func: fn.Node, Ever: true})
	}
	for _, fn := range t.list {
		hits := bodies[fn.File]
		if hits == nil {
			continue
		}
		delete(bodies, fn.File)
		file, err := t.Source(fn.Function)
		if err != nil {
			return b, "", err
		}
		out, refusals, err := instrument.CountCalls(file, hits, nil)
		if err != nil {
			return b, "", err
		}
		for _, r := range refusals {
			return b, fmt.Sprintf("whether %s runs can't be counted: %s", path.Base(t.list[r.ID/2].Name), r.Reason), nil
		}
		b.Files[file.Name] = out
	}
	return b, "", nil
}

// mostProbes is less than can be told apart: a record holds all of them.
const mostProbes = 1 << 14

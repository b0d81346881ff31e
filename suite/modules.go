package suite

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

// openHomes finds the directories that the patterns of Options.Modules name. What only one
// of the revisions has is opened there: its benchmarks are listed.
func (r *run) openHomes(ctx context.Context) error {
	if len(r.opts.Modules) == 0 {
		r.homes = []home{{".", r.set.Pair()}}
		return nil
	}
	found := change.Map(r.set.Pair(), func(rev *revision.Revision) []string { return modulesBelow(rev.PackageDir) })
	for _, pattern := range r.opts.Modules {
		if !slices.ContainsFunc(slices.Concat(found.Good, found.Bad), within(pattern)) {
			return fmt.Errorf("--module %s: neither revision has a go.mod there", pattern)
		}
	}
	dirs := slices.DeleteFunc(slices.Concat(found.Good, found.Bad), func(dir string) bool {
		return !slices.ContainsFunc(r.opts.Modules, func(pattern string) bool { return within(pattern)(dir) })
	})
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		h := home{dir: dir}
		var err error
		switch {
		case !slices.Contains(found.Bad, dir):
			h.sides.Good, err = r.openAlone(ctx, dir, r.report.Good.Commit)
		case !slices.Contains(found.Good, dir):
			h.sides.Bad, err = r.openAlone(ctx, dir, r.headRevision())
		default:
			var set *revision.Set
			if set, err = r.set.In(ctx, dir, harness.Workload{Kind: harness.Bench}); err == nil {
				h.sides = set.Pair()
				r.tell(set)
			}
		}
		if err == nil {
			r.homes = append(r.homes, h)
		} else if err := r.unless(ctx, dir, err); err != nil {
			return err
		}
	}
	return nil
}

// openAlone opens a module in the one revision that has it.
func (r *run) openAlone(ctx context.Context, dir, rev string) (*revision.Revision, error) {
	spec := r.spec()
	spec.Package = dir
	set, err := revision.Open(ctx, spec, rev)
	if err != nil {
		return nil, err
	}
	r.alone = append(r.alone, set)
	return set.All()[0], nil
}

// within says which directories a pattern names: one, or with /... those below it too.
func within(pattern string) func(dir string) bool {
	dir, below := strings.CutSuffix(filepath.ToSlash(pattern), "...")
	dir = path.Clean(dir)
	return func(d string) bool {
		return d == dir || below && (dir == "." || strings.HasPrefix(d, dir+"/"))
	}
}

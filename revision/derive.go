package revision

import (
	"context"
	"maps"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// In is another package of the same trees. Close it before s.
func (s *Set) In(ctx context.Context, pkg string, w harness.Workload) (*Set, error) {
	spec := s.spec
	spec.Package, spec.Workload = pkg, w
	var trees []labelled
	for _, r := range s.all {
		trees = append(trees, r.labelled())
	}
	return s.house.newSet(ctx, spec, trees, s.pair)
}

// With is the same package for another workload. What is loaded and built already serves
// that too, unless other files lie over the package for it; source of dependencies that
// one has opened is open for the other. Close it before s.
func (s *Set) With(w harness.Workload) (*Set, error) {
	spec := s.spec
	spec.Workload = w
	t, err := s.house.emptySet(spec, s.pair)
	if err != nil {
		return nil, err
	}
	t.gocmd = s.gocmd
	var dirs []string
	for _, r := range s.all {
		dirs = append(dirs, r.PackageDir)
	}
	added, err := t.place(dirs)
	if err != nil {
		return nil, err
	}
	testing := func(w harness.Workload) bool { return w.Kind != harness.Main }
	for i, r := range s.all {
		if !maps.EqualFunc(added[i], r.code.added, slices.Equal[[]byte]) || testing(w) != testing(s.spec.Workload) {
			fresh, err := t.newRevision(r.labelled(), r.PackageDir, added[i], r.code.gocmd)
			if err != nil {
				return nil, err
			}
			t.all = append(t.all, fresh)
			continue
		}
		if prog := r.code.program.known(); prog != nil {
			(*prog).Focus(nil)
		}
		t.all = append(t.all, r.as(r.Label, t.work))
	}
	return t, nil
}

func (r *Revision) labelled() labelled { return labelled{r.Tree, r.Label, r.toolchain} }

// as is the same revision in another set, under the name it has there.
func (r *Revision) as(label string, set *work) *Revision {
	other := *r
	other.Label, other.set = label, set
	return &other
}

// Between is the pair of two of the set's revisions, of which At gave one or both. What lies
// over them stays over them. Close it before s.
func (s *Set) Between(good, bad *Revision) (*Set, error) {
	t, err := s.house.emptySet(s.spec, true)
	if err != nil {
		return nil, err
	}
	t.gocmd = s.gocmd
	t.all = []*Revision{good.as("good", t.work), bad.as("bad", t.work)}
	if good.code == bad.code {
		// Held against itself, each side has a binary and a program of its own.
		t.all[1], err = t.newRevision(labelled{Tree: bad.Tree, label: "bad"}, bad.PackageDir, bad.code.added, bad.code.gocmd)
	}
	return t, err
}

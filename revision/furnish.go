package revision

import (
	"context"
	"fmt"
	"os"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// newSet opens the package of a spec in trees.
func (h *house) newSet(ctx context.Context, spec Spec, trees []labelled, pair bool) (*Set, error) {
	s, err := h.emptySet(spec, pair)
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, tree := range trees {
		dir, err := s.directory(tree)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	added, err := s.place(dirs)
	if err != nil {
		return nil, err
	}
	if err := s.pickToolchain(ctx, trees, dirs); err != nil {
		return nil, err
	}
	for i, tree := range trees {
		r, err := s.newRevision(tree, dirs[i], added[i])
		if err != nil {
			return nil, err
		}
		s.all = append(s.all, r)
	}
	return s, nil
}

func (h *house) emptySet(spec Spec, pair bool) (*Set, error) {
	dir, err := os.MkdirTemp(h.temp.Path, "set-")
	return &Set{
		house: h, spec: spec, pair: pair, work: &work{dir: dir}, commits: make(map[string]*once[*Revision]),
	}, err
}

// directory is where the package lies in a tree.
func (s *Set) directory(tree labelled) (string, error) {
	for _, name := range tree.Missing {
		s.work.note("%s: the submodule %s is not present locally and is missing from what is measured", tree.label, name)
	}
	for _, name := range tree.Outside {
		s.work.note("%s: the link %s leads out of the repository and is missing from what is measured", tree.label, name)
	}
	dir, err := s.house.repo.Directory(tree.Tree, s.spec.Package)
	if err != nil {
		return "", fmt.Errorf("--pkg %w", err)
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		return "", &LackingError{Label: tree.label, What: "directory", Name: s.spec.Package, Where: s.spec.Package}
	}
	return dir, nil
}

// place gives what is laid over the package in each of its directories, by name in them.
func (s *Set) place(dirs []string) ([]map[string][]byte, error) {
	added := make([]map[string][]byte, len(dirs))
	driver, err := driverOf(&s.spec)
	switch {
	case err != nil:
		return nil, err
	case driver != nil:
		for i := range added {
			added[i] = driver
		}
	case s.pair:
		files, err := carried(&s.spec, change.Pair[string]{Good: dirs[0], Bad: dirs[1]})
		if err != nil {
			return nil, err
		}
		added[0], added[1] = files.Good, files.Bad
	}
	return added, nil
}

// pickToolchain finds the one toolchain that builds all revisions, the newest
// that any of them asks for.
func (s *Set) pickToolchain(ctx context.Context, trees []labelled, dirs []string) error {
	sides := make([]harness.Side, len(dirs))
	for i, dir := range dirs {
		sides[i] = harness.Side{Label: trees[i].label, Dir: dir, Top: trees[i].Dir}
	}
	gocmd, warning, err := harness.PickToolchain(ctx, sides...)
	if err != nil {
		return err
	}
	if warning != "" {
		s.work.note("%s", warning)
	}
	if !s.spec.Unbuilt {
		gocmd, err = gocmd.Workshop(ctx, s.spec.CacheDir, s.house.temp.Path)
	}
	s.gocmd = gocmd
	return err
}

func (s *Set) newRevision(tree labelled, dir string, added map[string][]byte) (*Revision, error) {
	code, err := newCode(s.spec, tree.Tree, dir, s.gocmd, added, s.work.dir)
	return &Revision{Tree: tree.Tree, Label: tree.label, PackageDir: dir, code: code, set: s.work}, err
}

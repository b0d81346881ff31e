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
	toolchains, err := s.pickToolchains(ctx, trees, dirs)
	if err != nil {
		return nil, err
	}
	s.gocmd = toolchains[len(toolchains)-1]
	for i, tree := range trees {
		r, err := s.newRevision(tree, dirs[i], added[i], toolchains[i])
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
		if err := drives(&s.spec, driver, dirs); err != nil {
			return nil, err
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

// pickToolchains finds what builds each revision: the toolchain that was named for it, or
// else the one that all share, the newest that any of them asks for.
func (s *Set) pickToolchains(ctx context.Context, trees []labelled, dirs []string) ([]*harness.Go, error) {
	list := make([]*harness.Go, len(trees))
	sides := make([]harness.Side, len(trees))
	for i, dir := range dirs {
		sides[i] = harness.Side{Label: trees[i].label, Dir: dir, Top: trees[i].Dir}
	}
	if len(s.spec.Toolchains) == 0 {
		gocmd, warning, err := harness.PickToolchain(ctx, sides...)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			s.work.note("%s", warning)
		}
		for i := range list {
			list[i] = gocmd
		}
	}
	for i := range list {
		var err error
		if list[i] == nil {
			if list[i], err = sides[i].FindToolchain(ctx, trees[i].toolchain, s.fetching); err != nil {
				return nil, err
			}
		}
		if s.spec.Unbuilt {
			list[i], err = list[i].Within(s.house.temp.Path)
		} else {
			list[i], err = list[i].Workshop(ctx, s.spec.CacheDir, s.house.temp.Path)
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// fetching tells of a toolchain that the go command is about to fetch.
func (s *Set) fetching(name string) {
	s.work.note("the go command fetched the toolchain %s, which was not on this machine", name)
	if s.spec.Fetching != nil {
		s.spec.Fetching(name)
	}
}

func (s *Set) newRevision(tree labelled, dir string, added map[string][]byte, gocmd *harness.Go) (*Revision, error) {
	code, err := newCode(s.spec, tree.Tree, dir, gocmd, added, s.work.dir)
	return &Revision{Tree: tree.Tree, Label: tree.label, PackageDir: dir, toolchain: tree.toolchain, code: code, set: s.work}, err
}

// By is a revision as the toolchain of another one of the set builds it. What was loaded of
// it serves there, too.
func (r *Revision) By(other *Revision) (*Revision, error) {
	code, err := newCode(r.code.spec, r.code.tree, r.PackageDir, other.code.gocmd, r.code.added, r.set.dir)
	if err != nil {
		return nil, err
	}
	code.program.made.Store(r.code.program.known())
	by := *r
	by.code = code
	return &by, nil
}

package revision

import (
	"context"
	"maps"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// At is the package at a commit, labelled like its hash, or one of the set's revisions if
// that is what the commit is. The workload's files that lie over the set's revisions
// lie over a commit that lacks the workload; if there are none, the error is
// [*LackingError].
func (s *Set) At(ctx context.Context, commit string) (*Revision, error) {
	rev, err := s.house.repo.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Backward(s.all) {
		if r.Key == rev.Key {
			return r, nil
		}
	}
	s.mu.Lock()
	at := s.commits[rev.Key]
	if at == nil {
		at = &once[*Revision]{}
		s.commits[rev.Key] = at
	}
	s.mu.Unlock()
	return at.get(func() (*Revision, error) {
		tree, err := s.house.repo.Tree(ctx, s.spec.CacheDir, rev)
		if err != nil {
			return nil, err
		}
		named := labelled{Tree: tree, label: short(rev.Commit)}
		dir, err := s.directory(named)
		if err != nil {
			return nil, err
		}
		added, err := s.addedAt(named, dir)
		if err != nil {
			return nil, err
		}
		return s.newRevision(named, dir, added, s.gocmd)
	})
}

// addedAt sees to it that a commit has the workload. What the user brings goes into
// every commit, and so does what one of the ends lacks. A commit that lacks what both
// ends have can't be measured.
func (s *Set) addedAt(tree labelled, dir string) (map[string][]byte, error) {
	w := s.spec.Workload
	if w.Kind == harness.Main {
		return nil, nil
	}
	if s.spec.Driver == "" && s.spec.Brought == nil {
		if w.Pattern == "" {
			return nil, nil
		}
		if names, err := declaring(dir, w); err != nil || len(names) > 0 {
			return nil, err
		}
	}
	files := make(map[string][]byte)
	for _, end := range s.all {
		maps.Copy(files, end.code.added)
	}
	if len(files) == 0 {
		return nil, &LackingError{Label: tree.label, What: w.Kind.String(), Name: w.Pattern, Where: s.spec.Package}
	}
	return files, nil
}

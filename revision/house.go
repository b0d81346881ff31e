package revision

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/harness"
)

// house is what all sets share that stem from one that was opened.
type house struct {
	repo *backup.Repo
	temp *harness.TempDir // of binaries and overlays
}

// labelled is a tree with what its revision is called.
type labelled struct {
	backup.Tree
	label     string
	toolchain string // that was named for it; "" if none was
}

// newHouse finds the repository of a spec.
func newHouse(ctx context.Context, spec *Spec) (*house, error) {
	if err := spec.setDefaults(); err != nil {
		return nil, err
	}
	repo, err := backup.Open(ctx, spec.Dir)
	if err != nil {
		return nil, err
	}
	temp, err := harness.NewTempDir()
	return &house{repo, temp}, err
}

// take makes the private trees of revisions, all at the same time.
func (h *house) take(ctx context.Context, cache string, names []string) ([]backup.Tree, error) {
	trees := make([]backup.Tree, len(names))
	return trees, forEach(len(names), func(i int) error {
		rev, err := h.repo.Resolve(ctx, names[i])
		if err != nil {
			return &nameError{i, err}
		}
		trees[i], err = h.repo.Tree(ctx, cache, rev)
		return err
	})
}

// A nameError is that of a name that is no revision's.
type nameError struct {
	at  int // in the list of names
	err error
}

func (e *nameError) Error() string { return e.err.Error() }
func (e *nameError) Unwrap() error { return e.err }

// forEach does the same for n things at the same time. The first one's error is given if
// several fail: they usually fail alike.
func forEach(n int, do func(i int) error) error {
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// told tells revisions of one name apart by their turn, for one that is held against itself.
func told(names []string) []string {
	var list []string
	seen := make(map[string]int)
	for _, name := range names {
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s#%d", name, seen[name])
		}
		list = append(list, name)
	}
	return list
}

// fileName is a label as a part of the names of files.
func fileName(label string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' {
			return '_'
		}
		return r
	}, label)
}

// short is a commit as people name it.
func short(commit string) string { return commit[:min(10, len(commit))] }

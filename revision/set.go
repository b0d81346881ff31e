package revision

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
)

// A Set is one package in several revisions, for one workload.
type Set struct {
	house *house
	owner bool // of the house
	spec  Spec
	pair  bool // good and bad
	gocmd *harness.Go
	all   []*Revision
	work  *work

	mu      sync.Mutex // guards commits
	commits map[string]*once[*Revision]
}

// Open opens the package of a spec in revisions, each labelled like its name. Close it.
func Open(ctx context.Context, spec Spec, names ...string) (*Set, error) {
	h, err := newHouse(ctx, &spec)
	if err != nil {
		return nil, err
	}
	trees, err := h.take(ctx, spec.CacheDir, names)
	if wrong := (*nameError)(nil); errors.As(err, &wrong) {
		err = fmt.Errorf("--rev: %w", err)
	}
	var list []labelled
	for i, name := range told(names) {
		if len(spec.Toolchains) == 0 {
			trees[i].Name = name
			list = append(list, labelled{Tree: trees[i], label: name})
		}
		for _, toolchain := range spec.Toolchains {
			trees[i].Name = name + "+" + toolchain
			list = append(list, labelled{trees[i], trees[i].Name, toolchain})
		}
	}
	return h.open(ctx, spec, list, false, err)
}

// OpenPair opens the package of a spec in a good and a bad revision, which are labelled
// so. A benchmark or test that only one of them has is carried to the other; where neither
// has it, the error is [*LackingError]. Close it.
func OpenPair(ctx context.Context, spec Spec, names change.Pair[string]) (*Set, error) {
	h, err := newHouse(ctx, &spec)
	if err != nil {
		return nil, err
	}
	labels := []string{"good", "bad"}
	trees, err := h.take(ctx, spec.CacheDir, []string{names.Good, names.Bad})
	var wrong *nameError
	if errors.As(err, &wrong) {
		err = fmt.Errorf("--%s: %w", labels[wrong.at], err)
	}
	list := []labelled{{Tree: trees[0], label: labels[0]}, {Tree: trees[1], label: labels[1]}}
	for i, toolchain := range spec.Toolchains {
		list[i].toolchain = toolchain
	}
	return h.open(ctx, spec, list, true, err)
}

// open is the end of opening, which went well so far unless there is an error.
func (h *house) open(ctx context.Context, spec Spec, trees []labelled, pair bool, err error) (s *Set, _ error) {
	if err == nil {
		s, err = h.newSet(ctx, spec, trees, pair)
	}
	if err != nil {
		h.temp.Remove()
		return nil, err
	}
	s.owner = true
	return s, nil
}

// Close removes what was built, but for what the set shares with the one that it was
// derived from. The private trees stay for the next one.
func (s *Set) Close() {
	if s.owner {
		s.house.temp.Remove()
		return
	}
	os.RemoveAll(s.work.dir)
}

// All are the revisions that were opened, in that order.
func (s *Set) All() []*Revision { return s.all }

// Pair is the good and the bad revision of a set that has these.
func (s *Set) Pair() change.Pair[*Revision] {
	return change.Pair[*Revision]{Good: s.all[0], Bad: s.all[1]}
}

// Repo is the repository.
func (s *Set) Repo() *backup.Repo { return s.house.repo }

// Go is the toolchain that builds all revisions; where each has its own, the last one's.
func (s *Set) Go() *harness.Go { return s.gocmd }

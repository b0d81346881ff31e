package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"github.com/pinpoint-go/pinpoint/internal/cache"
)

// A store is the part of the cache that belongs to one repository:
//
//	trees/REPOSITORY/lock             held while anything below is changed
//	trees/REPOSITORY/cHASH/tree       the files of a commit
//	trees/REPOSITORY/cHASH/manifest   what must be in them; its time is that of the last use
//	trees/REPOSITORY/wHASH/...        the same for a state of the working files
//	trees/REPOSITORY/tmp-*            being made, or left over by a run that was killed
//
// Who only uses a tree takes no lock: a tree appears by a rename, complete.
type store struct{ dir string }

// unused is how long a tree is kept after its last use.
const unused = 14 * 24 * time.Hour

// Tree returns the private tree of a revision, which Resolve gave, below the directory cache.
// It makes the tree if it isn't there as it should be.
//
// If the working files changed since Resolve(Worktree), the tree that is
// returned is that of their new state, and so is its Revision.
func (r *Repo) Tree(ctx context.Context, cache string, rev Revision) (Tree, error) {
	t, err := r.tree(ctx, cache, rev)
	if err != nil {
		return Tree{}, fmt.Errorf("making the tree of %s: %w", rev.Name, err)
	}
	t.Origin = []string{r.common, r.gitDir}
	if r.top != "" {
		t.Origin = append(t.Origin, r.top)
	}
	return t, nil
}

func (r *Repo) tree(ctx context.Context, cache string, rev Revision) (Tree, error) {
	if !strings.HasPrefix(rev.Key, r.id()+"/") {
		return Tree{}, errors.New("the revision is not of this repository")
	}
	s, err := openStore(cache, r.id())
	if err != nil {
		return Tree{}, err
	}
	if t, ok := r.reuse(ctx, s, rev); ok {
		return t, nil
	}
	unlock, err := lock(ctx, filepath.Join(s.dir, "lock"))
	if err != nil {
		return Tree{}, err
	}
	defer unlock()
	if t, ok := r.reuse(ctx, s, rev); ok { // made while we waited
		return t, nil
	}
	s.clean()
	return r.build(ctx, s, rev)
}

func openStore(where, id string) (store, error) {
	top, err := filepath.Abs(where)
	if err != nil {
		return store{}, err
	}
	if err := cache.Hold(top); err != nil {
		return store{}, err
	}
	// What is in a repository is nobody else's business.
	dir, err := cache.Dir(top, "trees", id)
	if err != nil {
		return store{}, err
	}
	dir, err = filepath.EvalSymlinks(dir)
	return store{dir}, err
}

// home is the directory of a revision in the store.
func (s store) home(rev Revision) string {
	return filepath.Join(s.dir, filepath.Base(rev.Key))
}

// reuse returns the tree of a revision if it is there, and as it should be.
func (r *Repo) reuse(ctx context.Context, s store, rev Revision) (Tree, bool) {
	home := s.home(rev)
	now := time.Now()
	if err := os.Chtimes(filepath.Join(home, manifestName), now, now); err != nil {
		return Tree{}, false
	}
	m, err := readManifest(home)
	if err != nil || m.Form != manifestForm || m.Key != rev.Key {
		return Tree{}, false
	}
	t := newTree(home, rev, m)
	return t, r.verify(ctx, t, m) == nil
}

func newTree(home string, rev Revision, m *manifest) Tree {
	return Tree{Revision: rev, Dir: filepath.Join(home, "tree"), Missing: m.Missing, Pointers: m.Pointers, Outside: m.outside()}
}

// build makes the tree of a revision under the store's lock.
func (r *Repo) build(ctx context.Context, s store, rev Revision) (t Tree, err error) {
	tmp, err := os.MkdirTemp(s.dir, "tmp-")
	if err != nil {
		return Tree{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	var m *manifest
	dir := filepath.Join(tmp, "commit")
	if rev.Name == Worktree {
		dir, m, rev, err = r.fillWorktree(ctx, tmp, rev)
	} else if err = os.Mkdir(dir, 0o700); err == nil {
		m, err = r.fillCommit(ctx, newWriter(dir), rev)
	}
	if err != nil {
		return Tree{}, err
	}
	return s.install(tmp, dir, rev, m)
}

// install gives the files in dir, below tmp, their place. A tree that is there
// was written to. It is moved away before it is removed, so that there is none, or a
// complete one, at any time; a process that works in it may go on in what it has open.
func (s store) install(tmp, dir string, rev Revision, m *manifest) (Tree, error) {
	fresh := filepath.Join(tmp, "fresh")
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return Tree{}, err
	}
	if err := os.Rename(dir, filepath.Join(fresh, "tree")); err != nil {
		return Tree{}, err
	}
	if err := m.write(fresh); err != nil {
		return Tree{}, err
	}
	home := s.home(rev)
	if err := os.Rename(home, filepath.Join(tmp, "stale")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return Tree{}, err
	}
	if err := os.Rename(fresh, home); err != nil {
		return Tree{}, err
	}
	return newTree(home, rev, m), nil
}

// clean removes, under the lock, what killed runs left and trees that were not used for
// long. What can't be removed now will be later.
func (s store) clean() {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name := filepath.Join(s.dir, e.Name())
		if e.IsDir() && (strings.HasPrefix(e.Name(), "tmp-") || old(name)) {
			os.RemoveAll(name)
		}
	}
}

func old(home string) bool {
	info, err := os.Stat(filepath.Join(home, manifestName))
	return err == nil && time.Since(info.ModTime()) > unused
}

// lock takes the lock, unless ctx is cancelled first.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	got := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(name).Lock()
		got <- result{unlock, err}
	}()
	select {
	case r := <-got:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() { // the wait itself can't be given up
			if r := <-got; r.err == nil {
				r.unlock()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// Changed lists the slash paths in the tree that are not as they were
// made: written to, added or removed, by a workload for instance. It compares
// names, sizes, modes and times, and reads no contents.
func (t Tree) Changed() ([]string, error) {
	home := filepath.Dir(t.Dir)
	m, err := readManifest(home)
	if err != nil {
		return nil, err
	}
	return m.changed(t.Dir)
}

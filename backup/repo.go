package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Repo is a repository that is only read.
type Repo struct {
	git    git
	gitDir string // of this worktree
	common string // shared by all worktrees; the repository's identity, without symbolic links
	top    string // of the working files; "" if there are none
	prefix string
}

// Open finds the repository that dir lies in: dir is a directory of a checkout
// or of a linked worktree, a bare repository, or a .git directory (of which
// the commits can be had, not the Worktree).
func Open(ctx context.Context, dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the repository: %w", err)
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("opening the repository: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("opening the repository: %s is not a directory", dir)
	}
	r := &Repo{git: git{dir: dir}}
	if err := r.discover(ctx, dir); err != nil {
		return nil, explainOpen(dir, err)
	}
	return r, nil
}

func (r *Repo) discover(ctx context.Context, dir string) error {
	inside, err := r.git.line(ctx, "rev-parse", "--is-inside-work-tree")
	if err != nil {
		return err
	}
	if r.gitDir, err = r.git.line(ctx, "rev-parse", "--absolute-git-dir"); err != nil {
		return err
	}
	common, err := r.git.line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return err
	}
	if r.common, err = filepath.EvalSymlinks(common); err != nil {
		return err
	}
	if inside != "true" {
		return nil
	}
	if r.top, err = r.git.line(ctx, "rev-parse", "--show-toplevel"); err != nil {
		return err
	}
	prefix, err := r.git.line(ctx, "rev-parse", "--show-prefix")
	r.prefix = strings.TrimSuffix(prefix, "/")
	// core.worktree may name a directory that lies in another repository, or is one.
	r.git = git{dir: r.top, args: []string{"--git-dir=" + r.gitDir, "--work-tree=" + r.top}}
	return err
}

// explainOpen turns the failures that users meet into one line that says what
// to do.
func explainOpen(dir string, err error) error {
	var failed *gitError
	if !errors.As(err, &failed) {
		return fmt.Errorf("opening the repository: %w", err)
	}
	switch {
	case strings.Contains(failed.stderr, "not a git repository"):
		return fmt.Errorf("opening the repository: neither %s nor a directory above it is a git repository: run pinpoint in a checkout, or name one with -C", dir)
	case strings.Contains(failed.stderr, "dubious ownership"):
		return fmt.Errorf("opening the repository: %s belongs to another user; if you trust it: git config --global --add safe.directory %s", dir, dir)
	}
	return fmt.Errorf("opening the repository: %w", err)
}

// Prefix returns the slash path, relative to the tree's top, of the directory
// that was opened: "" at the top and in a bare repository. It may be missing in
// the tree of another revision.
func (r *Repo) Prefix() string { return r.prefix }

// id names the repository in the cache. Linked worktrees share it.
func (r *Repo) id() string {
	sum := sha256.Sum256([]byte(r.common))
	return hex.EncodeToString(sum[:8])
}

// shallow reports whether history was cut off when the repository was cloned.
func (r *Repo) shallow() bool {
	_, err := os.Stat(filepath.Join(r.common, "shallow"))
	return err == nil
}

// MergeBase returns the commit that the histories of a and b share last. For Worktree, it
// is that of the HEAD it sits on.
func (r *Repo) MergeBase(ctx context.Context, a, b Revision) (Revision, error) {
	out, err := r.git.line(ctx, "merge-base", a.Commit, b.Commit)
	if err == nil {
		return r.commit(out, out), nil
	}
	var failed *gitError
	if !errors.As(err, &failed) || failed.stderr != "" {
		return Revision{}, fmt.Errorf("finding the merge base of %s and %s: %w", a.Name, b.Name, err)
	}
	hint := ""
	if r.shallow() {
		hint = "; the clone is shallow: git fetch --unshallow brings the rest of its history"
	}
	return Revision{}, fmt.Errorf("finding the merge base: %s and %s share no history%s", a.Name, b.Name, hint)
}

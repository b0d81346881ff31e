package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// A workFile is a file or link of the checkout.
type workFile struct {
	name string // where it lies
	path string // slash path in the tree
	kind kind
}

// errUnsettled is the error of a pass during which files came or went.
var errUnsettled = errors.New("files change while they are read")

func (r *Repo) resolveWorktree(ctx context.Context) (Revision, error) {
	if r.top == "" {
		return Revision{}, fmt.Errorf("resolving revision %s: %s has no working files: name a directory of a checkout with -C, or a commit", Worktree, r.gitDir)
	}
	for range passes {
		rev, _, err := r.pass(ctx, nil)
		if errors.Is(err, errUnsettled) {
			continue
		}
		if err != nil {
			return Revision{}, fmt.Errorf("resolving revision %s: %w", Worktree, err)
		}
		return rev, nil
	}
	return Revision{}, fmt.Errorf("resolving revision %s: %w", Worktree, errUnsettled)
}

// passes is how often the checkout is read before it is said not to hold still.
const passes = 5

// fillWorktree copies the checkout into a new directory below tmp, which it
// returns with what is in it and the revision that this is.
//
// A checkout can't be locked against its user. So it is read until two passes,
// one after the other, find the same contents: then these were all there at
// once, between the passes. rev, from Resolve, counts as the first.
func (r *Repo) fillWorktree(ctx context.Context, tmp string, rev Revision) (string, *manifest, Revision, error) {
	if r.top == "" {
		return "", nil, rev, errors.New("the repository has no working files")
	}
	for range passes {
		dir, err := os.MkdirTemp(tmp, "pass-")
		if err != nil {
			return "", nil, rev, err
		}
		w := newWriter(dir)
		now, missing, err := r.pass(ctx, w)
		if err != nil && !errors.Is(err, errUnsettled) {
			return "", nil, rev, err
		}
		if err == nil && now.Key == rev.Key {
			m, err := w.finish(now.Key, missing)
			return dir, m, now, err
		}
		rev.Key = now.Key
	}
	return "", nil, rev, errUnsettled
}

// pass reads the checkout once and returns the revision that its contents make.
// It also copies it, unless w is nil.
func (r *Repo) pass(ctx context.Context, w *writer) (Revision, []string, error) {
	head, err := r.git.line(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	var failed *gitError
	if err != nil && !errors.As(err, &failed) {
		return Revision{}, nil, err
	}
	files, missing, err := r.listWorktree(ctx, r.git, "")
	if err != nil {
		return Revision{}, nil, err
	}
	slices.SortFunc(files, func(a, b workFile) int { return strings.Compare(a.path, b.path) })
	slices.Sort(missing)
	sums, err := readAll(ctx, files, w)
	if err != nil {
		return Revision{}, nil, err
	}
	// As long as a commit's hash; see commit.
	key := r.id() + "/w" + digest(files, sums, missing)[:max(40, len(head))]
	return Revision{Name: Worktree, Commit: head, Key: key}, missing, nil
}

// digest returns the hash of a checkout's paths, kinds and contents.
func digest(files []workFile, sums [][sha256.Size]byte, missing []string) string {
	h := sha256.New()
	str := func(s string) {
		h.Write(binary.AppendUvarint(nil, uint64(len(s))))
		io.WriteString(h, s)
	}
	for i, f := range files {
		str(f.path)
		h.Write([]byte{byte(f.kind)})
		h.Write(sums[i][:])
	}
	for _, path := range missing {
		str(path)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// readAll returns the hashes of the files' contents, and copies them unless w
// is nil.
func readAll(ctx context.Context, files []workFile, w *writer) ([][sha256.Size]byte, error) {
	sums := make([][sha256.Size]byte, len(files))
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for i, f := range files {
		if inner.Err() != nil {
			break
		}
		group.Go(func() (err error) {
			sums[i], err = f.read(w)
			if errors.Is(err, fs.ErrNotExist) {
				err = errUnsettled
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return sums, context.Cause(ctx)
}

func (f workFile) read(w *writer) (sum [sha256.Size]byte, err error) {
	if f.kind == symlink {
		target, err := os.Readlink(f.name)
		if err == nil && w != nil {
			err = w.link(f.path, target)
		}
		return sha256.Sum256([]byte(target)), err
	}
	from, err := os.Open(f.name)
	if err != nil {
		return sum, err
	}
	defer from.Close()
	h := sha256.New()
	if w != nil {
		err = w.copy(f.path, f.kind, io.TeeReader(from, h))
	} else {
		_, err = io.Copy(h, from)
	}
	h.Sum(sum[:0])
	return sum, err
}

// listWorktree lists the files of a checkout, below prefix ("" or "sub/") in the tree: those
// that the index has and the disk too, and those that are untracked and not
// ignored. Repositories within are listed the same way; submodules that are not checked out
// are returned as missing.
func (r *Repo) listWorktree(ctx context.Context, g git, prefix string) (files []workFile, missing []string, err error) {
	tracked, err := g.output(ctx, "ls-files", "-z", "--cached", "--stage")
	if err != nil {
		return nil, nil, err
	}
	others, err := g.output(ctx, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, nil, err
	}
	l := lister{repo: r, git: g, prefix: prefix, seen: map[string]bool{}, dirs: map[string]bool{".": true}}
	for entry := range bytes.SplitSeq(tracked, []byte{0}) {
		about, path, _ := strings.Cut(string(entry), "\t")
		if err := l.add(ctx, path, strings.HasPrefix(about, "160000 ")); err != nil {
			return nil, nil, err
		}
	}
	for path := range bytes.SplitSeq(others, []byte{0}) {
		// A repository that is no submodule has a slash at its end.
		name, isRepo := strings.CutSuffix(string(path), "/")
		if err := l.add(ctx, name, isRepo); err != nil {
			return nil, nil, err
		}
	}
	return l.files, l.missing, nil
}

// A lister collects the files of one checkout.
type lister struct {
	repo    *Repo
	git     git
	prefix  string
	seen    map[string]bool // an unmerged path comes three times
	dirs    map[string]bool // is this a directory, and no link to one?
	files   []workFile
	missing []string
}

// add enters what lies on the disk at path.
func (l *lister) add(ctx context.Context, path string, isRepo bool) error {
	if path == "" || l.seen[path] || !l.reached(parent(path)) {
		return nil
	}
	l.seen[path] = true
	name := filepath.Join(l.git.dir, filepath.FromSlash(path))
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if isRepo {
			l.missing = append(l.missing, l.prefix+path)
		}
		return nil // deleted
	}
	if err != nil {
		return err
	}
	f := workFile{name: name, path: l.prefix + path}
	switch mode := info.Mode(); {
	case mode.IsDir() && isRepo:
		return l.nested(ctx, name, path)
	case mode&fs.ModeSymlink != 0:
		f.kind = symlink
	case mode.IsRegular() && mode&0o100 != 0:
		f.kind = executable
	case !mode.IsRegular():
		return nil // a directory where a file was deleted, or nothing that git would keep
	}
	l.files = append(l.files, f)
	return nil
}

// reached reports whether dir is a directory of the checkout. If it is a link now,
// or below one, the index's files in it are deleted ones.
func (l *lister) reached(dir string) bool {
	is, known := l.dirs[dir]
	if !known {
		info, err := os.Lstat(filepath.Join(l.git.dir, filepath.FromSlash(dir)))
		is = err == nil && info.IsDir() && l.reached(parent(dir))
		l.dirs[dir] = is
	}
	return is
}

// nested enters the files of a repository within the checkout. Another worktree of
// this same repository is no part of this one.
func (l *lister) nested(ctx context.Context, name, path string) error {
	if _, ok := gitDirOf(name); !ok {
		l.missing = append(l.missing, l.prefix+path)
		return nil
	}
	sub := git{dir: name}
	common, err := sub.line(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir")
	if err != nil {
		return fmt.Errorf("reading the repository in %s: %w", path, err)
	}
	if common, err = filepath.EvalSymlinks(common); err != nil || common == l.repo.common {
		return err
	}
	files, missing, err := l.repo.listWorktree(ctx, sub, l.prefix+path+"/")
	l.files, l.missing = append(l.files, files...), append(l.missing, missing...)
	return err
}

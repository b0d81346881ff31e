package backup

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"
)

// errOther is what is said of a tree that does not hold what its name says.
var errOther = errors.New("the tree is not as it was made")

// verify holds a tree against its name: the contents of a commit's against the
// repository, those of a state of the working files against the hash in its key. A
// workload has the rights of its user, and may have written into the tree, put
// times back, and changed the manifest; what no name vouches for is not asked.
func (r *Repo) verify(ctx context.Context, t Tree, m *manifest) error {
	if t.Name == Worktree {
		return r.verifyState(ctx, t, m)
	}
	batches, missing, err := r.source().list(ctx, t.Commit, "")
	if err != nil {
		return err
	}
	if len(missing) < len(m.Missing) {
		return errOther // a submodule came meanwhile
	}
	var blobs []blob
	for _, b := range batches {
		blobs = append(blobs, b.blobs...)
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	blobs = slices.DeleteFunc(blobs, func(b blob) bool {
		i := slices.IndexFunc(m.Outside, func(o file) bool { return o.Path == b.path })
		return b.kind == symlink && i >= 0 && b.holds(strings.NewReader(m.Outside[i].Link), int64(len(m.Outside[i].Link))) == nil &&
			leads(root, b.path, m.Outside[i].Link) != within
	})
	want := manifest{Missing: missing}
	for _, b := range blobs {
		want.Files = append(want.Files, file{Path: b.path, Kind: b.kind, Size: unknownSize})
	}
	if changed, err := want.changed(t.Dir); err != nil || len(changed) > 0 {
		return errors.Join(err, errOther)
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(2 * runtime.GOMAXPROCS(0))
	for _, b := range blobs {
		if inner.Err() != nil {
			break
		}
		group.Go(func() error { return b.lies(root) })
	}
	return errors.Join(group.Wait(), context.Cause(ctx))
}

// lies checks that a tree has the blob's content in its place.
func (b blob) lies(root *os.Root) error {
	name := filepath.FromSlash(b.path)
	if b.kind == symlink {
		target, err := root.Readlink(name)
		if err != nil || leads(root, b.path, target) == away {
			return errors.Join(err, errOther)
		}
		return b.holds(strings.NewReader(target), int64(len(target)))
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return errors.Join(err, errOther)
	}
	return b.holds(f, info.Size())
}

// holds checks that a content is the blob's, by the hash that git gives it.
func (b blob) holds(content io.Reader, size int64) error {
	var h hash.Hash = sha1.New()
	if len(b.hash) == hex.EncodedLen(sha256.Size) {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	if _, err := io.Copy(h, content); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != b.hash {
		return fmt.Errorf("%w: %s", errOther, b.path)
	}
	return nil
}

// verifyState is verify of working files.
func (r *Repo) verifyState(ctx context.Context, t Tree, m *manifest) error {
	if changed, err := m.changed(t.Dir); err != nil || len(changed) > 0 {
		return errors.Join(err, errOther)
	}
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var files []workFile
	for _, f := range m.Files {
		if f.Kind == symlink && leads(root, f.Path, f.Link) == away {
			return errOther
		}
		files = append(files, workFile{name: filepath.Join(t.Dir, filepath.FromSlash(f.Path)), path: f.Path, kind: f.Kind})
	}
	sums, err := readAll(ctx, files, nil)
	if err != nil {
		return err
	}
	for _, f := range m.Outside {
		if leads(root, f.Path, f.Link) == within {
			return errOther
		}
		i, _ := slices.BinarySearchFunc(files, f.Path, func(w workFile, path string) int { return strings.Compare(w.path, path) })
		files = slices.Insert(files, i, workFile{path: f.Path, kind: symlink})
		sums = slices.Insert(sums, i, sha256.Sum256([]byte(f.Link)))
	}
	if _, hash, ok := strings.Cut(t.Key, "/w"); !ok || !strings.HasPrefix(digest(files, sums, m.Missing), hash) {
		return errOther
	}
	return nil
}

// direction is where a link leads.
type direction int

const (
	within  direction = iota // to something in the tree
	nowhere                  // to nothing
	away                     // out of the tree
)

// leads tells where a link at the slash path name would lead. A link of a tree that
// leads out of it could make anything that reads the tree's files read others.
func leads(root *os.Root, name, target string) direction {
	if filepath.IsAbs(target) {
		return away
	}
	// Not cleaned: "link/.." is not where link lies.
	_, err := root.Stat(filepath.FromSlash(path.Dir(name) + "/" + target))
	switch {
	case err == nil:
		return within
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		return nowhere
	}
	return away
}

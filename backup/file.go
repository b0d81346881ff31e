package backup

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// File reads one file of a tree, at a slash path from its top, of at most so many
// bytes: of a commit from the object store, whatever a workload may have put into the
// tree. The error is [fs.ErrNotExist] if there is none, and another if there is
// something that is no regular file, or too large.
func (r *Repo) File(ctx context.Context, t Tree, path string, most int64) ([]byte, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if t.Name == Worktree {
		return t.file(path, most)
	}
	out, err := r.git.output(ctx, "--literal-pathspecs", "ls-tree", "-z", "--full-tree", t.Commit, "--", path)
	if err != nil {
		return nil, err
	}
	about, _, _ := strings.Cut(string(out), "\t")
	fields := strings.Fields(about) // mode, type, hash
	switch {
	case len(fields) != 3:
		return nil, &fs.PathError{Op: "reading", Path: path, Err: fs.ErrNotExist}
	case fields[1] != "blob" || kindOf(fields[0]) == symlink:
		return nil, fmt.Errorf("reading %s: it is no regular file", path)
	}
	said, err := r.git.line(ctx, "cat-file", "-s", fields[2])
	if err != nil {
		return nil, err
	}
	if size, err := strconv.ParseInt(said, 10, 64); err != nil || size > most {
		return nil, tooLarge(path, most)
	}
	return r.git.output(ctx, "cat-file", "blob", fields[2])
}

func tooLarge(path string, most int64) error {
	return fmt.Errorf("reading %s: it has more than %d bytes", path, most)
}

// file is File of working files, which only the tree has.
func (t Tree) file(path string, most int64) ([]byte, error) {
	root, err := os.OpenRoot(t.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(path)
	if info, err := root.Lstat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("reading %s: it is no regular file", path)
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = tooLarge(path, most)
	}
	return data, err
}

// Directory is the directory at a path below the one that was opened, in the tree. It
// need not be there. The error says that the path leads out of the tree.
func (r *Repo) Directory(t Tree, path string) (string, error) {
	dir := filepath.Join(t.Dir, filepath.FromSlash(r.prefix), filepath.FromSlash(path))
	if rel, err := filepath.Rel(t.Dir, dir); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s leads out of the repository", path)
	}
	return dir, nil
}

package backup

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A writer fills an empty directory with the files of a tree. Its methods may
// be called concurrently.
//
// Links are made last, by finish: while files are being written there is no link
// that a hostile tree (a link "a" beside a file "a/b") could lead them
// through, out of the directory.
type writer struct {
	dir      string
	mu       sync.Mutex
	made     map[string]bool // directories
	files    []file
	pointers []string
}

func newWriter(dir string) *writer {
	return &writer{dir: dir, made: map[string]bool{".": true}}
}

// checkPath refuses the names that git's own checkout refuses.
func checkPath(path string) error {
	bad := !filepath.IsLocal(filepath.FromSlash(path))
	for part := range strings.SplitSeq(path, "/") {
		bad = bad || part == "" || part == "." || part == ".." || strings.EqualFold(part, ".git")
	}
	if bad {
		return fmt.Errorf("writing %q: such a path must not be in a tree", path)
	}
	return nil
}

func (w *writer) full(path string) string {
	return filepath.Join(w.dir, filepath.FromSlash(path))
}

// mkdir makes the directory at path and those above it.
func (w *writer) mkdir(path string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.made[path] {
		return nil
	}
	if err := checkPath(path); err != nil {
		return err
	}
	w.made[path] = true
	addParents(w.made, path)
	return os.MkdirAll(w.full(path), 0o700)
}

func parent(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[:i]
	}
	return "."
}

// copy writes one regular file.
func (w *writer) copy(path string, k kind, from io.Reader) (err error) {
	if err := w.admit(path); err != nil {
		return err
	}
	perm := os.FileMode(0o600)
	if k == executable {
		perm = 0o700
	}
	name := w.full(path)
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	var head prefix
	n, err := io.Copy(to, io.TeeReader(from, &head))
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chtimes(name, written, written)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	w.add(file{Path: path, Kind: k, Size: n}, n < maxPointer && bytes.HasPrefix(head, pointerStart))
	return nil
}

// link enters a symbolic link, for finish to make.
func (w *writer) link(path, target string) error {
	if err := w.admit(path); err != nil {
		return err
	}
	w.add(file{Path: path, Kind: symlink, Link: target}, false)
	return nil
}

func (w *writer) admit(path string) error {
	if err := checkPath(path); err != nil {
		return err
	}
	return w.mkdir(parent(path))
}

func (w *writer) add(f file, pointer bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.files = append(w.files, f)
	if pointer {
		w.pointers = append(w.pointers, f.Path)
	}
}

// finish makes the links and returns what the tree holds.
func (w *writer) finish(key string, missing []string) (*manifest, error) {
	for _, path := range missing {
		if err := w.mkdir(path); err != nil {
			return nil, err
		}
	}
	outside, err := w.makeLinks()
	if err != nil {
		return nil, err
	}
	byPath := func(a, b file) int { return strings.Compare(a.Path, b.Path) }
	slices.SortFunc(w.files, byPath)
	slices.SortFunc(outside, byPath)
	slices.Sort(w.pointers)
	return &manifest{Form: manifestForm, Key: key, Files: w.files, Missing: missing, Pointers: w.pointers, Outside: outside}, nil
}

// makeLinks makes the links, and takes those away again that lead out of the tree.
func (w *writer) makeLinks() (outside []file, err error) {
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for _, f := range w.files {
		if f.Kind != symlink {
			continue
		}
		if err := os.Symlink(f.Link, w.full(f.Path)); err != nil {
			return nil, err
		}
	}
	for _, f := range w.files {
		if f.Kind == symlink && leads(root, f.Path, f.Link) == away {
			outside = append(outside, f)
		}
	}
	w.files = slices.DeleteFunc(w.files, func(f file) bool { return slices.Contains(outside, f) })
	for _, f := range outside {
		if err := os.Remove(w.full(f.Path)); err != nil {
			return nil, err
		}
	}
	return outside, nil
}

// What a Git LFS pointer is: https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md
const maxPointer = 1024

var pointerStart = []byte("version https://git-lfs.github.com/spec/v1\n")

// A prefix keeps the start of what is written to it.
type prefix []byte

func (p *prefix) Write(b []byte) (int, error) {
	if room := len(pointerStart) - len(*p); room > 0 {
		*p = append(*p, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

package backup

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// written is the modification time of every file in a tree. It is constant, so
// that both trees of a comparison look alike to a program that asks for it, and
// it is past, so that no later write can happen to have it.
var written = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// A manifest says what a complete tree holds. It lies beside the tree.
type manifest struct {
	Form     int // manifestForm
	Key      string
	Files    []file // sorted by path
	Missing  []string
	Pointers []string
	Outside  []file // links that lead out of the tree, and are not in it; sorted by path
}

// manifestForm counts up when trees are made otherwise.
const manifestForm = 2

func (m *manifest) outside() []string {
	var paths []string
	for _, f := range m.Outside {
		paths = append(paths, f.Path)
	}
	return paths
}

// A file is one file or symbolic link of a tree.
type file struct {
	Path string // slash path
	Kind kind
	Size int64  // of a regular file, or unknownSize
	Link string // target of a symbolic link
}

const unknownSize = -1

type kind int

const (
	regular kind = iota
	executable
	symlink
)

const (
	manifestName = "manifest"
	mostManifest = 256 << 20 // bytes
)

func (m *manifest) write(dir string) (err error) {
	f, err := os.Create(filepath.Join(dir, manifestName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return gob.NewEncoder(f).Encode(m)
}

// readManifest returns the manifest in dir, or an error if there is none or it
// is not whole, as after the machine lost power.
func readManifest(dir string) (*manifest, error) {
	data, err := outside.File(filepath.Join(dir, manifestName), mostManifest)
	if err != nil {
		return nil, err
	}
	m := new(manifest)
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(m); err != nil {
		return nil, fmt.Errorf("reading the manifest of a tree: %w", err)
	}
	return m, nil
}

// changed lists, sorted, the paths that differ between the tree at dir and the manifest.
// It looks at names, kinds, sizes and times, not at contents. A
// directory counts if it is new and empty.
func (m *manifest) changed(dir string) ([]string, error) {
	rest := make(map[string]file, len(m.Files))
	dirs := map[string]bool{".": true}
	for _, f := range m.Files {
		rest[f.Path] = f
		addParents(dirs, f.Path)
	}
	for _, path := range m.Missing {
		dirs[path] = true
		addParents(dirs, path)
	}
	var list []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path, err = relative(dir, path)
		if err != nil {
			return err
		}
		f, ok := rest[path]
		delete(rest, path)
		if d.IsDir() && dirs[path] || ok && f.same(dir, d) {
			return nil
		}
		list = append(list, path)
		return nil
	})
	for path := range rest {
		list = append(list, path)
	}
	slices.Sort(list)
	return slices.Compact(list), err
}

// addParents enters the directories above path. One that is there has all its own there.
func addParents(dirs map[string]bool, path string) {
	for i := strings.LastIndexByte(path, '/'); i > 0 && !dirs[path[:i]]; i = strings.LastIndexByte(path[:i], '/') {
		dirs[path[:i]] = true
	}
}

func relative(dir, path string) (string, error) {
	rel, err := filepath.Rel(dir, path)
	return filepath.ToSlash(rel), err
}

func (f file) same(dir string, d fs.DirEntry) bool {
	info, err := d.Info()
	if err != nil {
		return false
	}
	if f.Kind == symlink {
		if f.Size == unknownSize {
			return info.Mode()&fs.ModeSymlink != 0
		}
		target, err := os.Readlink(filepath.Join(dir, filepath.FromSlash(f.Path)))
		return err == nil && target == f.Link
	}
	return info.Mode().IsRegular() && (f.Size == unknownSize || info.Size() == f.Size) && info.ModTime().Equal(written) &&
		(info.Mode()&0o100 != 0) == (f.Kind == executable)
}

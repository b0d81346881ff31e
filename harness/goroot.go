package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Overlayable reports whether files of GOROOT can be overlaid. The go command
// refuses that beneath the module cache, where the toolchains lie that it fetched.
func (g *Go) Overlayable() bool {
	rel, err := filepath.Rel(g.ModCache, g.Root)
	return g.ModCache == "" || err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// PrivateRoot is g with its GOROOT copied below cache, so that it can be
// overlaid. A copy is complete or absent, and used again by later calls. Files
// are hard links where that is possible: nothing ever writes to them.
func (g *Go) PrivateRoot(ctx context.Context, cache string) (*Go, error) {
	root := filepath.Join(cache, "goroot", filepath.Base(g.Root))
	if _, err := os.Stat(root); err != nil {
		if err := copyRoot(ctx, g.Root, root); err != nil {
			return nil, fmt.Errorf("copying the toolchain %s: %w", g.Root, err)
		}
	}
	now := time.Now()
	os.Chtimes(root, now, now) // of the last use
	private := *g
	private.Root, private.Cmd = root, filepath.Join(root, "bin", "go")
	private.Env = lastWins(append(slices.Clip(g.Env), "GOROOT="+root))
	return &private, nil
}

// copyRoot copies into a neighbour first and renames that. Whoever else does
// the same at the same time may win.
func copyRoot(ctx context.Context, from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(to), "copying-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := copyTree(ctx, from, tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, to); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// copyTree copies what a toolchain needs; its tests and documents aren't it.
func copyTree(ctx context.Context, from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dest := filepath.Join(to, rel)
		switch {
		case d.IsDir() && (rel == "test" || rel == "doc" || rel == "api"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(dest, 0o700)
		case d.Type()&fs.ModeSymlink != 0:
			return copyLink(path, dest)
		}
		if os.Link(path, dest) == nil {
			return nil
		}
		return copyFile(path, dest)
	})
}

func copyLink(from, to string) error {
	target, err := os.Readlink(from)
	if err != nil {
		return err
	}
	return os.Symlink(target, to)
}

// copyFile copies contents and mode; the mode says which files are tools.
func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// Package depot has binaries and trees of files by their SHA-256: packed where a hunt
// runs, and kept by workers, as many as a bound allows. What is kept under a digest has it.
package depot

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// MostTree is how large a tree may be, in bytes.
const MostTree = 1 << 30

// Top is the directory whose files a program that runs in dir may read: that of the
// module it is of, or dir where there is none.
func Top(dir string) string {
	for top := dir; ; top = filepath.Dir(top) {
		if info, err := os.Stat(filepath.Join(top, "go.mod")); err == nil && info.Mode().IsRegular() {
			return top
		}
		if top == filepath.Dir(top) {
			return dir
		}
	}
}

// Pack writes the regular files and the links of a tree, in one order and without times
// and owners, so that equal trees are packed alike.
func Pack(to io.Writer, top string) error {
	w := tar.NewWriter(to)
	total := int64(0)
	err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == top {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(top, name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		head := &tar.Header{Name: filepath.ToSlash(rel), Mode: int64(info.Mode().Perm()), Format: tar.FormatPAX}
		switch {
		case d.IsDir():
			head.Typeflag, head.Name = tar.TypeDir, head.Name+"/"
			return w.WriteHeader(head)
		case d.Type() == fs.ModeSymlink:
			head.Typeflag = tar.TypeSymlink
			if head.Linkname, err = os.Readlink(name); err != nil {
				return err
			}
			return w.WriteHeader(head)
		case !d.Type().IsRegular():
			return nil
		}
		if total += info.Size(); total > MostTree {
			return fmt.Errorf("the files of %s are more than %d MB: that is too much to send to workers", top, MostTree>>20)
		}
		head.Typeflag, head.Size = tar.TypeReg, info.Size()
		if err := w.WriteHeader(head); err != nil {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	})
	if err != nil {
		return fmt.Errorf("packing files: %w", err)
	}
	return w.Close()
}

// unpack makes the directory of a packed tree. Names and links that lead out of it are
// refused.
func unpack(from io.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	r, total := tar.NewReader(from), int64(0)
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name := filepath.FromSlash(strings.TrimSuffix(head.Name, "/"))
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%q leads out of the tree", head.Name)
		}
		switch head.Typeflag {
		case tar.TypeDir:
			err = root.Mkdir(name, 0o755)
		case tar.TypeSymlink:
			if filepath.IsAbs(head.Linkname) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), filepath.FromSlash(head.Linkname))) {
				continue // it leads to what the worker doesn't have
			}
			err = root.Symlink(head.Linkname, name)
		case tar.TypeReg:
			if total += head.Size; total > MostTree {
				return fmt.Errorf("its files are more than %d MB", MostTree>>20)
			}
			err = writeFile(root, name, fs.FileMode(head.Mode).Perm(), r)
		default:
			err = fmt.Errorf("%q is neither file, directory nor link", head.Name)
		}
		if err != nil {
			return err
		}
	}
}

func writeFile(root *os.Root, name string, mode fs.FileMode, from io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// Digest is the name of what is read.
func Digest(from io.Reader) (string, error) {
	h := sha256.New()
	_, err := io.Copy(h, from)
	return name(h), err
}

func name(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// IsDigest reports whether text is the name of something.
func IsDigest(text string) bool {
	b, err := hex.DecodeString(text)
	return err == nil && len(b) == sha256.Size && text == strings.ToLower(text)
}

package modules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/mod/module"

	"github.com/pinpoint-go/pinpoint/internal/cache"
)

// unused is how long a copy is kept after its last use.
const unused = 14 * 24 * time.Hour

// copyOf returns the copy of a module in the module cache, and makes it if it
// isn't there. Copies appear by a rename, complete:
//
//	CACHE/modules/HASH/NAME@VERSION   the module; HASH's time is that of the last use
//	CACHE/modules/tmp-*               being made or removed
func (c *Copies) copyOf(ctx context.Context, dir string) (string, error) {
	top, err := filepath.Abs(c.config.Cache)
	if err != nil {
		return "", err
	}
	if c.Cached(top) {
		return "", fmt.Errorf("the cache %s lies in the module cache", c.config.Cache)
	}
	store, err := cache.Dir(top, "modules")
	if err != nil {
		return "", err
	}
	home := filepath.Join(store, c.key(dir))
	copied := filepath.Join(home, filepath.Base(dir))
	now := time.Now()
	if os.Chtimes(home, now, now) == nil {
		return copied, nil
	}
	removeUnused(store, now)
	tmp, err := os.MkdirTemp(store, "tmp-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	if err := c.fill(ctx, dir, filepath.Join(tmp, filepath.Base(dir))); err != nil {
		return "", err
	}
	// Whoever else makes the same copy at the same time may win.
	if err := os.Rename(tmp, home); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	return copied, nil
}

// key is different for different contents: a private module may have been
// published twice as the same version. The directory is in it because the files
// of a copy say where they are from.
func (c *Copies) key(dir string) string {
	sum, _ := os.ReadFile(c.download(dir, ".ziphash"))
	hash := sha256.Sum256([]byte("1\n" + dir + "\n" + string(sum)))
	return hex.EncodeToString(hash[:12])
}

// download is the file of what was downloaded for the module extracted to dir.
func (c *Copies) download(dir, ext string) string {
	rel, _ := filepath.Rel(c.config.ModCache, dir)
	at := max(0, strings.LastIndex(rel, "@"))
	return filepath.Join(c.config.ModCache, "cache", "download", rel[:at], "@v", strings.TrimPrefix(rel[at:], "@")+ext)
}

// fill copies the module in dir to a new directory. Its Go files get to know
// where they are from; all others are links where that is possible, since
// nothing ever writes to them.
func (c *Copies) fill(ctx context.Context, dir, to string) error {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		dest := to + path[len(dir):]
		switch {
		case d.IsDir():
			return os.MkdirAll(dest, 0o777)
		case compiled(d.Name()):
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(dest, located(path, src), 0o666)
		case os.Link(path, dest) == nil:
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(dest, src, 0o666)
	})
	if err != nil {
		return err
	}
	return c.ensureModFile(dir, to)
}

// compiled says whether a file of a dependency may be compiled: tests never are.
func compiled(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// ensureModFile gives a module from before modules the go.mod that the go
// command made up for it: a directory can't replace a module without one.
func (c *Copies) ensureModFile(dir, to string) error {
	name := filepath.Join(to, "go.mod")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	data, err := os.ReadFile(c.download(dir, ".mod"))
	if err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o666)
}

// removeUnused drops copies that nobody used for long, and what killed runs left. What is as
// far ahead is of a clock that was set back since.
func removeUnused(store string, now time.Time) {
	entries, _ := os.ReadDir(store)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || now.Sub(info.ModTime()).Abs() < unused {
			continue
		}
		// It must not be found half removed.
		name, gone := filepath.Join(store, e.Name()), filepath.Join(store, "tmp-gone-"+e.Name())
		if strings.HasPrefix(e.Name(), "tmp-") || os.Rename(name, gone) != nil {
			gone = name
		}
		os.RemoveAll(gone)
	}
}

// Shown gives a file of a module in the module cache as module@version/file, and
// any other file as it is.
func (c *Copies) Shown(name string) string {
	rest, ok := strings.CutPrefix(c.Source(name), c.config.ModCache+string(filepath.Separator))
	if !ok {
		return name
	}
	path, rest, _ := strings.Cut(filepath.ToSlash(rest), "@")
	version, file, _ := strings.Cut(rest, "/")
	path, errPath := module.UnescapePath(path)
	version, errVersion := module.UnescapeVersion(version)
	if errPath != nil || errVersion != nil {
		return name
	}
	return path + "@" + version + "/" + file
}

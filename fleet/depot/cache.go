package depot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/cache"
	"github.com/pinpoint-go/pinpoint/internal/flock"
)

// A Cache keeps files and trees below a directory that one worker has for itself. It is
// not safe for use from several goroutines at the same time.
type Cache struct {
	Most int64 // bytes that it keeps; what the job at hand needs is kept whatever it takes

	dir   string
	lock  *os.File
	known map[string]string // how files and trees looked when they had their digest, by that
}

// mostSlots bounds the workers that share a directory.
const mostSlots = 4096

// OpenCache takes a part of the directory that no other worker has. Parts stay, so that
// the next worker finds what this one leaves.
func OpenCache(dir string, most int64) (*Cache, error) {
	for i := range mostSlots {
		slot := filepath.Join(dir, fmt.Sprintf("%04d", i))
		if err := os.MkdirAll(slot, 0o700); err != nil {
			return nil, fmt.Errorf("making a cache: %w", err)
		}
		// What is old in it is removed: no link may lead that to what is not ours.
		if info, err := os.Lstat(slot); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("making a cache: %s is no directory but a link: remove it", slot)
		}
		f, err := os.OpenFile(filepath.Join(slot, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, fmt.Errorf("making a cache: %w", err)
		}
		if flock.Lock(f, flock.Alone|flock.DontWait) == nil {
			c := &Cache{Most: most, dir: slot, lock: f, known: make(map[string]string)}
			return c, c.tidy()
		}
		f.Close()
	}
	return nil, fmt.Errorf("making a cache: %d workers use %s", mostSlots, dir)
}

// tidy removes what is not known to be as it was: trees, which workloads may have written
// to, and what was not finished.
func (c *Cache) tidy() error {
	list, err := os.ReadDir(c.dir)
	for _, d := range list {
		if ours(d.Name()) && !IsDigest(d.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(c.dir, d.Name())))
		}
	}
	return err
}

// ours says whether the cache gives such names.
func ours(name string) bool {
	return strings.HasPrefix(name, "new-") || IsDigest(strings.TrimSuffix(name, ".tree"))
}

// Close leaves the cache to another worker.
func (c *Cache) Close() error { return c.lock.Close() }

// File is where the file of a digest lies, if it is kept.
func (c *Cache) File(digest string) string { return filepath.Join(c.dir, digest) }

// Tree is where the tree of a digest lies, if it is kept.
func (c *Cache) Tree(digest string) string { return filepath.Join(c.dir, digest+".tree") }

// Have makes sure that files, and trees among them, are kept, and as they were: what is not,
// or was written to by a workload, is opened and read. What doesn't have its digest is an error.
func (c *Cache) Have(ctx context.Context, digests []string, isTree func(digest string) bool, open func(ctx context.Context, digest string) (io.ReadCloser, error)) error {
	now, fetched := time.Now(), false
	for _, d := range digests {
		if !IsDigest(d) {
			return fmt.Errorf("%q is no digest", d)
		}
		at := c.File(d)
		if isTree(d) {
			at = c.Tree(d)
		}
		if !c.intact(d, at) {
			err := cache.Remove(at)
			if err == nil {
				err = c.fetch(ctx, d, isTree(d), at, open)
			}
			if err != nil {
				return fmt.Errorf("getting the file %.12s of a job: %w", d, err)
			}
			fetched = true
		}
		if err := os.Chtimes(at, now, now); err != nil {
			return err
		}
		c.known[d] = look(at)
	}
	if !fetched {
		return nil
	}
	return c.evict(digests)
}

func (c *Cache) fetch(ctx context.Context, digest string, tree bool, at string, open func(ctx context.Context, digest string) (io.ReadCloser, error)) error {
	from, err := open(ctx, digest)
	if err != nil {
		return err
	}
	defer from.Close()
	temp, err := os.CreateTemp(c.dir, "new-")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	defer temp.Close()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(temp, h), from); err != nil {
		return err
	}
	if got := name(h); got != digest {
		return fmt.Errorf("what came has the digest %.12s", got)
	}
	if !tree {
		err := errors.Join(temp.Chmod(0o500), temp.Close())
		if err == nil {
			err = os.Rename(temp.Name(), at)
		}
		return err
	}
	if _, err := temp.Seek(0, io.SeekStart); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(c.dir, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := unpack(temp, dir); err != nil {
		return err
	}
	return os.Rename(dir, at)
}

// intact reports whether what is kept at a place has its digest. Of a worker before this one
// there are files only.
func (c *Cache) intact(digest, at string) bool {
	if before, ok := c.known[digest]; ok {
		return look(at) == before
	}
	if info, err := os.Lstat(at); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(at)
	if err != nil {
		return false
	}
	defer f.Close()
	got, err := Digest(f)
	return err == nil && got == digest
}

// look is how a file, or those below a directory, look from outside. Whoever writes to one
// can put its size and its time back, but not when it was last changed.
func look(at string) string {
	h := sha256.New()
	filepath.WalkDir(at, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintln(h, err)
		} else if info, err := d.Info(); err == nil {
			fmt.Fprintln(h, name, info.Size(), info.Mode(), info.ModTime().UnixNano(), changed(name))
		}
		return nil
	})
	return name(h)
}

// evict removes what was longest not used, until the rest is within the bound.
func (c *Cache) evict(used []string) error {
	type entry struct {
		path string
		size int64
		when time.Time
	}
	list, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	var entries []entry
	total, now := int64(0), time.Now()
	for _, d := range list {
		info, err := d.Info()
		if err != nil || !ours(d.Name()) {
			continue
		}
		e := entry{filepath.Join(c.dir, d.Name()), sizeOf(filepath.Join(c.dir, d.Name())), info.ModTime()}
		if e.when.After(now) { // the clock was set back since
			e.when = now
			os.Chtimes(e.path, now, now)
		}
		entries, total = append(entries, e), total+e.size
	}
	slices.SortFunc(entries, func(a, b entry) int { return a.when.Compare(b.when) })
	for _, e := range entries {
		if total <= c.Most {
			break
		}
		if slices.ContainsFunc(used, func(d string) bool { return e.path == c.File(d) || e.path == c.Tree(d) }) {
			continue
		}
		if err := cache.Remove(e.path); err != nil {
			return err
		}
		total -= e.size
	}
	return nil
}

func sizeOf(path string) int64 {
	total := int64(0)
	filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				total += info.Size()
			}
		}
		return nil
	})
	return total
}

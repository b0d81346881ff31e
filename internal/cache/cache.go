package cache

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// places are where entries of each kind lie, and what in them has the time of the last use.
var places = []struct{ kind, pattern, used string }{
	{"tree", "trees/*/[cw]*", "manifest"},
	{"module", "modules/*", "."},
	{"toolchain", "goroot/*", "."},
	{"session", "bisect/*", "."},
	{"session", "rounds/*", "."},
}

// making are the beginnings of names of what is not complete yet, and removed by who
// makes such.
var making = []string{"tmp-", "copying-"}

// List gives all entries of the cache dir, the least recently used first. One that is not
// there has none.
func List(dir string) ([]Entry, error) {
	known := sizes(dir)
	var list []Entry
	for _, p := range places {
		names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(p.pattern)))
		if err != nil {
			return nil, err // of the pattern
		}
		for _, name := range names {
			e := Entry{Kind: p.kind}
			rel, _ := filepath.Rel(dir, name)
			e.Path = filepath.ToSlash(rel)
			info, err := os.Lstat(filepath.Join(name, p.used))
			if info == nil || slices.ContainsFunc(making, func(m string) bool { return strings.HasPrefix(path.Base(e.Path), m) }) {
				continue // it went meanwhile
			}
			if err != nil {
				return nil, err
			}
			e.Used = info.ModTime()
			if e.Bytes = known[e.Path]; e.Bytes == 0 || !info.IsDir() && p.used == "." {
				e.Bytes = weigh(name)
			}
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return a.Used.Compare(b.Used) })
	return list, nil
}

// Total is how many bytes entries have.
func Total(list []Entry) (sum int64) {
	for _, e := range list {
		sum += e.Bytes
	}
	return sum
}

// weigh is the size of a file or of all below a directory.
func weigh(name string) (sum int64) {
	filepath.WalkDir(name, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}

const (
	sizesName = "sizes"
	maxName   = "max"
	lockName  = "in-use"
	trash     = "trash-"
)

// sizes are those that were weighed before: entries don't grow, as far as it matters.
func sizes(dir string) map[string]int64 {
	known := make(map[string]int64)
	if data, err := outside.File(filepath.Join(dir, sizesName), 16<<20); err == nil {
		json.Unmarshal(data, &known) // else all are weighed again
	}
	return known
}

func remember(dir string, list []Entry) error {
	known := make(map[string]int64)
	for _, e := range list {
		known[e.Path] = e.Bytes
	}
	return save(dir, sizesName, known)
}

func save(dir, name string, v any) error {
	return output.Private(filepath.Join(dir, name), func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// Max is what the cache may hold, in bytes.
func Max(dir string) int64 {
	data, err := outside.File(filepath.Join(dir, maxName), 32)
	if n, bad := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && bad == nil && n >= 0 {
		return n
	}
	return DefaultMax
}

// SetMax changes that for this and all later runs.
func SetMax(dir string, bytes int64) error {
	if err := private(dir); err != nil {
		return err
	}
	return save(dir, maxName, bytes)
}

// private makes the cache, and closes it to others.
func private(dir string) error {
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.Chmod(dir, 0o700)); err != nil {
		return fmt.Errorf("making the cache: %w", err)
	}
	return nil
}

var (
	holding sync.Mutex
	held    = make(map[string]*os.File) // locks, by directory: until this process ends
)

// Hold is called before anything in the cache is used: what is above the bound goes, and
// for as long as this process lives nothing of what it uses does.
func Hold(dir string) error {
	holding.Lock()
	defer holding.Unlock()
	if held[dir] != nil {
		return nil
	}
	if err := private(dir); err != nil {
		return err
	}
	f, err := openLock(filepath.Join(dir, lockName))
	if err != nil {
		return fmt.Errorf("locking the cache: %w", err)
	}
	held[dir] = f
	_, err = shrink(dir, Max(dir), alone(f))
	share(f)
	if err != nil {
		return fmt.Errorf("bounding the cache: %w", err)
	}
	return nil
}

// Shrink removes what was used least recently until no more is left than that many bytes,
// and gives what it removed. What another pinpoint may be using is spared.
func Shrink(dir string, most int64) ([]Entry, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f, err := openLock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, fmt.Errorf("locking the cache: %w", err)
	}
	defer f.Close()
	return shrink(dir, most, alone(f))
}

func shrink(dir string, most int64, alone bool) (gone []Entry, err error) {
	leftovers, _ := filepath.Glob(filepath.Join(dir, trash+"*"))
	for _, name := range leftovers {
		Remove(name)
	}
	list, err := List(dir)
	if err != nil {
		return nil, err
	}
	total := Total(list)
	now := time.Now()
	list = slices.DeleteFunc(list, func(e Entry) bool {
		if total <= most || !alone && now.Sub(e.Used) < spared || throw(dir, e) != nil {
			return false
		}
		total -= e.Bytes
		gone = append(gone, e)
		return true
	})
	return gone, remember(dir, list)
}

// throw removes an entry.
func throw(dir string, e Entry) error {
	bin, err := os.MkdirTemp(dir, trash)
	if err != nil {
		return err
	}
	defer Remove(bin)
	return os.Rename(filepath.Join(dir, filepath.FromSlash(e.Path)), filepath.Join(bin, "entry"))
}

// Remove removes a directory also where something in it, such as a module, is read-only.
func Remove(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

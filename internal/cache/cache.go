package cache

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/flock"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// places are where entries of each kind lie, what they are called, and what in them has
// the time of the last use. Nothing that is called otherwise is an entry.
var places = []struct {
	kind, dir string // the directory with its own, a * for each
	name      *regexp.Regexp
	used      string
}{
	{"tree", "trees/*", regexp.MustCompile(`^[cw][0-9a-f]+$`), "manifest"},
	{"module", "modules", regexp.MustCompile(`^[0-9a-f]+$`), "."},
	{"toolchain", "goroot", regexp.MustCompile(`^(toolchain@|go)[\w.@-]+$`), "."},
	{"session", "bisect", regexp.MustCompile(`^[0-9a-f]+\.json$`), "."},
	{"session", "rounds", regexp.MustCompile(`^[0-9a-f]+$`), "."},
}

// List gives all entries of the cache dir, the least recently used first. One that is not
// there has none.
func List(dir string) ([]Entry, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return list(root, sizes(dir))
}

// list goes by no link: whoever may write here could lead it to anything, and what is
// listed is removed.
func list(root *os.Root, known map[string]int64) (list []Entry, err error) {
	now := time.Now()
	for _, p := range places {
		for _, name := range entriesOf(root, p.dir, p.name) {
			e := Entry{Kind: p.kind, Path: name}
			info, err := root.Lstat(path.Join(name, p.used))
			if err != nil {
				continue // it is not complete, or went meanwhile
			}
			if e.Used = info.ModTime(); e.Used.After(now) {
				// The clock was set back since. It would be the last to go until then.
				e.Used = now
				root.Chtimes(path.Join(name, p.used), now, now)
			}
			if e.Bytes = known[e.Path]; e.Bytes == 0 || info.Mode().IsRegular() && p.used == "." {
				e.Bytes = weigh(root, name)
			}
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(a, b Entry) int { return a.Used.Compare(b.Used) })
	return list, nil
}

// entriesOf are the directories and files of that name in a directory of the cache.
func entriesOf(root *os.Root, dir string, called *regexp.Regexp) (names []string) {
	if parent, ok := strings.CutSuffix(dir, "/*"); ok {
		for _, name := range entriesOf(root, parent, regexp.MustCompile(`^[0-9a-f]+$`)) {
			names = append(names, entriesOf(root, name, called)...)
		}
		return names
	}
	if info, err := root.Lstat(dir); err != nil || !info.IsDir() {
		return nil
	}
	f, err := root.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	for _, e := range entries {
		if called.MatchString(e.Name()) && (e.IsDir() || e.Type().IsRegular()) {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	slices.Sort(names)
	return names
}

// Total is how many bytes entries have.
func Total(list []Entry) (sum int64) {
	for _, e := range list {
		sum += e.Bytes
	}
	return sum
}

// weigh is the size of a file or of all below a directory.
func weigh(root *os.Root, name string) (sum int64) {
	fs.WalkDir(root.FS(), name, func(_ string, d fs.DirEntry, err error) error {
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

// Dir makes a directory below the cache, for the user alone. A link in its place, or in that
// of one above it, is an error: who removes what is old there must not meet others' files.
func Dir(top string, names ...string) (string, error) {
	if err := private(top); err != nil {
		return "", err
	}
	dir := top
	for _, name := range names {
		dir = filepath.Join(dir, name)
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		info, err := os.Lstat(dir)
		if err != nil {
			return "", err
		}
		if !info.IsDir() {
			return "", fmt.Errorf("%s is no directory but a link or a file: remove it", dir)
		}
		if err := os.Chmod(dir, 0o700); err != nil {
			return "", err
		}
	}
	return dir, nil
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
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|flock.NoFollow, 0o600)
	if err != nil {
		return fmt.Errorf("locking the cache: %w", err)
	}
	held[dir] = f
	_, err = shrink(dir, Max(dir), alone(f))
	flock.Lock(f, flock.Shared)
	if err != nil {
		return fmt.Errorf("bounding the cache: %w", err)
	}
	return nil
}

// alone takes the lock of a cache that no other pinpoint uses. Where the file system has
// no locks, others are believed to be there always.
func alone(f *os.File) bool { return flock.Lock(f, flock.Alone|flock.DontWait) == nil }

// Shrink removes what was used least recently until no more is left than that many bytes,
// and gives what it removed. What another pinpoint may be using is spared.
func Shrink(dir string, most int64) ([]Entry, error) {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|flock.NoFollow, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking the cache: %w", err)
	}
	defer f.Close()
	return shrink(dir, most, alone(f))
}

func shrink(dir string, most int64, alone bool) (gone []Entry, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	empty(root)
	left, err := list(root, sizes(dir))
	if err != nil {
		return nil, err
	}
	total := Total(left)
	now := time.Now()
	left = slices.DeleteFunc(left, func(e Entry) bool {
		if total <= most || !alone && now.Sub(e.Used) < spared || throw(root, e) != nil {
			return false
		}
		total -= e.Bytes
		gone = append(gone, e)
		return true
	})
	empty(root)
	return gone, remember(dir, left)
}

// throw takes an entry from where it is found.
func throw(root *os.Root, e Entry) error {
	return root.Rename(filepath.FromSlash(e.Path), trash+rand.Text())
}

// empty removes what was thrown away, now or by one that was killed.
func empty(root *os.Root) {
	for _, name := range entriesOf(root, ".", regexp.MustCompile("^"+trash)) {
		if root.RemoveAll(name) == nil {
			continue
		}
		fs.WalkDir(root.FS(), name, func(path string, d fs.DirEntry, err error) error {
			if d != nil && d.IsDir() {
				root.Chmod(path, 0o700)
			}
			return nil
		})
		root.RemoveAll(name)
	}
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

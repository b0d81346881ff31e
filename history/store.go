package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// DefaultDir is where results are kept if the user doesn't say otherwise,
// relative to the repository.
const DefaultDir = ".pinpoint/history"

// A Store is a directory of accepted results. It need not exist.
type Store struct{ Dir string }

// Entries are the accepted results, the oldest first.
func (s Store) Entries() ([]Entry, error) {
	files, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var all []Entry
	for _, f := range files {
		if f.IsDir() || !strings.HasSuffix(f.Name(), ".txt") {
			continue
		}
		held, err := ReadFile(filepath.Join(s.Dir, f.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading the history: %w", err)
		}
		all = append(all, held...)
	}
	// Names begin with the date, and files that someone put here have it inside.
	slices.SortStableFunc(all, func(a, b Entry) int { return strings.Compare(a.Date, b.Date) })
	return all, nil
}

// Add keeps a result, as it is, and returns the path of its file. The directory is
// made if it isn't there. What is there already is an error.
func (s Store) Add(from string) (string, error) {
	all, err := ReadFile(from)
	if err != nil {
		return "", err
	}
	e := all[0] // whose commit and host the others have
	if e.Commit == "" || e.Host == "" {
		return "", fmt.Errorf("%s: has no commit or host among its configuration lines; was it written by pinpoint measure?", from)
	}
	content, err := outside.Named(from, mostFile)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(s.Dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(s.Dir, fileName(all))
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s: is in the history already, as %s", from, path)
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
		return "", err
	}
	return path, nil
}

// fileName tells results apart by date, package, commit and host, and sorts by
// date.
func fileName(all []Entry) string {
	e := all[0]
	pkg := e.Package[strings.LastIndexByte(e.Package, '/')+1:]
	if len(all) > 1 {
		pkg += fmt.Sprintf("+%d", len(all)-1)
	}
	parts := []string{strings.NewReplacer("-", "", ":", "").Replace(e.Date), pkg, short(e.Commit), short(e.Host)}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return regexp.MustCompile(`[^A-Za-z0-9._+-]`).ReplaceAllString(strings.Join(parts, "-"), "_") + ".txt"
}

func short(hash string) string { return hash[:min(len(hash), 12)] }

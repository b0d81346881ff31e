//go:build linux || darwin

package depot

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// store is what hunts have sent: files by their digests, and how many were fetched.
type store struct {
	files   map[string][]byte
	trees   []string
	fetched int
}

func (s *store) add(t *testing.T, data []byte) string {
	t.Helper()
	digest, err := Digest(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	s.files[digest] = data
	return digest
}

func (s *store) have(t *testing.T, c *Cache, digests ...string) {
	t.Helper()
	err := c.Have(t.Context(), digests, func(d string) bool { return slices.Contains(s.trees, d) }, func(_ context.Context, d string) (io.ReadCloser, error) {
		s.fetched++
		return io.NopCloser(bytes.NewReader(s.files[d])), nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, dir string) *Cache {
	t.Helper()
	c, err := OpenCache(dir, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestPoisoned has a workload write to the program and the files that it was given, and put
// sizes and times back: the next one gets what the digests say, from the same worker and
// from one that begins after it.
func TestPoisoned(t *testing.T) {
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "input"), []byte("true"), 0o644); err != nil {
		t.Fatal(err)
	}
	var tree bytes.Buffer
	if err := Pack(&tree, top); err != nil {
		t.Fatal(err)
	}
	s := &store{files: make(map[string][]byte)}
	program, files := s.add(t, []byte("good")), s.add(t, tree.Bytes())
	s.trees = []string{files}
	dir := t.TempDir()
	c := open(t, dir)
	for again := range 4 {
		if again == 3 { // another worker
			c.Close()
			c = open(t, dir)
		}
		s.fetched = 0
		s.have(t, c, program, files)
		if s.fetched != 2 {
			t.Errorf("%d: fetched %d", again, s.fetched)
		}
		s.have(t, c, program, files)
		if s.fetched != 2 {
			t.Errorf("%d: what is as it was is fetched again", again)
		}
		input := filepath.Join(c.Tree(files), "input")
		for name, want := range map[string]string{c.File(program): "good", input: "true"} {
			if data, err := os.ReadFile(name); err != nil || string(data) != want {
				t.Errorf("%d: %s is %q, %v", again, name, data, err)
			}
			info, err := os.Stat(name)
			err = errors.Join(err, os.Chmod(name, 0o700), os.WriteFile(name, []byte("evil"), 0o700), os.Chmod(name, info.Mode().Perm()), os.Chtimes(name, info.ModTime(), info.ModTime()))
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestClock: what was used while the clock was ahead goes in its turn.
func TestClock(t *testing.T) {
	s := &store{files: make(map[string][]byte)}
	c := open(t, t.TempDir())
	var digests []string
	for i := range 3 {
		digests = append(digests, s.add(t, bytes.Repeat([]byte{byte(i)}, 1000)))
	}
	s.have(t, c, digests[0])
	at := time.Now().AddDate(100, 0, 0)
	if err := os.Chtimes(c.File(digests[0]), at, at); err != nil {
		t.Fatal(err)
	}
	s.have(t, c, digests[1])
	c.Most = 2000
	s.have(t, c, digests[1])
	s.have(t, c, digests[2])
	if _, err := os.Stat(c.File(digests[0])); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was used first is there: %v", err)
	}
}

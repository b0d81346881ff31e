package history

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// An Entry is one result: of one package at one commit, on one host.
type Entry struct {
	Path string // of the file; "" when it was not read from one
	// The configuration lines that identify it; "" where there is none.
	Rev, Commit, Host, Package, Toolchain, Date string

	Keys    []Key // in the order of the file
	Samples map[Key][]float64
}

// A Key is one quantity of one benchmark.
type Key struct {
	Name string // without the word Benchmark
	Unit string // as written: ns/op, not sec/op
}

// ReadFile reads the entries of a file.
func ReadFile(path string) ([]Entry, error) {
	data, err := outside.Named(path, mostFile)
	if err != nil {
		return nil, err
	}
	all, err := Read(bytes.NewReader(data), path)
	for i := range all {
		all[i].Path = path
	}
	return all, err
}

// mostFile is how long a file of entries may be, in bytes.
const mostFile = 64 << 20

// Read reads the entries of packages that were measured together, in the order in which
// they begin: one at least. It is an error for them to be of several revisions or hosts.
func Read(r io.Reader, name string) ([]Entry, error) {
	var all []Entry
	in := benchfmt.NewReader(r, name)
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, rec
		case *benchfmt.Result:
			e := identity(rec)
			i := slices.IndexFunc(all, func(have Entry) bool { return have.Package == e.Package })
			if i < 0 {
				i = len(all)
				all = append(all, e)
			}
			if err := e.fits(all[0], all[i]); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			all[i].add(rec)
		}
	}
	if err := in.Err(); err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(e Entry) bool { return len(e.Keys) == 0 })
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: holds no results in Go's benchmark format", name)
	}
	return all, nil
}

// identity is an entry without samples, of the configuration of a result.
func identity(r *benchfmt.Result) Entry {
	return Entry{
		Rev: r.GetConfig("rev"), Commit: r.GetConfig("commit"), Host: r.GetConfig("host"),
		Package: r.GetConfig("pkg"), Toolchain: r.GetConfig("toolchain"), Date: r.GetConfig("date"),
		Samples: map[Key][]float64{},
	}
}

// fits sees that a result is of the same as those before it: the first of the file and the
// first of its package, which has a date of its own.
func (e Entry) fits(first, own Entry) error {
	for _, c := range []struct{ key, before, now string }{
		{"rev", first.Rev, e.Rev}, {"commit", first.Commit, e.Commit}, {"host", first.Host, e.Host},
		{"toolchain", own.Toolchain, e.Toolchain}, {"date", own.Date, e.Date},
	} {
		if c.now != c.before {
			return fmt.Errorf("holds results of %s %q and %q: keep one in a file", c.key, c.before, c.now)
		}
	}
	return nil
}

// add takes up what can be compared: a metric that a benchmark divided by zero can't.
func (e *Entry) add(r *benchfmt.Result) {
	for _, v := range r.Values {
		key := Key{string(r.Name), v.Unit}
		x := v.Value
		if v.OrigUnit != "" {
			key.Unit, x = v.OrigUnit, v.OrigValue
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		if !slices.Contains(e.Keys, key) {
			e.Keys = append(e.Keys, key)
		}
		e.Samples[key] = append(e.Samples[key], x)
	}
}

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

// An Entry is one result: of one commit, on one host.
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

// ReadFile reads an entry from a file.
func ReadFile(path string) (Entry, error) {
	data, err := outside.Named(path, mostFile)
	if err != nil {
		return Entry{}, err
	}
	e, err := Read(bytes.NewReader(data), path)
	e.Path = path
	return e, err
}

// mostFile is how long the file of an entry may be, in bytes.
const mostFile = 64 << 20

// Read reads an entry. It is an error for it to hold several revisions or
// hosts, or no results.
func Read(r io.Reader, name string) (Entry, error) {
	e := Entry{Samples: map[Key][]float64{}}
	in := benchfmt.NewReader(r, name)
	for in.Scan() {
		switch rec := in.Result().(type) {
		case *benchfmt.SyntaxError:
			return e, rec
		case *benchfmt.Result:
			if err := e.identify(rec); err != nil {
				return e, fmt.Errorf("%s: %w", name, err)
			}
			e.add(rec)
		}
	}
	if err := in.Err(); err != nil {
		return e, err
	}
	if len(e.Keys) == 0 {
		return e, fmt.Errorf("%s: holds no results in Go's benchmark format", name)
	}
	return e, nil
}

// identify takes the configuration of the first result and sees that the others
// have the same.
func (e *Entry) identify(r *benchfmt.Result) error {
	for _, c := range []struct {
		key string
		to  *string
	}{
		{"rev", &e.Rev}, {"commit", &e.Commit}, {"host", &e.Host},
		{"pkg", &e.Package}, {"toolchain", &e.Toolchain}, {"date", &e.Date},
	} {
		value := r.GetConfig(c.key)
		if len(e.Keys) > 0 && value != *c.to {
			return fmt.Errorf("holds results of %s %q and %q: keep one in a file", c.key, *c.to, value)
		}
		*c.to = value
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

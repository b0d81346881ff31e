package profile

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/internal/outside"
)

// Recorder runs the unprobed benchmarks of a pair under package testing's profilers.
type Recorder struct {
	sides.Pair
	Sampler *compare.Sampler
	Dir     string // for the profiles

	seen *change.Pair[[]Stack] // nil: not asked yet
}

// Both are the CPU profiles of both sides, recorded once: who calls whom, and what grew.
func (r *Recorder) Both(ctx context.Context) (change.Pair[[]Stack], error) {
	if r.seen != nil {
		return *r.seen, nil
	}
	r.Sampler.Log.Phase("looking where both spend their time")
	p, err := both(ctx, r.Pair, r.CPU)
	r.seen = &p
	return p, err
}

// both records the two sides at the same time, see [harness.Quietly].
func both[T any](ctx context.Context, of sides.Pair, record func(context.Context, *sides.Side) (T, error)) (p change.Pair[T], err error) {
	err = harness.Quietly(ctx, func(ctx context.Context) error {
		return change.Together(
			func() (err error) { p.Good, err = record(ctx, of.Good); return err },
			func() (err error) { p.Bad, err = record(ctx, of.Bad); return err },
		)
	})
	return p, err
}

// Known is what Both recorded; false if it was not asked.
func (r *Recorder) Known() (change.Pair[[]Stack], bool) {
	if r.seen == nil {
		return change.Pair[[]Stack]{}, false
	}
	return *r.seen, true
}

// run runs a side's unprobed benchmark once with one of package testing's
// profiles, named as in its flag: cpu, mem or block.
func (r *Recorder) run(ctx context.Context, s *sides.Side, kind string, o harness.Order, flags ...string) (*profile.Profile, harness.Process, error) {
	name := filepath.Join(r.Dir, s.Label+"."+kind)
	w := r.Sampler.Workload
	w.Args = slices.Concat(w.Args, []string{"-test." + kind + "profile=" + name}, flags)
	w.Writes = []string{name}
	p, err := harness.Run(ctx, s.Unprobed, w, o)
	if err != nil {
		return nil, p, err
	}
	r.Sampler.Log.Ran(1, 0)
	data, err := outside.File(name, mostProfile)
	if err == nil {
		data, err = outside.Inflate(data, mostProfile)
	}
	if err != nil {
		return nil, p, fmt.Errorf("reading the %s profile of %s: %w", kind, s.Label, err)
	}
	prof, err := profile.ParseData(data)
	if err != nil {
		return nil, p, fmt.Errorf("reading the %s profile of %s: %w", kind, s.Label, err)
	}
	return prof, p, nil
}

// mostProfile is how large a profile is that is read, in bytes, compressed or not.
const mostProfile = 256 << 20

// Activation is a function on a stack, with the line at which it was.
type Activation struct {
	Func *callgraph.Function // nil where its source is not loaded
	Name string              // as the runtime has it
	Line int
}

// resolver finds functions as a profile names them, each once.
func resolver(s *sides.Side) func(*profile.Function) *callgraph.Function {
	known := make(map[*profile.Function]*callgraph.Function)
	return func(f *profile.Function) *callgraph.Function {
		if f == nil {
			return nil
		}
		fn, ok := known[f]
		if !ok {
			fn = s.FunctionAt(f.Filename, int(f.StartLine), f.Name)
			known[f] = fn
		}
		return fn
	}
}

// activations turns a sample upside down: what called first comes first.
func activations(sample *profile.Sample, resolve func(*profile.Function) *callgraph.Function) []Activation {
	var list []Activation
	// Leaf first, and in a location what was inlined first.
	for _, loc := range sample.Location {
		for _, line := range loc.Line {
			if line.Function != nil {
				list = append(list, Activation{resolve(line.Function), line.Function.Name, int(line.Line)})
			}
		}
	}
	slices.Reverse(list)
	return list
}

// belowTimed cuts what lies above the timed function; nil if it isn't there. A server's
// stacks begin where its goroutines do.
func belowTimed(s *sides.Side, list []Activation) []Activation {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Func == s.Timed {
			return list[i:]
		}
	}
	if s.Serves {
		return list
	}
	return nil
}

// Forget has Both record anew, in terms of the source that was loaded since.
func (r *Recorder) Forget() { r.seen = nil }

// Packages are the import paths of the functions that CPU profiles of both sides see the
// benchmark in, whether their source is loaded or not, those first that it is in most.
func (r *Recorder) Packages(ctx context.Context) ([]string, error) {
	if r.Sampler.Workload.Kind != harness.Bench {
		return nil, nil
	}
	weight := make(map[string]int64)
	for _, s := range r.Sides() {
		prof, _, err := r.run(ctx, s, "cpu", r.longEnough(s))
		if err != nil {
			return nil, err
		}
		for _, sample := range prof.Sample {
			seen := make(map[string]bool)
			for _, a := range activations(sample, resolver(s)) {
				if path := packageOf(a.Name); !seen[path] {
					seen[path] = true
					weight[path] += sample.Value[0]
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(weight), func(a, b string) int { return cmp.Compare(weight[b], weight[a]) }), nil
}

// packageOf is the import path in a function's name as the runtime has it.
func packageOf(name string) string {
	dir := strings.LastIndexByte(name, '/') + 1
	base, _, _ := strings.Cut(name[dir:], ".")
	return name[:dir] + base
}

package hunt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
)

// runProfiled runs a side's unprobed benchmark once with one of package testing's
// profiles, named as in its flag: cpu, mem or block.
func (h *hunt) runProfiled(ctx context.Context, s *side, kind string, o harness.Order, flags ...string) (*profile.Profile, harness.Process, error) {
	name := filepath.Join(h.temp.Path, s.Label+"."+kind)
	w := h.opts.Workload
	w.Args = slices.Concat(w.Args, []string{"-test." + kind + "profile=" + name}, flags)
	p, err := harness.Run(ctx, s.unprobed, w, o)
	if err != nil {
		return nil, p, err
	}
	h.log.Ran(1, 0)
	f, err := os.Open(name)
	if err != nil {
		return nil, p, fmt.Errorf("reading the %s profile of %s: %w", kind, s.Label, err)
	}
	defer f.Close()
	prof, err := profile.Parse(f)
	if err != nil {
		return nil, p, fmt.Errorf("reading the %s profile of %s: %w", kind, s.Label, err)
	}
	return prof, p, nil
}

// iterations are those of a side's batches.
func (h *hunt) iterations(s *side) int64 {
	if s == h.good {
		return h.sampler.Plan.GoodN
	}
	return h.sampler.Plan.BadN
}

// activation is a function on a stack, with the line at which it was.
type activation struct {
	fn   *callgraph.Function // nil where its source is not loaded
	name string              // as the runtime has it
	line int
}

// resolver finds functions as a profile names them, each once.
func (s *side) resolver() func(*profile.Function) *callgraph.Function {
	known := make(map[*profile.Function]*callgraph.Function)
	return func(f *profile.Function) *callgraph.Function {
		if f == nil {
			return nil
		}
		fn, ok := known[f]
		if !ok {
			fn = s.functionAt(f.Filename, int(f.StartLine), f.Name)
			known[f] = fn
		}
		return fn
	}
}

// activations turns a sample upside down: what called first comes first.
func activations(sample *profile.Sample, resolve func(*profile.Function) *callgraph.Function) []activation {
	var list []activation
	// Leaf first, and in a location what was inlined first.
	for _, loc := range sample.Location {
		for _, line := range loc.Line {
			if line.Function != nil {
				list = append(list, activation{resolve(line.Function), line.Function.Name, int(line.Line)})
			}
		}
	}
	slices.Reverse(list)
	return list
}

// belowTimed cuts what lies above the timed function; nil if it isn't there.
func (s *side) belowTimed(list []activation) []activation {
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].fn == s.timed {
			return list[i:]
		}
	}
	return nil
}

package hunt

import (
	"context"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
)

// stack is one sampled call stack, from the timed function downwards, in terms
// of functions with loaded source, and how often it was seen.
type stack struct {
	sites  []site
	weight int64
}

// site is one activation on a stack, with the line at which it was.
type site struct {
	fn   *callgraph.Function
	line int
}

// profileTime is how long a profiled process runs: at a hundred samples a second
// enough to see who calls whom, and to guess who takes more than before. Shares that
// are reported are never read off a profile.
const profileTime = time.Second

// profiledBatch is how long its batches last at least, in ns, and mostProfiled how
// many it has at most.
const (
	profiledBatch = 1e6
	mostProfiled  = 1000
)

// profile runs the side once under the CPU profiler and gives what stacks the
// timed function was seen with. It says who is called by whom at run time,
// where the source leaves it open; it is never the verdict.
func (h *hunt) profile(ctx context.Context, s *side) ([]stack, error) {
	if h.opts.Workload.Kind != harness.Bench {
		return nil, nil
	}
	h.log.Phase("looking where " + s.Label + " spends its time")
	prof, _, err := h.runProfiled(ctx, s, "cpu", h.longEnough(s))
	if err != nil {
		return nil, err
	}
	return stacksOf(s, prof), nil
}

// longEnough are batches of a side that fill a profile. A side that is much faster
// gets more iterations than the pair has: they need not be the same as the other's.
func (h *hunt) longEnough(s *side) harness.Order {
	e := map[string]harness.Estimate{"good": h.sampler.Plan.Good, "bad": h.sampler.Plan.Bad}[s.Label]
	op := max(e.Op, 1)
	n := max(h.iterations(s), int64(profiledBatch/op))
	batch := float64(n)*op + e.Set
	return harness.Order{N: n, Batches: max(1, min(int(float64(profileTime)/batch), mostProfiled))}
}

// stacksOf turns a profile's samples upside down, leaves out what has no loaded
// source, and cuts what lies above the timed function.
func stacksOf(s *side, prof *profile.Profile) []stack {
	resolve := s.resolver()
	var stacks []stack
	for _, sample := range prof.Sample {
		st := stack{weight: sample.Value[0]}
		for _, a := range s.belowTimed(activations(sample, resolve)) {
			if a.fn != nil {
				st.sites = append(st.sites, site{a.fn, a.line})
			}
		}
		if len(st.sites) > 0 {
			stacks = append(stacks, st)
		}
	}
	return stacks
}

// below reports whether b was seen beneath a on some stack.
func below(stacks []stack, a, b *callgraph.Function) bool {
	for _, st := range stacks {
		i := slices.IndexFunc(st.sites, func(x site) bool { return x.fn == a })
		if i >= 0 && slices.ContainsFunc(st.sites[i+1:], func(x site) bool { return x.fn == b }) {
			return true
		}
	}
	return false
}

// pathTo is the way on which fn was seen most often, from the timed function to
// fn itself; nil when it was never seen.
func pathTo(stacks []stack, fn *callgraph.Function) []site {
	type way struct {
		sites  []site
		weight int64
	}
	ways := make(map[string]*way)
	var best *way
	for _, st := range stacks {
		i := slices.IndexFunc(st.sites, func(x site) bool { return x.fn == fn })
		if i < 0 {
			continue
		}
		sites := withoutRecursion(st.sites[:i+1])
		key := ""
		for _, x := range sites {
			key += x.fn.Name + "\n"
		}
		w := ways[key]
		if w == nil {
			w = &way{sites: sites}
			ways[key] = w
		}
		w.weight += st.weight
		if best == nil || w.weight > best.weight {
			best = w
		}
	}
	if best == nil {
		return nil
	}
	return best.sites
}

// withoutRecursion keeps, of a function that is on the path several times, the
// last: the call that leads on from there.
func withoutRecursion(sites []site) []site {
	var out []site
	for _, x := range sites {
		if i := slices.IndexFunc(out, func(y site) bool { return y.fn == x.fn }); i >= 0 {
			out = out[:i]
		}
		out = append(out, x)
	}
	return out
}

package profile

import (
	"context"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
)

// Stack is one sampled call stack, from the timed function downwards, in terms
// of functions with loaded source, and how often it was seen.
type Stack struct {
	Sites  []Site
	Weight int64
}

// Site is one activation on a stack, with the line at which it was.
type Site struct {
	Func *callgraph.Function
	Line int
}

// profileTime is how long a profiled process runs: at a hundred samples a second
// enough to see who calls whom, and to guess who takes more than before. Shares that
// are reported are never read off a profile.
const profileTime = time.Second

// shortProfile is enough where bad takes twice as long as good or longer: of what a
// function gained the profiles then know the share to one fifth.
const (
	shortProfile = time.Second / 2
	largeRatio   = 2
)

// profiledBatch is how long its batches last at least, in ns, and mostProfiled how
// many it has at most.
const (
	profiledBatch = 1e6
	mostProfiled  = 1000
)

// CPU runs the side once under the CPU profiler and gives what stacks the
// timed function was seen with. It says who is called by whom at run time,
// where the source leaves it open; it is never the verdict.
func (r *Recorder) CPU(ctx context.Context, s *sides.Side) ([]Stack, error) {
	if r.Sampler.Workload.Kind != harness.Bench {
		return nil, nil
	}
	prof, _, err := r.run(ctx, s, "cpu", r.longEnough(s))
	if err != nil {
		return nil, err
	}
	return stacksOf(s, prof), nil
}

// longEnough are batches of a side that fill a profile. A side that is much faster
// gets more iterations than the pair has: they need not be the same as the other's.
func (r *Recorder) longEnough(s *sides.Side) harness.Order {
	plan := r.Sampler.Plan
	e := change.Pair[harness.Estimate]{Good: plan.Good, Bad: plan.Bad}.Of(s.Which)
	op := max(e.Op, 1)
	n := max(change.Pair[int64]{Good: plan.GoodN, Bad: plan.BadN}.Of(s.Which), int64(profiledBatch/op))
	batch := float64(n)*op + e.Set
	long := profileTime
	if plan.Bad.Op >= largeRatio*plan.Good.Op {
		long = shortProfile
	}
	return harness.Order{N: n, Batches: max(1, min(int(float64(long)/batch), mostProfiled))}
}

// stacksOf turns a profile's samples upside down, leaves out what has no loaded
// source, and cuts what lies above the timed function.
func stacksOf(s *sides.Side, prof *profile.Profile) []Stack {
	resolve := resolver(s)
	var stacks []Stack
	for _, sample := range prof.Sample {
		st := Stack{Weight: sample.Value[0]}
		for _, a := range belowTimed(s, activations(sample, resolve)) {
			if a.Func != nil {
				st.Sites = append(st.Sites, Site{a.Func, a.Line})
			}
		}
		if len(st.Sites) > 0 {
			stacks = append(stacks, st)
		}
	}
	return stacks
}

// PathTo is the way on which fn was seen most often, from the timed function to
// fn itself; nil when it was never seen.
func PathTo(stacks []Stack, fn *callgraph.Function) []Site {
	type way struct {
		sites  []Site
		weight int64
	}
	ways := make(map[string]*way)
	var best *way
	for _, st := range stacks {
		i := slices.IndexFunc(st.Sites, func(x Site) bool { return x.Func == fn })
		if i < 0 {
			continue
		}
		sites := withoutRecursion(st.Sites[:i+1])
		key := ""
		for _, x := range sites {
			key += x.Func.Name + "\n"
		}
		w := ways[key]
		if w == nil {
			w = &way{sites: sites}
			ways[key] = w
		}
		w.weight += st.Weight
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
func withoutRecursion(sites []Site) []Site {
	var out []Site
	for _, x := range sites {
		if i := slices.IndexFunc(out, func(y Site) bool { return y.Func == x.Func }); i >= 0 {
			out = out[:i]
		}
		out = append(out, x)
	}
	return out
}

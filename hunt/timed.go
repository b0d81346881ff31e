package hunt

import (
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/layers"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// inspect finds what is timed on both sides, and the inspected function: the one that the
// user named, or the one that was seen to be timed when the benchmark ran.
func (h *hunt) inspect() (inspected change.Functions, err error) {
	for _, s := range h.Sides() {
		if s.Timed, err = h.timedBody(s); err != nil {
			return inspected, err
		}
		s.Prog.Focus(change.Outermost(s.Timed))
	}
	h.recorder = &profile.Recorder{Pair: h.Pair, Sampler: h.Sampler, Dir: h.Temp.Path}
	h.prober = h.newProber()
	inspected = change.Functions{Good: h.Good.Timed, Bad: h.Bad.Timed}
	if h.Options.Func != "" {
		return h.named(h.Options.Func)
	}
	return inspected, nil
}

// newProber is what opens layers.
func (h *hunt) newProber() *layers.Prober {
	return layers.New(layers.Prober{
		Pair: h.Pair, Change: h.change(), Whole: h.whole, Sampler: h.Sampler, Orders: h.Orders,
		Recorder: h.recorder, Parallel: h.parallel(), Exclude: h.Options.Exclude,
	})
}

// parallel says whether the timed body is handed to RunParallel and runs on many
// goroutines.
func (h *hunt) parallel() bool {
	return h.Sampler.Workload.Kind == harness.Bench && h.Sampler.Plan.GoodParallel.Func != "" && h.Sampler.Plan.BadParallel.Func != ""
}

// bodyProbed says whether a function of bad is timed around its own body. The
// batch's time is that of the timed body, but for a test's, whose process does
// more; main's would be lost to os.Exit.
func (h *hunt) bodyProbed(bad *callgraph.Function) bool {
	return bad != h.Bad.Timed || h.parallel() || h.Sampler.Workload.Kind == harness.Test
}

// timedBody finds the function that the workload times on a side.
func (h *hunt) timedBody(s *sides.Side) (*callgraph.Function, error) {
	switch h.Sampler.Workload.Kind {
	case harness.Main:
		return s.Prog.Func("main")
	case harness.Test:
		return s.Prog.Func(strings.Trim(harness.FirstElement(h.Sampler.Workload.Pattern), "^$"))
	}
	plan := h.Sampler.Plan
	places := change.Pair[instrument.Place]{Good: plan.GoodTimed, Bad: plan.BadTimed}
	if h.parallel() {
		places = change.Pair[instrument.Place]{Good: plan.GoodParallel, Bad: plan.BadParallel}
	}
	place := places.Of(s.Which)
	fn := s.FunctionAt(place.File, place.Line, place.Func)
	if fn == nil {
		return nil, fmt.Errorf("finding the timed function of %s: %s (%s:%d) is not in the source that was loaded; name it with --func", s.Label, place.Func, place.File, place.Line)
	}
	return fn, nil
}

// named finds the function that the user asked for in both revisions.
func (h *hunt) named(name string) (f change.Functions, err error) {
	if f.Good, err = h.Good.Prog.Func(name); err != nil {
		return f, fmt.Errorf("--func in good: %w", err)
	}
	if f.Bad, err = h.Bad.Prog.Func(name); err != nil {
		return f, fmt.Errorf("--func in bad: %w", err)
	}
	return f, nil
}

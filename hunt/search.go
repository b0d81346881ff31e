package hunt

import (
	"context"
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/stats"
)

// search looks for what made bad slower, once the whole is known to be.
func (h *hunt) search(ctx context.Context) error {
	root, err := h.layer0()
	if err != nil {
		return err
	}
	h.report.Workload.Func = root.bad.Name
	h.report.Search.Finder = h.opts.Finder
	narrow := finder.Sweep
	switch h.opts.Finder {
	case "binary":
		narrow = finder.Binary
	case "linear":
		narrow = finder.Linear
	case "revert":
		answered, err := h.direct(ctx)
		if err == nil && !answered {
			h.log.Warn("no function that differs brought most of the difference back when good's code was put in its place")
		}
		return err
	case "auto":
		// Nothing was said of the way.
		if !h.opts.guided() {
			answered, err := h.direct(ctx)
			switch {
			case err != nil && (answered || compare.Ends(ctx, err)):
				return err
			case err != nil:
				h.log.Warn("going to what differs failed, so the layers were gone through: %s", harness.FirstLine(err))
			case answered:
				return h.holdProbes(ctx)
			}
		}
	}
	h.frames[root.name] = root
	// What a side refuses to have probed shows when it is built; the finder
	// must see the layer without it.
	if err := h.buildFrame(ctx, root); err != nil {
		return err
	}
	search := h.finder(narrow)
	if !root.body {
		search.Known = h.whole.Comparison // the timed body is the whole operation
	}
	result, err := search.Run(ctx, h.layer(root))
	if err != nil {
		return err
	}
	h.assemble(ctx, result, 1, nil)
	if result.Err != nil {
		return result.Err
	}
	if err := h.confirm(ctx); err != nil {
		return err
	}
	return h.holdProbes(ctx)
}

// finder is the search through layers, with what it asks of a hunt.
func (h *hunt) finder(narrow finder.Narrow) *finder.Search {
	return &finder.Search{
		Narrow:   narrow,
		Depth:    h.opts.Depth,
		MinShare: minShare,
		Measure:  h.measure(stats.Search),
		Confirm:  h.measure(stats.Confirmation),
		Dig:      h.dig,
	}
}

// layer0 is the inspected function: the one that the user named, or the one
// that was seen to be timed when the benchmark ran.
func (h *hunt) layer0() (*frame, error) {
	parallel := h.parallel()
	for _, s := range []*side{h.good, h.bad} {
		var err error
		if s.timed, err = h.timedBody(s, parallel); err != nil {
			return nil, err
		}
		workload := s.timed
		for workload.Outer != nil {
			workload = workload.Outer
		}
		s.prog.Focus(workload)
	}
	good, bad := h.good.timed, h.bad.timed
	if h.opts.Func != "" {
		var err error
		if good, bad, err = h.named(h.opts.Func); err != nil {
			return nil, err
		}
	}
	f, err := h.newFrame(nil, 0, good, bad)
	if err != nil {
		return nil, err
	}
	f.parallel = parallel
	f.body = h.bodyProbed(bad, parallel)
	return f, nil
}

// parallel says whether the timed body is handed to RunParallel and runs on many
// goroutines.
func (h *hunt) parallel() bool {
	return h.opts.Workload.Kind == harness.Bench && h.sampler.Plan.GoodParallel.Func != "" && h.sampler.Plan.BadParallel.Func != ""
}

// bodyProbed says whether a function of bad is timed around its own body. The
// batch's time is that of the timed body, but for a test's, whose process does
// more; main's would be lost to os.Exit.
func (h *hunt) bodyProbed(bad *callgraph.Function, parallel bool) bool {
	return bad != h.bad.timed || parallel || h.opts.Workload.Kind == harness.Test
}

// timedBody finds the function that the workload times on a side.
func (h *hunt) timedBody(s *side, parallel bool) (*callgraph.Function, error) {
	switch h.opts.Workload.Kind {
	case harness.Main:
		return s.prog.Func("main")
	case harness.Test:
		return s.prog.Func(strings.Trim(harness.FirstElement(h.opts.Workload.Pattern), "^$"))
	}
	place := map[string]instrument.Place{"good": h.sampler.Plan.GoodTimed, "bad": h.sampler.Plan.BadTimed}[s.Label]
	if parallel {
		place = map[string]instrument.Place{"good": h.sampler.Plan.GoodParallel, "bad": h.sampler.Plan.BadParallel}[s.Label]
	}
	fn := s.functionAt(place.File, place.Line, place.Func)
	if fn == nil {
		return nil, fmt.Errorf("finding the timed function of %s: %s (%s:%d) is not in the source that was loaded; name it with --func", s.Label, place.Func, place.File, place.Line)
	}
	return fn, nil
}

// functionAt finds a function as the runtime tells of it: by its place or, where
// the build was told to trim paths, by its name; nil when its source is not loaded.
func (s *side) functionAt(file string, line int, name string) *callgraph.Function {
	if fn, err := s.prog.FuncAt(file, line); err == nil {
		return fn
	}
	if fn, err := s.prog.Func(name); err == nil && fn.Name == name {
		return fn
	}
	return nil
}

// named finds the function that the user asked for in both revisions.
func (h *hunt) named(name string) (good, bad *callgraph.Function, err error) {
	if good, err = h.good.prog.Func(name); err != nil {
		return nil, nil, fmt.Errorf("--func in good: %w", err)
	}
	if bad, err = h.bad.prog.Func(name); err != nil {
		return nil, nil, fmt.Errorf("--func in bad: %w", err)
	}
	return good, bad, nil
}

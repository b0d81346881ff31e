package compare

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A benchmark that allocates varies less on one processor, where the collector does
// not come beside it from another; what waits for other goroutines is only seen on
// several. So the whole is compared on all of them, and where that leaves it open, on
// one. The hunt goes on where it was decided.

// hasOtherWay says whether a workload can be compared on one processor too.
func (s *Sampler) hasOtherWay(processors int) bool {
	shared := s.Plan.Good.Shared || s.Plan.Bad.Shared
	return s.Workload.Kind == harness.Bench && s.Workload.CPUs == 0 && processors > 1 && !s.Duet && !shared && s.Quantity.IsTime() && !s.ByMean
}

// compareOnOne compares an undecided whole on one processor. A difference that is
// seen there is what the hunt then looks for, and there; that none is seen says
// nothing about several processors.
func (w *Whole) compareOnOne(ctx context.Context) error {
	if w.Comparison.Verdict != stats.Unknown || !w.Sampler.hasOtherWay(runtime.GOMAXPROCS(0)) {
		return nil
	}
	s := *w.Sampler
	s.Workload.CPUs = 1
	c := s.Campaign(w.Good.Binary, w.Bad.Binary)
	looks := s.Quantity.Looks(Searching)
	alpha := s.Ledger.Open(stats.Whole, len(looks), 1)
	compare := func(pairs []harness.Pair) stats.Comparison {
		good, bad := s.Wholes(pairs)
		return s.Accusing(alpha, good).Compare(good, bad)
	}
	var one stats.Comparison
	pairs, err := s.Until(ctx, "comparing the whole on one processor", c, nil, nil, looks, func(pairs []harness.Pair) bool {
		one = compare(pairs)
		if len(c.Aside) > 0 {
			doubtDisturbed(&one, compare(slices.Concat(pairs, harness.PairsOf(c.Aside, 0, 1))))
		}
		return one.Verdict != stats.Unknown
	})
	s.RecordWhole("whole, on one processor", pairs)
	switch {
	case errors.Is(err, ErrBudget):
		return nil
	case err != nil:
		return err
	case one.Verdict == stats.Slower || one.Verdict == stats.Faster:
		w.Comparison, w.Sampler, w.pairs = one, &s, pairs
		s.Log.Warn("on all processors the whole was not decided, on one it is: the hunt goes on there, as with --cpu 1")
	case one.Verdict == stats.Same:
		s.Log.Warn("on one processor there is no difference above %.3g %%; on all of them it was not decided", 100*s.Asked.MinEffect)
	}
	return nil
}

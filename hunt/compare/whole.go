package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Whole is the difference of the unprobed binaries, which is what is hunted.
type Whole struct {
	Comparison stats.Comparison // what the hunt goes by
	Mean       stats.Comparison // of all batches, the slow ones too
	Sampler    *Sampler         // to go on with
	Good, Bad  *Entrant
	Orders     int          // link orders besides the linker's own that it was looked at in; 0 where the difference is larger than these make
	Levels     stats.Levels // of the whole in these
	Allocating bool         // the sides allocate differently
	// RuledOut is the share of good that no difference is above, where that is
	// more than was asked for; 0 otherwise. Scatter is why.
	RuledOut, Scatter float64
}

// Whole calibrates and compares the unprobed pair. What is known of it is given beside
// an error.
func (s Sampler) Whole(ctx context.Context, good, bad *Entrant, orders *Orders) (*Whole, error) {
	w := &Whole{Sampler: &s, Good: good, Bad: bad}
	if err := harness.HostLock(); err != nil {
		s.Log.Warn("another pinpoint on this machine would not be seen: %v", err)
	}
	s.Log.Phase("calibrating")
	plan, err := harness.Calibrate(ctx, good.Binary, bad.Binary, s.Workload)
	if err != nil {
		return w, err
	}
	s.Plan = s.Quantity.plan(plan)
	if plan.Note != "" && !s.Quantity.Counts() {
		s.Log.Warn("%s", plan.Note)
	}
	if err = w.compare(ctx); err == nil {
		err = w.compareOnOne(ctx)
	}
	if err == nil {
		err = w.holdLayouts(ctx, orders)
	}
	if err != nil {
		return w, err
	}
	w.tell()
	return w, nil
}

// compare compares the pair as the linker made it.
func (w *Whole) compare(ctx context.Context) error {
	s := w.Sampler
	looks := s.Quantity.Looks(Deciding)
	alpha := s.Ledger.Open(stats.Whole, len(looks), 2)
	c := s.Campaign(w.Good.Binary, w.Bad.Binary)
	compare := func(pairs []harness.Pair) (fast, all stats.Comparison) {
		good, bad := s.means(pairs)
		all = paired(s.Rule(alpha, good)).Compare(good, bad)
		good, bad = s.Wholes(pairs)
		return s.Rule(alpha, good).Compare(good, bad), all
	}
	var pilot pilot
	asked := true // it is the asked difference that is ruled out
	pairs, err := s.Until(ctx, "comparing the whole", c, nil, nil, looks, func(pairs []harness.Pair) bool {
		w.Comparison, w.Mean = compare(pairs)
		asked = !s.settleFor(&w.Comparison, pilot, pairs, alpha)
		if len(c.Aside) > 0 {
			with := slices.Concat(pairs, harness.PairsOf(c.Aside, 0, 1))
			fast, all := compare(with)
			s.settleFor(&fast, pilot, with, alpha)
			doubtDisturbed(&w.Comparison, fast)
			doubtDisturbed(&w.Mean, all)
		}
		if w.Comparison.Verdict == stats.Unknown && !pilot.over && len(pairs) >= pilotFrom {
			pilot = s.pilot(ctx, w.Good.Binary, len(pairs), looks[len(looks)-1], alpha)
		}
		return w.Comparison.Verdict != stats.Unknown
	})
	if !asked {
		w.RuledOut, w.Scatter = pilot.effect, pilot.sd
	}
	if s.Quantity.Counts() {
		w.Mean = w.Comparison // it is of all batches already
	}
	if w.Comparison.Verdict != stats.Slower && w.Mean.Verdict == stats.Slower {
		// A cost that few batches pay, such as a collection, is not in the fast
		// ones. The hunt then goes by all of them.
		s.Log.Warn("the difference is in a few slow batches only, such as those in which garbage is collected: the hunt goes by the mean of all, which is noisier")
		s.ByMean, w.Comparison = true, w.Mean
	}
	s.RecordWhole("whole", pairs)
	w.Allocating = allocating(pairs)
	w.warnUnsettled(pairs)
	return err
}

// warnUnsettled tells of a workload that most processes never run steadily.
func (w *Whole) warnUnsettled(pairs []harness.Pair) {
	never := 0
	for _, pair := range pairs {
		for _, p := range []harness.Process{pair.Good, pair.Bad} {
			if _, settled := p.Settled(); !settled {
				never++
			}
		}
	}
	if never > len(pairs) {
		w.Sampler.Log.Warn("unwarmable: %d of %d processes never settled, no five of their batches in a row varied by less than 10 %% (CoV); they are kept", never, 2*len(pairs))
	}
}

// doubtDisturbed takes a verdict back that depends on the disturbed pairs being
// left out.
func doubtDisturbed(kept *stats.Comparison, all stats.Comparison) {
	if kept.Verdict != all.Verdict && kept.Verdict != stats.Unknown {
		kept.Warnings = append(kept.Warnings, fmt.Sprintf(
			"%v without the pairs that were disturbed, %v with them", kept.Verdict, all.Verdict))
		kept.Verdict = stats.Unknown
	}
}

// tell warns of what the reader must know of the whole.
func (w *Whole) tell() {
	s := w.Sampler
	if !s.Quantity.Counts() {
		for _, text := range w.Comparison.Warnings {
			s.Log.Warn("whole: %s", text)
		}
	}
	switch {
	case w.Comparison.Verdict == stats.Unknown:
		w.explainUnknown()
	case w.Comparison.Verdict == stats.Same && w.RuledOut > 0:
		s.Log.Warn("no difference above %.0f %% instead of %.3g %%, as good against itself differs by %.2g %% from pair to pair here", 100*w.RuledOut, 100*s.Asked.MinEffect, 100*w.Scatter)
	}
}

// explainUnknown says what is open of an undecided whole, and what would settle it.
func (w *Whole) explainUnknown() {
	s := w.Sampler
	if w.NotSlower() {
		return
	}
	if w.Allocating && s.Quantity.IsTime() {
		s.Log.Warn("an operation of bad allocates otherwise than one of good: --metric allocs tells where")
	}
	if s.Log.Continue() != "" || w.Orders > 0 {
		return // said already
	}
	if w.Comparison.Ratio.Low > 1 {
		s.Log.Warn("it is slower, but whether by %.3g %% or more (--min-effect) is not known", 100*s.Asked.MinEffect)
	}
	need := w.Comparison.Need
	if need == 0 || need > 10*Deciding[len(Deciding)-1] {
		s.Log.Warn("the difference is below what this host can resolve; a quieter host or a larger --min-effect may decide it")
		return
	}
	minutes := (time.Duration(need) * s.Budget.Pair).Minutes()
	s.Log.Warn("about %d pairs (%.1f minutes here) would decide it, by the spread seen so far", need, minutes)
	if budget := time.Since(s.Budget.Start).Minutes() + 1.5*minutes; budget > s.Budget.Limit.Minutes() {
		s.Log.GoOn(time.Duration(budget * float64(time.Minute)))
	}
}

// NotSlower reports whether an undecided whole is surely no slower by as much as
// counts: it is the same, or faster, and only which of the two is open.
func (w *Whole) NotSlower() bool {
	least := w.Sampler.Asked.MinEffect
	if w.Orders > 0 && w.Levels.Ratio.High >= 1+least {
		return false
	}
	c := w.Comparison
	return c.Verdict == stats.Unknown && c.Good.N > 0 && c.Ratio.High < 1+least && c.Diff.High < least*c.Good.Mean
}

// Ends says whether an error ends the hunt. A revert that does not compile, or
// that panics when it runs, ends only the attempt.
func Ends(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, ErrBudget)
}

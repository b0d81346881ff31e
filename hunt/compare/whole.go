package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Whole is the difference of the unprobed binaries, which is what is hunted.
type Whole struct {
	Comparison stats.Comparison // what the hunt goes by
	Typical    stats.Comparison // of the fast moments, what an operation usually takes
	Mean       stats.Comparison // of all batches, the slow ones too, which is what users pay
	Weighed    stats.Weighed    // by both
	Sampler    *Sampler         // to go on with
	Good, Bad  *Entrant
	Orders     int               // link orders besides the linker's own that it was looked at in; 0 where the difference is larger than these make
	Over       stats.Over        // all orders that it was looked at in
	Layouts    stats.Prior       // what is known of what link layouts make in this benchmark
	Kinds      []OnKind          // of machines, that which was asked first at the head; none where there is one
	OverKinds  *stats.Interval   // bad/good over them
	pairs      []harness.Pair    // in the linker's own order
	Allocating bool              // the sides allocate differently
	Memory     *stats.Comparison // what tests and programs have in use at most, in bytes; nil of benchmarks and where it is not told
	Work       *harness.Work     // what the processor counted; nil where it does not
	// RuledOut is the share of good that no difference is above, where that is
	// more than was asked for; 0 otherwise. Scatter is why, if it is the pairs'.
	RuledOut, Scatter float64
}

// OnKind is what machines of one kind say of the whole.
type OnKind struct {
	Machines   harness.Machines
	Comparison stats.Comparison
	logs       []float64 // of the ratios of pairs
}

// Whole calibrates and compares the unprobed pair. What is known of it is given beside
// an error.
func (s Sampler) Whole(ctx context.Context, good, bad *Entrant, orders *Orders) (*Whole, error) {
	w := &Whole{Sampler: &s, Good: good, Bad: bad}
	if err := harness.HostLock(); err != nil {
		s.Log.Warn("another pinpoint on this machine would not be seen: %v", err)
	}
	s.Log.Phase("calibrating")
	plan, err := s.Machine.calibrate(ctx, good.Binary, bad.Binary, s.Workload)
	if err != nil {
		return w, err
	}
	s.Plan = s.Quantity.plan(plan)
	if plan.Note != "" && !s.Quantity.Counts() {
		s.Log.Warn("%s", plan.Note)
	}
	if doubts := plan.Doubts(); doubts != "" && !s.Quantity.Counts() {
		s.Log.Warn("doubtful: %s", doubts)
	}
	return w, w.decide(ctx, orders)
}

// decide compares the pair on machines of one kind, and warns of what must be known of that.
func (w *Whole) decide(ctx context.Context, orders *Orders) error {
	w.Orders, w.Layouts = 0, usualLayouts
	err := w.compare(ctx)
	if err == nil {
		err = w.compareOnOne(ctx)
	}
	if err == nil {
		err = w.holdLayouts(ctx, orders)
	}
	if err == nil {
		w.tell()
	}
	return err
}

// compare compares the pair as the linker made it.
func (w *Whole) compare(ctx context.Context) error {
	s := w.Sampler
	looks := s.Quantity.Looks(Deciding)
	alpha := s.Ledger.Open(stats.Whole, len(looks), 2)
	c := s.Campaign(w.Good.Binary, w.Bad.Binary)
	var pilot pilot
	idle := false
	pairs, err := s.Until(ctx, "comparing the whole", c, nil, nil, looks, func(pairs []harness.Pair) bool {
		w.judge(pairs, pilot, alpha)
		if len(c.Aside) > 0 {
			with := *w
			with.judge(slices.Concat(pairs, harness.PairsOf(c.Aside, 0, 1)), pilot, alpha)
			doubtDisturbed(&w.Comparison, with.Comparison)
		}
		if idle = w.Comparison.Verdict != stats.Slower && s.idle(ctx); idle || s.Quantity.blind(pairs) != "" {
			return true
		}
		if w.Comparison.Verdict == stats.Unknown && !pilot.over && len(pairs) >= pilotFrom {
			pilot = s.pilot(ctx, w.Good.Binary, len(pairs), looks[len(looks)-1], alpha)
		}
		s.Log.Ratio(w.Comparison.Ratio)
		s.Log.Explain("whole after %d pairs: %v, typically %s, in the mean %s, each at %.4g %%", len(pairs), w.Comparison.Verdict, inRatios(w.Typical.Ratio), inRatios(w.Mean.Ratio), 100*(1-alpha))
		return w.Comparison.Verdict != stats.Unknown && (!s.early(len(pairs)) || w.standsAlone(pairs, alpha))
	})
	if w.Regression() && w.Weighed.Typical != stats.Slower && !s.Quantity.Counts() && !s.ByMean {
		// A cost that few batches pay, such as a collection, is not in the fast
		// ones. The hunt then goes by all of them.
		s.Log.Warn("the difference is in a few slow batches only, such as those in which garbage is collected: the hunt goes by the mean of all, which is noisier")
		s.ByMean = true
	}
	w.pairs = pairs
	s.RecordWhole("whole", pairs)
	w.Allocating = allocating(pairs)
	w.Memory = peaks(pairs)
	if work, ok := harness.WorkOf(pairs); ok {
		w.Work = &work
	}
	w.warnUnsettled(pairs)
	if idle {
		err = ErrIdle
	}
	return err
}

// earlyFactor and earlyWidth are how far apart the ends of a ratio's and a share's interval
// are at most for a look before [stats.FirstPairs] to be the last: one that is decided and
// says next to nothing of how much it is costs a few pairs more.
const (
	earlyFactor = 1.6
	earlyWidth  = 0.6
)

// early says that so few are decided upon only where they say how much, too.
func (s *Sampler) early(n int) bool { return n < stats.FirstPairs && !s.Quantity.Counts() }

// saysHowMuch reports whether a ratio is known well enough for an early look.
func saysHowMuch(ratio stats.Interval) bool { return ratio.High < earlyFactor*ratio.Low }

// standsAlone says that an early verdict may stand: it says how much it is, and one link
// order is enough for it. A few pairs cost less than a link.
func (w *Whole) standsAlone(pairs []harness.Pair, alpha float64) bool {
	over, _, err := w.over(pairs, alpha)
	return err == nil && over.Verdict == w.Comparison.Verdict && saysHowMuch(w.Comparison.Ratio)
}

// mostMean is the most that the mean of all batches may be slower where no difference
// is found, as a share of good. It is printed where it is more than was asked for.
const mostMean = 5 * step

// judge decides by what is typical and by the mean of all. That there is no difference, or
// that bad is faster, promises both; of the mean as far as it can be told.
func (w *Whole) judge(pairs []harness.Pair, p pilot, alpha float64) {
	s := w.Sampler
	good, bad := s.Wholes(pairs)
	w.Typical = s.Accusing(alpha, good).Compare(good, bad)
	if w.Comparison = w.Typical; s.Quantity.Counts() {
		w.Mean = w.Typical // it is of all batches already
		if why := s.Quantity.blind(pairs); why != "" {
			w.doubt(why)
		}
		return
	}
	w.RuledOut, w.Scatter = 0, p.sd
	settled := w.Typical
	if s.settleFor(&settled, p, pairs, alpha) {
		w.Comparison, w.RuledOut = settled, p.effect
	}
	good, bad = s.means(pairs)
	w.Mean = paired(s.Accusing(alpha, good)).Compare(good, bad)
	w.Weighed = stats.Weigh(w.Typical.Ratio, w.Mean.Ratio, s.Asked.MinEffect)
	switch verdict := w.Comparison.Verdict; {
	case w.Weighed.Verdict == stats.Mixed:
		if w.Weighed.Mean == stats.Slower {
			w.Comparison = w.Mean
		}
		w.Comparison.Verdict = stats.Mixed
	case w.Weighed.Mean == stats.Slower && verdict != stats.Slower:
		w.Comparison = w.Mean
	case verdict == stats.Slower && w.Mean.Ratio.Mean < 1+s.Asked.MinEffect:
		w.doubt("slower by what is typical of an operation, but the mean of all, as far as it is known, does not say so")
	case verdict != stats.Same && verdict != stats.Faster:
	case w.meanRuledOut() > mostMean:
		w.RuledOut = 0
		w.doubt(fmt.Sprintf("%v by what is typical of an operation, but of the mean of all it is not known", verdict))
	case verdict == stats.Same:
		w.RuledOut = max(w.RuledOut, w.meanRuledOut())
	}
}

// doubt takes a verdict back.
func (w *Whole) doubt(why string) {
	w.Comparison.Verdict = stats.Unknown
	w.Comparison.Warnings = append(slices.Clone(w.Comparison.Warnings), why)
}

// meanRuledOut is the share above which the mean of all batches is surely no slower, in
// whole percents where that is more than was asked for.
func (w *Whole) meanRuledOut() float64 {
	above := w.Mean.Ratio.High - 1
	switch {
	case above < w.Sampler.Asked.MinEffect:
		return 0
	case math.IsNaN(above):
		return math.Inf(1)
	}
	return math.Ceil(above/step) * step
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
		why := "as the mean of all batches is known no better"
		if w.Scatter > 0 {
			why = fmt.Sprintf("as good against itself differs by %.2g %% from pair to pair here", 100*w.Scatter)
		}
		s.Log.Warn("no difference above %.0f %% instead of %.3g %%, %s", 100*w.RuledOut, 100*s.Asked.MinEffect, why)
	}
}

// explainUnknown says what is open of an undecided whole, and what would settle it.
func (w *Whole) explainUnknown() {
	s := w.Sampler
	if w.NotSlower() {
		return
	}
	if why := s.Quantity.blind(w.pairs); why != "" {
		s.Log.Warn("%s", why)
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

// Regression reports whether bad is slower, or may be typically faster and is slower in
// the mean of all.
func (w *Whole) Regression() bool {
	v := w.Comparison.Verdict
	return v == stats.Slower || v == stats.Mixed && w.Weighed.Mean == stats.Slower
}

// NotSlower reports whether an undecided whole is surely no slower by as much as
// counts: it is the same, or faster, and only which of the two is open.
func (w *Whole) NotSlower() bool {
	least := w.Sampler.Asked.MinEffect
	if w.Orders > 0 && w.Over.Ratio.High >= 1+least {
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

package hunt

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/stats"
)

// What putting a function back must recover of the difference that is expected
// of it to speak for it, and what it must fail to recover to speak against it. In
// between it says nothing: two functions may be needed together.
const (
	recoversMost   = 0.6
	recoversLittle = 0.3
)

// proof is what bad gained by having good's code back in one place, or in two
// that are needed together, or good's version of a dependency.
type proof struct {
	suspects   []revert.Suspect
	plan       revert.Plan
	module     *revert.Module   // the dependency, if it is its version that was put back
	binary     harness.Binary   // bad with good's code
	comparison stats.Comparison // bad against that
	good, bad  []float64        // the samples of both
	recovered  report.Interval  // share of the whole difference
	least      float64          // the lower bound, if the whole difference were known exactly
}

// speaksFor, speaksAgainst and unclear weigh what was recovered against the share
// of the whole difference that the suspect was expected to make.
func (p *proof) speaksFor(share float64) bool {
	return p.comparison.Verdict == stats.Slower &&
		p.recovered.Mean > recoversMost*share && p.least > recoversLittle*share
}

func (p *proof) speaksAgainst(share float64) bool { return p.recovered.High < recoversLittle*share }

func (p *proof) unclear(share float64) bool {
	return !p.speaksFor(share) && !p.speaksAgainst(share)
}

// doesLittle says that the suspect was found to make no difference to speak of.
func (p *proof) doesLittle(share float64) bool {
	return p.speaksAgainst(share) || p.comparison.Verdict == stats.Same
}

// leans asks all pairs of a proof that did not come, once, whether what is gone is
// most of the share and surely something. It adds to what the probes and a
// confirmation said, and accuses nobody by itself.
func (h *hunt) leans(p *proof, share float64) bool {
	anything := stats.Rule{Alpha: h.opts.Alpha, Test: h.rule(h.opts.Alpha, p.good).Test}
	return p.recovered.Mean > recoversMost*share && anything.Compare(p.good, p.bad).Verdict == stats.Slower
}

// closure is how many declarations came from good. The less, the more it says
// about the function that was asked for.
func (p *proof) closure() int {
	return len(p.plan.Functions) + len(p.plan.Decls) + len(p.plan.Fields) + len(p.plan.Removed)
}

// better reports whether p says more than q: it speaks for its suspect, with less
// that came along.
func (p *proof) better(q *proof) bool {
	switch {
	case q == nil:
		return true
	case p.closure() != q.closure():
		return p.closure() < q.closure()
	}
	return p.recovered.Mean > q.recovered.Mean
}

// first is the function that was put back, or the first of those that were.
func (p *proof) first() part { return part{goodFunc: p.suspects[0].Good, badFunc: p.suspects[0].Bad} }

// holdAgainst measures bad against bad with something of good's in it, on fresh
// processes, until it speaks for or against a share of the whole difference, but
// with most pairs at most.
func (h *hunt) holdAgainst(ctx context.Context, p *proof, share float64, most int, what string) error {
	looks := h.metric.looks(deciding)
	alpha := h.ledger.Open(stats.Confirmation, len(looks), 1)
	what = "measuring " + what
	// The side with good's code stands where good stands.
	pairs, err := h.sample(ctx, what, h.campaign(p.binary, h.bad.unprobed), nil, looks, func(pairs []harness.Pair) bool {
		p.good, p.bad = h.wholes(pairs)
		p.comparison = h.rule(alpha, p.good).Compare(p.good, p.bad)
		p.recovered, p.least = h.recovered(p.comparison)
		return !p.unclear(share) || p.comparison.Verdict == stats.Same || len(pairs) >= most
	})
	h.recordWhole(what, pairs)
	return err
}

// percents is a share with its interval, which has no end where it can't be told.
func percents(i report.Interval) string {
	bound := func(x float64) string {
		switch {
		case x > boundless:
			return "∞"
		case x < -boundless:
			return "-∞"
		}
		return fmt.Sprintf("%.0f", 100*x)
	}
	return fmt.Sprintf("%.0f %% [%s, %s]", 100*i.Mean, bound(i.Low), bound(i.High))
}

// boundless is where the bound of a share says nothing any more.
const boundless = 100

// recovered is the share of the whole difference that is gone, by c. What is
// counted has no speed that drifts, and may be nothing at all in good, which has
// no ratio: there it is the share of the difference itself.
func (h *hunt) recovered(c stats.Comparison) (share report.Interval, least float64) {
	if !h.metric.counts() {
		return recovered(c, h.whole)
	}
	d := h.whole.Diff.Mean
	share = report.Interval{Mean: c.Diff.Mean / d, Low: finite(c.Diff.Low / d), High: finite(c.Diff.High / d)}
	return share, share.Low
}

// recovered is the share of the whole difference that is gone. It is taken of the
// ratios, which the speed of the machine, another one by now, does not enter. Its
// bounds are those of the whole, too: how much there was to recover is known no
// better than that.
func recovered(c, whole stats.Comparison) (share report.Interval, least float64) {
	part := func(gone, all float64) float64 {
		lost, gained := 1-1/max(all, tinyRatio), 1-1/max(gone, tinyRatio)
		if lost <= 0 { // by this bound there was nothing to recover
			return math.Copysign(math.MaxFloat64, gained)
		}
		return finite(gained / lost)
	}
	bounds := []float64{
		part(c.Ratio.Low, whole.Ratio.Low), part(c.Ratio.Low, whole.Ratio.High),
		part(c.Ratio.High, whole.Ratio.Low), part(c.Ratio.High, whole.Ratio.High),
	}
	return report.Interval{
		Mean: part(c.Ratio.Mean, whole.Ratio.Mean),
		Low:  slices.Min(bounds), High: slices.Max(bounds),
	}, part(c.Ratio.Low, whole.Ratio.Mean)
}

// tinyRatio keeps the arithmetic of ratios finite.
const tinyRatio = 1e-9

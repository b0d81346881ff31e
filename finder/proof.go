package finder

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// What putting good's code back must recover of the difference that is expected
// of it to speak for it, and what it must fail to recover to speak against it. In
// between it says nothing: two functions may be needed together.
const (
	RecoversMost   = 0.6
	RecoversLittle = 0.3
)

// A Proof is what bad gains by having good's code back in one place, without any
// probe: the counterfactual. Bad with good's code stands where good stands.
type Proof struct {
	Comparison stats.Comparison
	Recovered  stats.Interval // share of the whole difference that is gone
	Least      float64        // its lower bound, if the whole difference were known exactly
	Orders     int            // of functions that it takes to tell, as those seen vary; 0 if layouts are not looked at
	stuck      bool           // neither more of them nor more pairs would tell
}

// An Expectation is what a proof is asked about.
type Expectation struct {
	Whole  stats.Comparison // of good and bad
	Share  float64          // of the whole difference that the code is expected to make
	Counts bool             // what is compared is counted, and has no speed that drifts

	// Layouts number the link layout of each pair; nil if all had one. Functions lie
	// somewhere, which makes a few percent, and putting code back moves them.
	Layouts []int
}

// Prove weighs samples of bad with good's code, and of bad. A difference smaller than
// the rule's minimum is one all the same if it is a fair part of what is expected: that
// the whole matters was decided before. Both claims are read off one interval, which
// is wrong as often as the rule says.
func Prove(rule stats.Rule, good, bad []float64, e Expectation) Proof {
	p := Proof{Comparison: rule.Compare(good, bad)}
	if fair := RecoversLittle * e.Share * e.Whole.Diff.Mean; p.Comparison.Verdict == stats.Unknown && fair > 0 && fair < rule.MinEffect {
		rule.MinEffect = fair
		if c := rule.Compare(good, bad); c.Verdict == stats.Slower {
			p.Comparison = c
		}
	}
	if e.Layouts != nil {
		p.overLayouts(good, bad, e)
	}
	p.Recovered, p.Least = e.recovered(p.Comparison)
	return p
}

// SpeaksFor says that the code makes most of the share of the whole difference that is
// expected of it, and surely some of it.
func (p Proof) SpeaksFor(share float64) bool {
	return p.Comparison.Verdict == stats.Slower && p.Recovered.Mean > RecoversMost*share && p.Least > RecoversLittle*share
}

// SpeaksAgainst says that it surely makes little of it.
func (p Proof) SpeaksAgainst(share float64) bool { return p.Recovered.High < RecoversLittle*share }

// Unclear says that more pairs are needed, or that the code is one of several that are.
func (p Proof) Unclear(share float64) bool { return !p.SpeaksFor(share) && !p.SpeaksAgainst(share) }

// DoesLittle says that the code was found to make no difference to speak of.
func (p Proof) DoesLittle(share float64) bool {
	return p.SpeaksAgainst(share) || p.Comparison.Verdict == stats.Same
}

// Done says that more pairs would not change what the proof says.
func (p Proof) Done(share float64) bool {
	return !p.Unclear(share) || p.Comparison.Verdict == stats.Same || p.stuck
}

// recovered is the share of the whole difference that is gone, by c. What is counted
// has no speed that drifts, and may be nothing at all in good, which has no ratio:
// there it is the share of the difference itself.
func (e Expectation) recovered(c stats.Comparison) (share stats.Interval, least float64) {
	if !e.Counts {
		return Recovered(c, e.Whole)
	}
	d := e.Whole.Diff.Mean
	share = stats.Interval{Mean: c.Diff.Mean / d, Low: c.Diff.Low / d, High: c.Diff.High / d}
	return share, share.Low
}

// Recovered is the share of a whole difference that c makes, and its lower bound if the
// whole were known exactly. It is taken of the ratios, which the speed of the machine,
// another one by now, does not enter. Its bounds are those of the whole, too: how
// much there was to recover is known no better than that.
func Recovered(c, whole stats.Comparison) (share stats.Interval, least float64) {
	part, all := c.Ratio, whole.Ratio
	bounds := []float64{gone(part.Low, all.Low), gone(part.Low, all.High), gone(part.High, all.Low), gone(part.High, all.High)}
	return stats.Interval{Mean: gone(part.Mean, all.Mean), Low: slices.Min(bounds), High: slices.Max(bounds)}, gone(part.Low, all.Mean)
}

func gone(part, whole float64) float64 {
	lost, gained := 1-1/max(whole, tinyRatio), 1-1/max(part, tinyRatio)
	if lost <= 0 { // by this bound there was nothing to recover
		return math.Copysign(math.MaxFloat64, gained)
	}
	return gained / lost
}

// tinyRatio keeps the arithmetic of ratios finite.
const tinyRatio = 1e-9

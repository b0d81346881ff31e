package finder

import (
	"math"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Where the linker places functions makes a binary some percent faster or slower
// without a change to any of them, and pairs of one binary each, however many, repeat
// that accident. What is small must be there in other orders of functions, too.
const (
	// Small is the difference of a ratio from 1 that layout may make a good part of. Two
	// revisions of one program differed by -6 % to 8 % by the order of their functions.
	Small = 0.15

	// LayoutConfidence is that of an interval over link layouts, which can only take
	// back what pairs said. It is no part of what a hunt may spend.
	LayoutConfidence = 0.99

	// MostOrders is in how many orders of functions a difference is looked at at most.
	MostOrders = 32
)

// IsSmall reports whether a difference was decided that layout alone may make.
func IsSmall(c stats.Comparison) bool {
	return (c.Verdict == stats.Slower || c.Verdict == stats.Faster) && math.Abs(c.Ratio.Mean-1) < Small
}

// MoreOrders is in how many orders a difference should be looked at that those seen leave
// open, if it would be told by MostOrders, being as large as they say or as is expected,
// a ratio: twice as many, and as many as it seems to take. It is no more than were seen
// where it is too small for that.
func MoreOrders(l stats.Levels, expected float64) int {
	return moreOrders(l, max(math.Abs(math.Log(l.Ratio.Mean)), math.Abs(math.Log(expected))))
}

// moreOrders is in how many orders a difference should be looked at for an interval of
// at most half to either side, in logarithms.
func moreOrders(l stats.Levels, half float64) int {
	enough := l.Enough(LayoutConfidence, half, MostOrders)
	if enough == 0 || l.Groups >= MostOrders {
		return l.Groups
	}
	return min(MostOrders, max(2*l.Groups, enough))
}

// OverLayouts takes back what c says of a part, of samples good and bad, if it is not
// so in all of the layouts that the pairs are of. What the part gains is set against
// the whole operation of good: the part may take no time at all on one side.
func OverLayouts(c stats.Comparison, whole, good, bad []float64, layouts []int) stats.Comparison {
	if layouts == nil || c.Verdict != stats.Slower && c.Verdict != stats.Faster {
		return c
	}
	with := make([]float64, len(whole))
	for i := range with {
		with[i] = whole[i] + bad[i] - good[i]
	}
	if over, err := stats.Grouped(whole, with, layouts, LayoutConfidence); err != nil || !c.Verdict.Upheld(over.Ratio) {
		c.Verdict = stats.Unknown
		c.Warnings = append(c.Warnings, "not in all other orders of functions")
	}
	return c
}

// overLayouts takes a proof's verdict back that other link layouts than those of the
// pairs may not show, and widens the interval of the ratio to what it may be there.
func (p *Proof) overLayouts(good, bad []float64, e Expectation) {
	c := &p.Comparison
	over, err := stats.Grouped(good, bad, e.Layouts, LayoutConfidence)
	if err != nil {
		c.Verdict = stats.Unknown
		return
	}
	c.Ratio.Low, c.Ratio.High = min(c.Ratio.Low, over.Ratio.Low), max(c.Ratio.High, over.Ratio.High)
	if c.Verdict != stats.Same && !c.Verdict.Upheld(c.Ratio) {
		c.Verdict = stats.Unknown
	}
	// What speaks for code and what speaks against it lie on either side of this.
	little := 1 + RecoversLittle*e.Share*(e.Whole.Ratio.Mean-1)
	p.Orders = moreOrders(over, math.Abs(math.Log(over.Ratio.Mean/little)))
	p.stuck = p.Orders == over.Groups && over.Between*over.Between > layoutsRule*over.Means*over.Means
}

// layoutsRule is the part of what orders scatter by, as a variance, from which on more
// pairs of each make no difference to speak of.
const layoutsRule = 0.75

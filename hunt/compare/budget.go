package compare

import (
	"errors"
	"math"
	"time"
)

// ErrBudget ends a search whose time is up.
var ErrBudget = errors.New("the budget is spent")

// Budget is the time that a hunt has, and what things cost of it. What it goes into is
// planned from what the same cost before: how many pairs a look may have, in how
// many orders of functions a difference is looked at, and whether there is
// time for another layer.
type Budget struct {
	Limit time.Duration
	Start time.Time

	// How long the last of each took; zero if there was none yet.
	Pair  time.Duration // of processes
	Build time.Duration // of both sides, with probes
	Link  time.Duration // of both sides in another order

	kept time.Duration // of the limit, see Spare
}

// Left is how much of the budget there is.
func (b *Budget) Left() time.Duration { return b.Limit - b.kept - time.Since(b.Start) }

// Spare leaves at most so much for what follows; 0 is no bound.
func (b *Budget) Spare(most time.Duration) {
	if most > 0 {
		b.kept += max(0, b.Left()-most)
	}
}

// Reserve keeps so much for later, until it is released.
func (b *Budget) Reserve(d time.Duration) (release func()) {
	b.kept += d
	return func() { b.kept -= d }
}

// The last look takes part of the time that is left, and at least so many more pairs,
// as a share of those there are: with fewer, it would say the same again.
const (
	lastShare = 0.9
	worthMore = 0.25
)

// fitting is how many pairs there may be at a look that was planned for n: fewer,
// where the budget has no time for all of them, and none more, where it has time for
// hardly any. How fast pairs run says nothing about which side is slower, so a
// look may come early.
func (b *Budget) fitting(have, n int) int {
	if b.Pair*time.Duration(n-have) <= b.Left() {
		return n
	}
	more := b.affordable()
	if float64(more) < worthMore*float64(have) {
		return have
	}
	return have + more
}

// affordable is how many more pairs the last look may take.
func (b *Budget) affordable() int {
	return int(lastShare * float64(b.Left()) / float64(max(b.Pair, 1)))
}

// AffordsLayer reports whether there is time to build and measure a layer, to confirm
// what is found there, and to prove it by one more build, in so many link orders. A layer
// is opened only then: a larger culprit that is proved is worth more than a smaller one
// that is not.
func (b *Budget) AffordsLayer(orders int) bool {
	deciding := max(Searching[1], layoutRounds*orders) // pairs of a confirmation or a proof
	layer := b.Build + time.Duration(Searching[1])*b.Pair
	proof := b.Build + 2*time.Duration(deciding)*b.Pair + 2*time.Duration(orders)*b.Link
	return b.Left() >= layer+proof
}

// layoutShare is the share of the time that is left that may go into link orders.
const layoutShare = 0.5

// affordsOrder reports whether both sides can be linked in one more order, after so many
// that are new since begin was left, and so many pairs run of each, in the share of that
// time that is for it.
func (b *Budget) affordsOrder(begin time.Duration, fresh, rounds int) bool {
	spent := begin - b.Left() + b.Link + time.Duration((fresh+1)*rounds)*b.Pair
	return spent <= time.Duration(layoutShare*float64(begin))
}

// inMinutes is a budget to go on with, in whole minutes.
func inMinutes(d time.Duration) float64 { return math.Ceil(d.Minutes()) }

package hunt

import (
	"fmt"
	"math"
	"time"

	"github.com/pinpoint-go/pinpoint/finder"
)

// What the budget goes into is planned from what the same cost before: how many pairs a
// look may have (see fitting), in how many orders of functions a small difference is
// looked at, and whether there is time for another layer. A layer is opened only if
// what is found there can still be confirmed and proved: a larger culprit that is
// proved is worth more than a smaller one that is not.

// costs are how long the last of each took; zero if there was none yet.
type costs struct {
	pair  time.Duration // of processes
	build time.Duration // of both sides, with probes
	link  time.Duration // of both sides in another order
}

// stopBudget ends the way down where there is no time for the next layer.
const stopBudget finder.Stop = "no time to go deeper"

// left is how much of the budget there is.
func (h *hunt) left() time.Duration { return h.opts.Budget - time.Since(h.start) }

// affordsLayer reports whether there is time to build and measure a layer, to confirm
// what is found there, and to prove it by one more build.
func (h *hunt) affordsLayer() bool {
	deciding := max(searching[1], layoutRounds*len(h.orders)) // pairs of a confirmation or a proof
	layer := h.cost.build + time.Duration(searching[1])*h.cost.pair
	proof := h.cost.build + 2*time.Duration(deciding)*h.cost.pair + 2*time.Duration(len(h.orders))*h.cost.link
	return h.left() >= layer+proof
}

// affordsOrder reports whether both sides can be linked in one more order, after so many
// that are new since begin was left, and so many pairs run of each, in the share of that
// time that is for it.
func (h *hunt) affordsOrder(begin time.Duration, fresh, rounds int) bool {
	spent := begin - h.left() + h.cost.link + time.Duration((fresh+1)*rounds)*h.cost.pair
	return spent <= time.Duration(layoutShare*float64(begin))
}

// goOn says with which budget to go on, in whole minutes.
func (h *hunt) goOn(budget time.Duration) {
	h.report.Continue = fmt.Sprintf("--budget %.0fm", math.Ceil(budget.Minutes()))
}

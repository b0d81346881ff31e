package suite

import (
	"context"
	"math"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// Where the linker places functions makes code faster or slower that nobody changed, by
// 20 % and more in some benchmarks. So no two looks go by the same few orders: each order
// has this many pairs, until there are so many orders that more pairs of each tell more.
const (
	pairsOfOrder = 2
	mostOrders   = 24
)

// ordersFor is in how many orders the pairs of a look are.
func ordersFor(pairs int) int { return min(pairs/pairsOfOrder, mostOrders) }

// linker makes what links the package's binary of a revision in another order.
func linker(rev *revision.Revision, bin harness.Binary) *compare.Entrant {
	return compare.NewEntrant(bin, func(ctx context.Context, order uint64) (harness.Binary, error) {
		return rev.Build(ctx, revision.Build{Layout: order})
	})
}

// link has the pairs of a benchmark up to a number of them, those that are new, in orders
// that are new, as far as there are any; from is how many there are before these. With a
// linker that knows no orders, before Go 1.22, all are in its own. One benchmark's are linked
// after the other's, on this machine.
func (r *run) link(ctx context.Context, b *bench, n int) (from int, err error) {
	from, to := ordersFor(len(b.samples.good)), ordersFor(n)
	if from == to {
		from = 0
	}
	twins, err := r.orders.Linked(ctx, from, to, b.pkg.inOrders.Good, b.pkg.inOrders.Bad)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if err != nil && len(twins) == 0 {
		r.warn("%s: whether differences depend on where the linker places functions was not looked at: %v", b.pkg.path, err)
		from = 0
	}
	b.campaign.Layouts = twins
	return from, nil
}

// layoutsOf are the orders that a benchmark was compared in; nil if it was one.
func (r *run) layoutsOf(s samples) (list []report.Layout) {
	at := make(map[int]int)
	logs := make(map[int]float64)
	for i, order := range s.layouts {
		j, ok := at[order]
		if !ok {
			j = len(list)
			at[order] = j
			list = append(list, report.Layout{Seed: r.seed(order)})
		}
		l := &list[j]
		l.Pairs++
		l.Good += (s.good[i] - l.Good) / float64(l.Pairs)
		l.Bad += (s.bad[i] - l.Bad) / float64(l.Pairs)
		logs[order] += (math.Log(s.bad[i]/s.good[i]) - logs[order]) / float64(l.Pairs)
	}
	if len(list) < 2 {
		return nil
	}
	for order, j := range at {
		ratio := math.Exp(logs[order])
		list[j].Ratio = report.Interval{Mean: ratio, Low: ratio, High: ratio}
	}
	return list
}

// seedsOf are the seeds of the orders of pairs; nil if all are in the linker's own.
func (r *run) seedsOf(s samples) (seeds []uint64) {
	for _, order := range s.layouts {
		if order == 0 {
			return nil
		}
		seeds = append(seeds, r.seed(order))
	}
	return seeds
}

func (r *run) seed(order int) uint64 {
	if order == 0 {
		return 0
	}
	return r.orders.Seed(order - 1)
}

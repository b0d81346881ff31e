package harness

import (
	"math"
	"slices"
)

// matchBlock is how many batches of a side are matched with as many of the other.
const matchBlock = 4

// minBlocks is how many blocks a ratio is made of at least.
const minBlocks = 3

// Ratio is how much longer bad took per operation than good, for pairs that took
// turns: both sides' batches are cut into blocks of four, of each block the
// fastest batch counts, and the median of the ratios of blocks that ran at about
// the same time is the pair's. ok is false where the processes took no turns or
// have too few batches.
//
// The ratio of two values of [Process.Sample] is of each side's quiet moments;
// this one is of the same moments for both. One binary against itself, in turns
// on a machine in heavy use: the logarithm of the ratio of samples varied by
// 0.087 (decoding JSON) and 0.023 (sorting), that of this by 0.022 and 0.009 (30
// pairs each). What is in fewer than one batch of four it can't see.
//
// By another quantity than time, if there is one, as in [Process.By].
func (p Pair) Ratio(quantity func(Batch) float64) (ratio float64, ok bool) {
	if !p.InTurns || len(p.Good.Batches) != len(p.Bad.Batches) {
		return 0, false
	}
	good, bad := p.Good, p.Bad
	if quantity != nil {
		good, bad = good.By(quantity), bad.By(quantity)
	}
	g, b := good.fastestOfBlocks(), bad.fastestOfBlocks()
	if len(g) < minBlocks {
		return 0, false
	}
	logs := make([]float64, len(g))
	for i := range g {
		if logs[i] = math.Log(b[i] / g[i]); math.IsNaN(logs[i]) || math.IsInf(logs[i], 0) {
			return 0, false
		}
	}
	return math.Exp(median(logs)), true
}

// Match moves two samples of the pair apart or together, each by half, until their
// ratio is that of [Pair.Ratio]. Without one they stay.
func (p Pair) Match(good, bad float64, quantity func(Batch) float64) (matchedGood, matchedBad float64) {
	ratio, ok := p.Ratio(quantity)
	if !ok || !(good > 0 && bad > 0) {
		return good, bad
	}
	level, half := math.Sqrt(good*bad), math.Sqrt(ratio)
	return level / half, level * half
}

// Under is the pair as far as one of the masks was in force, see [Order.On]: as many
// batches of either side.
func (p Pair) Under(mask int) Pair {
	p.Good, p.Bad = p.Good.Under(mask), p.Bad.Under(mask)
	n := min(len(p.Good.Batches), len(p.Bad.Batches))
	p.Good.Batches, p.Bad.Batches = p.Good.Batches[:n], p.Bad.Batches[:n]
	return p
}

// fastestOfBlocks is the time per operation of the fastest batch of each whole
// block. The warm-up is in none.
func (p Process) fastestOfBlocks() []float64 {
	var fastest []float64
	batches := p.warm()
	for ; len(batches) >= matchBlock; batches = batches[matchBlock:] {
		least := math.Inf(1)
		for _, b := range batches[:matchBlock] {
			least = min(least, b.perOp())
		}
		fastest = append(fastest, least)
	}
	return fastest
}

func median(xs []float64) float64 {
	xs = slices.Sorted(slices.Values(xs))
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}

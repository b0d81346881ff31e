package probe

// Rounds of the calibration. The cheapest counts: whatever comes in between
// makes a round dearer, never cheaper.
const (
	rounds   = 16
	perRound = 256
)

// calibrate writes the clock's facts to the board, in about a millisecond.
//
//go:norace
func calibrate() {
	board.Clock = clockKind
	board.First = now()
	board.Read = readCost()
	board.Step = step()
	board.Inside, board.Outside = pairCost()
	for uint64(nanotime())-board.First.Nanos < 1e6 {
	}
	board.Early = now()
}

// now reads both clocks as close to each other as it gets.
//
//go:norace
func now() (at Instant) {
	gap := ^uint64(0)
	for i := 0; i < 5; i++ {
		before := ticks()
		nanos := nanotime()
		after := ticks()
		if after-before < gap {
			gap = after - before
			at = Instant{before + gap/2, uint64(nanos)}
		}
	}
	return at
}

// readCost returns the cost of one read, ticks times CostScale.
//
//go:norace
func readCost() uint64 {
	best := ^uint64(0)
	for i := 0; i < rounds; i++ {
		begin := ticks()
		for j := 1; j < perRound; j++ {
			ticks()
		}
		best = min(best, ticks()-begin)
	}
	return best * CostScale / perRound
}

// step returns the smallest difference between two reads that differ, one if none
// did.
//
//go:norace
func step() uint64 {
	best := ^uint64(0)
	for i := 0; i < rounds*perRound; i++ {
		begin := ticks()
		if d := ticks() - begin; d != 0 {
			best = min(best, d)
		}
	}
	if best == ^uint64(0) {
		return 1 // the clock counts what doesn't happen here
	}
	return best
}

// pairCost returns what a pair that is on adds to its own region, and besides
// to the one around it, ticks times CostScale. It counts where probes beyond
// the board are counted, which nobody reads.
//
//go:norace
func pairCost() (inside, outside uint64) {
	const beyond = MaskSize - 1
	var marks [1]Mark
	wanted := chosen[beyond]
	chosen[beyond] = 1
	mask = chosen
	best := ^uint64(0)
	for i := 0; i < rounds; i++ {
		was := counted(beyond).Ticks
		begin := ticks()
		for j := 0; j < perRound; j++ {
			Stop(Begin(&marks[0], beyond), j)
		}
		whole := ticks() - begin
		if whole < best {
			best = whole
			inside = counted(beyond).Ticks - was
		}
	}
	chosen[beyond] = wanted
	inside = min(inside, best)
	return inside * CostScale / perRound, (best - inside) * CostScale / perRound
}

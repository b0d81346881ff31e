package harness

import (
	"slices"
	"time"
)

// Round is a process of each side, which ran in turns or one after the other.
type Round struct {
	Runs      []Process // by side
	Order     []int     // the sides, in the order in which they went
	InTurns   bool      // their batches alternated
	Layout    int       // of Campaign.Layouts, counted from 1; 0: Campaign.Binaries themselves
	Machine   string    // kind of the machine that it ran on, see Machines.Class; "": this one
	Disturbed Disturbance
	Replayed  time.Duration // of one that a [Journal] had: what it took; otherwise 0
}

// Pair is two processes that ran in turns or back to back.
type Pair struct {
	Good, Bad Process
	GoodFirst bool
	InTurns   bool   // batches of the two alternated
	Layout    int    // as in Round
	Machine   string // as in Round
	Disturbed Disturbance
	Replayed  time.Duration // as in Round
}

// Replayed is what rounds took that a journal had, in all.
func Replayed(rounds []Round) (sum time.Duration) {
	for _, r := range rounds {
		sum += r.Replayed
	}
	return sum
}

// Pair is what two sides of the round did, the first of them as good.
func (r Round) Pair(good, bad int) Pair {
	return Pair{
		Good: r.Runs[good], Bad: r.Runs[bad],
		GoodFirst: slices.Index(r.Order, good) < slices.Index(r.Order, bad),
		InTurns:   r.InTurns, Layout: r.Layout, Machine: r.Machine, Disturbed: r.Disturbed, Replayed: r.Replayed,
	}
}

// PairsOf are the pairs of two sides of all rounds.
func PairsOf(rounds []Round, good, bad int) []Pair {
	pairs := make([]Pair, len(rounds))
	for i, r := range rounds {
		pairs[i] = r.Pair(good, bad)
	}
	return pairs
}

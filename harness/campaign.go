package harness

import "math/rand/v2"

// Campaign runs rounds of processes, one of each side, in turns where that can be:
// what changes on the machine is then the same for all. Of two sides a round is a pair;
// good, bad, and bad with good's code make triples.
//
// A third side costs no steadiness. Three reference benchmarks against themselves on two
// processors with a load of 40, 24 rounds each: the log ratios of two sides varied by
// 0.02 to 0.04 in triples, and by 0.03, 0.05 and 0.17 in pairs.
type Campaign struct {
	Binaries []Binary // one of each side, two or more; of pairs good's and bad's
	N        []int64  // iterations of a batch, by side
	Workload Workload
	Batches  int        // of a process
	Rand     *rand.Rand // shuffles the order; the caller records its seed

	// Duet runs the processes of a round at the same time, each on a processor of
	// its own, exchanged from round to round. Where there are fewer processors than
	// sides, they take turns as ever.
	//
	// Where processors are alike, what all meet is the same to the instant. On a
	// virtual machine each has neighbours of its own: one binary against itself
	// varied by 0.37 (decoding JSON), in turns by 0.037, one after the other by 0.26.
	Duet bool

	// Layouts are the Binaries linked in other orders. If there are any, rounds go
	// round them: where functions lie makes a binary faster or slower by some
	// percent without a change to any, and rounds of one layout repeat that accident.
	Layouts [][]Binary

	// Machines are kinds of machines that rounds on a fleet go round, see [Machines.Class].
	// None: all rounds are on the first kind.
	Machines []string

	// Aside are the rounds that were disturbed, ran again, and were replaced by
	// the less disturbed of the two. They are samples too: an answer that
	// changes when they are counted in is none.
	Aside []Round

	firsts []int // by side: rounds that it began
	ran    int   // rounds that were asked for and are done
	runs   int   // rounds that ran
	once   bool  // no round runs again
}

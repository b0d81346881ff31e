package finder

import (
	"context"
	"errors"

	"github.com/pinpoint-go/pinpoint/stats"
)

// ErrCannot is wrapped by the errors of sets of elements that can't be tried: bad with
// good's code for them is not accepted by the compiler, or does not run.
var ErrCannot = errors.New("cannot be built or run")

// Element is something that differs between the revisions and that good's code can be
// put back for: a function, a hunk of one, data, a dependency's version.
type Element struct {
	Weight float64 // prior belief that it is to blame, in any unit: from the profile and from counts
}

// Question asks for the share of the whole difference that is gone with good's code
// for a set of elements put back.
type Question struct {
	Set []int // ascending and closed, never to be changed
	// Base, a closed set within Set, is put back on the other side, too: what is asked is
	// the share that the rest of Set takes away on top of it. Nil asks what Set takes away
	// from bad as it is. Only Prove is asked with a base.
	Base []int
	// Limit is the share that the answer is held against. Who answers measures until the
	// interval lies on one side of it, or until that is not to be expected any more: a
	// share that happens to lie there need not be told from it.
	Limit float64
}

// Halves searches what differs for what makes bad slower, by putting sets of it back
// as it was in good.
//
// It promises to name nothing that was not proved by [Halves.Prove], put back without
// anything else that differs; what compiles only along with others is named with them,
// or alone where the others, put back without it, were proved to leave the difference.
// It expects that more code of good's makes bad no slower; where that fails it may find
// nothing, and still names nothing wrong.
//
// Invariant: it holds two closed sets, one within the other, and more of the difference
// is gone with the larger one put back. What lies between them is cut in two by weight,
// the set in the middle is tried, and the side with the larger step is gone on with. So
// an element that makes the difference only together with others is found like any
// other, as the one with which it goes; the others are then among those put back before
// it and are found in the same way, with it put back from the start. That takes k log n
// tries for k that are needed together, where delta debugging takes up to n². The side
// with the smaller step is not forgotten: it is searched as a whole of its own, as long
// as what is found leaves so much of the difference.
//
// The ideas are those of delta debugging (ddmin, Zeller and Hildebrandt 2002) and of
// QuickXplain (Junker 2004).
type Halves struct {
	Elements []Element
	MinShare float64 // smallest share of the whole difference to follow; 0 means DefaultMinShare
	// Even is the part of a step at which it takes as much to say that an element makes more
	// of it as that it makes less; 0 means a half. What link orders make of a slow program is
	// more than what they make of a fast one, so it lies below that.
	Even float64

	// Closure gives what must be put back along with a set so that it compiles, without
	// the set or with it. It is asked a few times oftener than Try, so it is to be cheap.
	// An error that wraps ErrCannot says that nothing makes it compile.
	Closure func(set []int) (with []int, err error)
	// Try answers at the error of a search: a wrong answer costs time and accuses nobody.
	// It may be asked of a set again with another limit, and then had better go on where
	// it stopped.
	Try func(context.Context, Question) (stats.Interval, error)
	// Prove answers at the ledger's error, with more samples.
	Prove func(context.Context, Question) (stats.Interval, error)
}

// Blame says how the elements of a finding make the difference.
type Blame int

const (
	Alone    Blame = iota // the one set, put back alone, takes its share away
	OneOf                 // one of them, or some: they can only be put back together
	Together              // all sets must be put back: with each alone little is gone, so each of them suffices to be slow
	Either                // each set takes the share away when put back alone: they make it only with each other
	Spread                // many, each with too little to be named
)

func (b Blame) String() string {
	return [...]string{"alone", "one of these", "only together", "either", "spread over these"}[b]
}

// Finding is an answer of the search.
type Finding struct {
	Blame Blame
	Sets  [][]int // more than one for Together and Either
	// With came along, as the compiler wants it. It is innocent of the share: put back
	// without the sets it was proved to leave it.
	With     []int
	Share    stats.Interval // of the whole difference, as proved
	Accepted Acceptance     // Confirms or ConfirmsPart; of a suspect, Open or Refutes
	// Others is the share that is gone with all that differs put back but this; nil if
	// that was not tried. If it is small there is nobody else that could have done it.
	Others *stats.Interval
}

// Set is all that a finding names, ascending.
func (f Finding) Set() []int {
	var all []int
	for _, s := range f.Sets {
		all = union(all, s)
	}
	return all
}

// Found is the outcome of a search by halves.
type Found struct {
	Culprits []Finding // proved, largest share first
	// Suspects are where the search came to, and what a proof neither confirmed nor
	// refuted, or gave more of the difference than there is.
	Suspects  []Finding
	Innocent  []int   // put back, they surely leave the difference; or it is all explained without them
	Undecided []int   // all others
	Cannot    [][]int // sets that could not be built or run
	// Whole is the share that is gone with everything put back; nil if that was not tried
	// or can't be. NotSource says that it surely is too little: what differs in
	// the source does not make bad slow.
	Whole     *stats.Interval
	NotSource bool
	Rest      stats.Interval // what the culprits leave of the whole
	Tries     int            // different sets asked of Try, those that can't be built too
	Proofs    int            // different sets, or pairs of them, asked of Prove
	Err       error          // what ended the search; what was found before stands
}

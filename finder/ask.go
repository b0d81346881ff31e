package finder

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// halving is one run of a search by halves.
type halving struct {
	*Halves
	Found
	ctx      context.Context
	closures map[string][]int // nil for what never compiles
	readings map[string]reading
	proofs   map[string]reading
	weights  []float64
	aside    []span          // that are still to be searched
	spread   []int           // elements that each do too little
	left     *stats.Interval // what is gone with all but the culprits put back
}

func (h *halving) minShare() float64 {
	if h.MinShare == 0 {
		return DefaultMinShare
	}
	return h.MinShare
}

func (h *halving) all() []int {
	all := make([]int, len(h.Elements))
	for i := range all {
		all[i] = i
	}
	return all
}

// closed is a set with all that must come along, and with what that needs in turn; not ok
// if it never compiles.
func (h *halving) closed(set []int) (with []int, ok bool, err error) {
	k := key(set)
	if c, known := h.closures[k]; known {
		return c, c != nil, nil
	}
	with = set
	for { // each time something is added, and there is only so much
		more, err := h.Closure(slices.Clone(with))
		if errors.Is(err, ErrCannot) {
			h.closures[k] = nil
			h.Cannot = append(h.Cannot, set)
			return nil, false, nil
		}
		if err != nil {
			return nil, false, err
		}
		more = union(with, more)
		if len(more) == len(with) {
			break
		}
		with = more
	}
	h.closures[k], h.closures[key(with)] = with, with
	return with, true, nil
}

// try asks what is gone with a closed set put back, once for each set and limit that the
// answer does not tell already.
func (h *halving) try(set []int, limit float64) (reading, error) {
	r, known := h.known(set)
	if known && r.tells(limit) {
		return r, nil
	}
	if !known {
		h.Tries++
	}
	r, err := h.ask(h.Try, Question{Set: set, Limit: limit})
	if err == nil {
		h.readings[key(set)] = r
	}
	return r, err
}

// prove asks the same at the ledger's error.
func (h *halving) prove(set []int, limit float64) (reading, error) {
	return h.proveOn(nil, set, limit)
}

// proveOn asks what a set takes away on top of another one within it.
func (h *halving) proveOn(base, set []int, limit float64) (reading, error) {
	if len(set) == len(base) {
		return reading{}, nil
	}
	k := key(set)
	if len(base) > 0 {
		k = key(base) + " " + k
	}
	r, known := h.proofs[k]
	if known && r.tells(limit) {
		return r, nil
	}
	if !known {
		h.Proofs++
	}
	r, err := h.ask(h.Prove, Question{Set: set, Base: base, Limit: limit})
	if len(base) > 0 {
		r.set = nil // it says nothing of what is put back on both sides
	}
	if err == nil {
		h.proofs[k] = r
	}
	return r, err
}

func (h *halving) known(set []int) (reading, bool) {
	if len(set) == 0 {
		return reading{}, true
	}
	if r, known := h.proofs[key(set)]; known {
		return r, true
	}
	r, known := h.readings[key(set)]
	return r, known
}

func (h *halving) ask(f func(context.Context, Question) (stats.Interval, error), q Question) (reading, error) {
	set := q.Set
	q.Set, q.Base = slices.Clone(q.Set), slices.Clone(q.Base)
	share, err := f(h.ctx, q)
	if errors.Is(err, ErrCannot) || err == nil && math.IsNaN(share.Mean) {
		h.Cannot = append(h.Cannot, set)
		return reading{set: set, cannot: true}, nil
	}
	return reading{Interval: share, set: set, limit: q.Limit}, err
}

// between is the difference of two shares that were measured apart from each other.
func between(a, b stats.Interval) stats.Interval {
	low, high := math.Hypot(a.Mean-a.Low, b.High-b.Mean), math.Hypot(a.High-a.Mean, b.Mean-b.Low)
	mean := a.Mean - b.Mean
	return stats.Interval{Mean: mean, Low: mean - low, High: mean + high}
}

package finder

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// fewTries is how many tries a search may take in any case: all, the others, and as
// many halves as are left. With elements enough it is their logarithm.
const fewTries = 8

// narrow halves a span until one element is left, or none of its parts can be tried
// alone, or none is worth it; in the latter case it is spread.
func (h *halving) narrow(s span) (leaf span, spread bool, err error) {
	left := max(bits.Len(uint(len(s.elements())-1)), fewTries-2)
	for len(s.elements()) > 1 {
		left = max(left-1, 0)
		a, b, ok, err := h.halve(s, 1<<left)
		if err != nil || !ok {
			return s, false, err
		}
		if a.step() < b.step() {
			a, b = b, a
		}
		if a.step() < h.minShare() {
			return s, true, nil
		}
		if b.step() >= h.minShare() {
			h.aside = append(h.aside, b)
		}
		s = a
	}
	return s, false, nil
}

// halve tries a set in the middle of a span, or, if that can't be run, what it leaves.
// It is not ok if there is none that can.
func (h *halving) halve(s span, most int) (below, above span, ok bool, err error) {
	limit := s.at.Mean + s.step()/2
	err = h.cuts(s, most, func(mid []int) (done bool, err error) {
		for rest := []int(nil); ; mid = rest {
			r, err := h.middle(s, mid, limit)
			if err != nil {
				return false, err
			}
			if !r.cannot {
				below, above, ok = span{s.low, mid, s.at, r}, span{mid, s.high, r, s.to}, true
				return true, nil
			}
			if rest != nil {
				return false, nil
			}
			var compiles bool
			rest, compiles, err = h.closed(union(s.low, minus(s.high, mid)))
			if err != nil || !compiles || !s.strictlyHolds(rest) {
				return false, err
			}
		}
	})
	return below, above, ok, err
}

// middle is what is gone with a set within a span. Where that leaves one element, which
// drags all of the set along, the element can only ever be proved on top of it: then
// that is asked at once, and tells both.
func (h *halving) middle(s span, mid []int, limit float64) (reading, error) {
	above := minus(s.high, mid)
	if len(above) > 1 {
		return h.try(mid, limit)
	}
	with, ok, err := h.closed(union(s.low, above))
	switch {
	case err != nil:
		return reading{}, err
	case !ok || !slices.Equal(with, s.high):
		return h.try(mid, limit)
	}
	step, err := h.proveOn(mid, s.high, max(h.minShare(), s.step()*cmp.Or(h.Even, 1./2)))
	if err != nil || step.cannot {
		return step, err
	}
	return reading{Interval: between(s.to.Interval, step.Interval), set: mid}, nil
}

// Of all places where a span may be cut, mostLooked are asked what comes along, and
// mostCuts of those that are cuts are tried, before quarters are, and then so many single
// elements, the heaviest.
const (
	mostLooked  = 12
	mostCuts    = 2
	mostSingles = 6
)

// cuts hands use closed sets strictly within a span until it is done, those first that
// divide its weight best and leave at most most elements on either side. What comes along
// with a set is asked as late as can be.
func (h *halving) cuts(s span, most int, use func(mid []int) (done bool, err error)) error {
	order := s.elements()
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.weights[b], h.weights[a]) })
	var seen, lopsided [][]int
	offer := func(mid []int, most int) (bool, error) {
		c, ok, err := h.closed(mid)
		if err != nil || !ok || !s.strictlyHolds(c) || slices.ContainsFunc(seen, func(m []int) bool { return slices.Equal(m, c) }) {
			return false, err
		}
		seen = append(seen, c)
		if r, known := h.known(c); known && r.cannot {
			return false, nil
		}
		if max(len(c)-len(s.low), len(s.high)-len(c)) > most {
			lopsided = append(lopsided, c)
			return false, nil
		}
		return use(c)
	}
	for _, k := range h.ends(order, most) {
		if done, err := offer(union(s.low, union(nil, order[:k])), most); err != nil || done {
			return err
		}
		if len(seen)-len(lopsided) == mostCuts {
			break
		}
	}
	if len(seen) == 0 {
		mids, err := h.apart(s, order)
		if err != nil {
			return err
		}
		for _, mid := range mids {
			if done, err := offer(mid, most); err != nil || done {
				return err
			}
		}
	}
	slices.SortStableFunc(lopsided, func(a, b []int) int {
		return cmp.Compare(abs(2*len(a)-len(s.low)-len(s.high)), abs(2*len(b)-len(s.low)-len(s.high)))
	})
	for _, mid := range lopsided[:min(len(lopsided), mostCuts)] {
		if done, err := use(mid); err != nil || done {
			return err
		}
	}
	for part := range 4 { // small sets run where halves don't
		left := s.elements()
		if done, err := offer(union(s.low, left[part*len(left)/4:(part+1)*len(left)/4]), len(left)); err != nil || done {
			return err
		}
	}
	for _, i := range order[:min(len(order), mostSingles)] {
		if done, err := offer(union(s.low, []int{i}), len(order)); err != nil || done {
			return err
		}
	}
	return nil
}

// ends are how many elements of an order may be cut off, the best first.
func (h *halving) ends(order []int, most int) (ends []int) {
	half, sum := h.weight(order)/2, 0.0
	uneven := make([]float64, len(order))
	for k := 1; k < len(order); k++ {
		sum += h.weights[order[k-1]]
		uneven[k] = math.Abs(sum - half)
		ends = append(ends, k)
	}
	large := func(k int) int { return max(0, max(k, len(order)-k)-most) }
	slices.SortStableFunc(ends, func(a, b int) int {
		return cmp.Or(cmp.Compare(large(a), large(b)), cmp.Compare(uneven[a], uneven[b]))
	})
	if len(ends) <= mostLooked {
		return ends
	}
	// Where the best few are all dragged along, places far from them are better.
	near, far := ends[:mostLooked/2], ends[mostLooked/2:]
	looked := slices.Clone(near)
	for i := range mostLooked / 2 {
		looked = append(looked, far[i*len(far)/(mostLooked/2)])
	}
	return looked
}

func abs(x int) int { return max(x, -x) }

func (h *halving) weight(set []int) (sum float64) {
	for _, i := range set {
		sum += h.weights[i]
	}
	return sum
}

// apart are sets in a span whose elements drag each other along in their order: what
// the elements need, from the one that needs least, and all but each.
func (h *halving) apart(s span, order []int) (mids [][]int, err error) {
	var needs [][]int
	for _, i := range order {
		c, ok, err := h.closed(union(s.low, []int{i}))
		if err != nil {
			return nil, err
		}
		if ok {
			needs = append(needs, c)
		}
	}
	slices.SortStableFunc(needs, func(a, b []int) int { return cmp.Compare(len(a), len(b)) })
	set := s.low
	for _, c := range needs {
		set = union(set, c)
		mids = append(mids, set)
	}
	half := (len(s.low) + len(s.high)) / 2
	slices.SortStableFunc(mids, func(a, b []int) int { return cmp.Compare(abs(len(a)-half), abs(len(b)-half)) })
	for _, i := range s.elements() {
		mids = append(mids, minus(s.high, []int{i}))
	}
	return mids, nil
}

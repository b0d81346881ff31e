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
	mids, err := h.cuts(s, most)
	if err != nil {
		return below, above, false, err
	}
	limit := s.at.Mean + s.step()/2
	for _, mid := range mids {
		rest, ok, err := h.closed(union(s.low, minus(s.high, mid)))
		if err != nil {
			return below, above, false, err
		}
		tried := [][]int{mid}
		if ok && s.strictlyHolds(rest) {
			tried = append(tried, rest)
		}
		for _, set := range tried {
			r, err := h.try(set, limit)
			if err != nil {
				return below, above, false, err
			}
			if !r.cannot {
				return span{s.low, set, s.at, r}, span{set, s.high, r, s.to}, true, nil
			}
		}
	}
	return below, above, false, nil
}

// Of all places where a span may be cut, mostLooked are asked what comes along, those
// nearest to half of the weight first, and the best mostCuts are tried, before
// quarters are.
const (
	mostLooked = 12
	mostCuts   = 2
)

// cuts are closed sets strictly within a span, those first that divide its weight best
// and leave at most most elements on either side.
func (h *halving) cuts(s span, most int) ([][]int, error) {
	order := s.elements()
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(h.weights[b], h.weights[a]) })
	mids, err := h.prefixes(s, order)
	if err != nil {
		return nil, err
	}
	if len(mids) == 0 {
		if mids, err = h.apart(s, order); err != nil {
			return nil, err
		}
	}
	large := func(mid []int) int {
		side := max(len(mid)-len(s.low), len(s.high)-len(mid))
		return max(0, side-most)
	}
	slices.SortStableFunc(mids, func(a, b []int) int {
		return cmp.Or(cmp.Compare(large(a), large(b)), cmp.Compare(h.uneven(s, a), h.uneven(s, b)))
	})
	mids = mids[:min(len(mids), mostCuts)]
	more, err := h.quarters(s)
	return append(mids, more...), err
}

// uneven is how far a set is from dividing the weight of a span in two.
func (h *halving) uneven(s span, mid []int) float64 {
	return math.Abs(h.weight(minus(mid, s.low)) - h.weight(minus(s.high, mid)))
}

func (h *halving) weight(set []int) (sum float64) {
	for _, i := range set {
		sum += h.weights[i]
	}
	return sum
}

// prefixes are the cuts that put back the first elements of an order.
func (h *halving) prefixes(s span, order []int) ([][]int, error) {
	half, sum := h.weight(order)/2, 0.0
	ends := make([]int, 0, len(order))
	far := make([]float64, len(order)+1)
	for k, i := range order[:len(order)-1] {
		sum += h.weights[i]
		far[k+1] = math.Abs(sum - half)
		ends = append(ends, k+1)
	}
	slices.SortStableFunc(ends, func(a, b int) int { return cmp.Compare(far[a], far[b]) })
	// Half of the places looked at divide the weight, and half the count.
	looked := slices.Clone(ends[:min(len(ends), mostLooked/2)])
	slices.SortStableFunc(ends, func(a, b int) int { return cmp.Compare(abs(2*a-len(order)), abs(2*b-len(order))) })
	for _, k := range ends[:min(len(ends), mostLooked/2)] {
		if !slices.Contains(looked, k) {
			looked = append(looked, k)
		}
	}
	var mids [][]int
	for _, k := range looked {
		if err := h.addCut(&mids, s, union(s.low, union(nil, order[:k]))); err != nil {
			return nil, err
		}
	}
	return mids, nil
}

func abs(x int) int { return max(x, -x) }

// quarters are cuts of a fourth of the elements each: small sets run where halves don't.
func (h *halving) quarters(s span) (mids [][]int, err error) {
	order := s.elements()
	for part := range 4 {
		from, to := part*len(order)/4, (part+1)*len(order)/4
		if err := h.addCut(&mids, s, union(s.low, order[from:to])); err != nil {
			return nil, err
		}
	}
	return mids, nil
}

// apart are the cuts of a span whose elements drag each other along in that order: what
// each of them needs, from the one that needs least, and all but each.
func (h *halving) apart(s span, order []int) ([][]int, error) {
	needs := make(map[int][]int)
	for _, i := range order {
		c, ok, err := h.closed(union(s.low, []int{i}))
		if err != nil {
			return nil, err
		}
		if ok {
			needs[i] = c
		}
	}
	order = slices.DeleteFunc(slices.Clone(order), func(i int) bool { return needs[i] == nil })
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(needs[a]), len(needs[b])) })
	var mids [][]int
	set := s.low
	for _, i := range order {
		set = union(set, needs[i])
		if err := h.addCut(&mids, s, set); err != nil {
			return nil, err
		}
	}
	if len(mids) > 0 {
		return mids, nil
	}
	for _, i := range s.elements() {
		if err := h.addCut(&mids, s, minus(s.high, []int{i})); err != nil {
			return nil, err
		}
	}
	return mids, nil
}

// addCut adds a set with what it needs, if it cuts the span.
func (h *halving) addCut(mids *[][]int, s span, set []int) error {
	c, ok, err := h.closed(set)
	if err != nil || !ok || !s.strictlyHolds(c) {
		return err
	}
	if r, known := h.known(c); known && r.cannot {
		return nil
	}
	if !slices.ContainsFunc(*mids, func(m []int) bool { return slices.Equal(m, c) }) {
		*mids = append(*mids, c)
	}
	return nil
}

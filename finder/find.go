package finder

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// errWrongTurn says that proofs don't bear out what tries said.
var errWrongTurn = errors.New("the search took a wrong turn")

// few is the number of elements up to which they are put back one by one, the heaviest
// first, before all of them are.
const few = 3

// mostTurns is how often a search is begun anew after a wrong turn.
const mostTurns = 2

// worthAfterSpread is how many times MinShare must go within a span to be searched for a
// single culprit, once others were found not to have one.
const worthAfterSpread = 2.5

// Find searches.
func (h *Halves) Find(ctx context.Context) Found {
	s := &halving{
		Halves: h, ctx: ctx, closures: make(map[string][]int),
		readings: make(map[string]reading), proofs: make(map[string]reading),
	}
	if len(h.Elements) == 0 {
		return s.Found
	}
	total := 0.0
	for _, e := range h.Elements {
		total += max(0, e.Weight)
	}
	for _, e := range h.Elements {
		s.weights = append(s.weights, max(0, e.Weight)+total*1e-6+math.SmallestNonzeroFloat64)
	}
	s.Err = s.run()
	s.conclude()
	return s.Found
}

func (h *halving) run() error {
	start := span{high: h.all(), to: reading{Interval: stats.Interval{Mean: 1, Low: math.Inf(-1), High: math.Inf(1)}}}
	var little []span // of the favourite
	if first := h.favourite(); first != nil {
		var done bool
		var err error
		little, done, err = h.tryFavourite(first, &start)
		if err != nil || done {
			return err
		}
	}
	if len(h.Elements) > few {
		if none, err := h.tryAll(&start); err != nil || none {
			return err
		}
	}
	return h.follow(append(little, start)...)
}

// favourite is the element whose weight is well above that of the rest, or that comes
// first among few.
func (h *halving) favourite() []int {
	heaviest := slices.Index(h.weights, slices.Max(h.weights))
	if len(h.weights) <= few || h.weights[heaviest] >= h.weight(h.all())/2 {
		return []int{heaviest}
	}
	return nil
}

// tryFavourite puts the favourite back alone. It is done if that answers; if not, the
// search starts on top of it. Where it takes a little of the difference away with what came
// along, the most is looked for first.
func (h *halving) tryFavourite(first []int, start *span) (little []span, done bool, err error) {
	with, ok, err := h.closed(first)
	if err != nil || !ok || len(with) == len(h.Elements) && len(with) > 1 {
		return nil, false, err
	}
	r, err := h.try(with, 1./2)
	if err != nil || r.cannot {
		return nil, false, err
	}
	if r.High >= h.minShare() && r.Mean >= h.minShare() {
		itself := span{high: with, to: r}
		if r.Mean >= 1./2 || len(with) == 1 {
			if err := h.follow(itself); err != nil {
				return nil, false, err
			}
			r, _ = h.known(with)
		} else if r.Low > 0 { // or it is not known to take any
			little = []span{itself}
		}
	}
	if len(with) == len(h.Elements) {
		h.Whole = &r.Interval
		return nil, true, nil
	}
	start.low, start.at = with, r
	return little, h.named(), nil
}

// tryAll puts everything back: is it the source at all?
func (h *halving) tryAll(start *span) (none bool, err error) {
	all, ok, err := h.closed(start.high)
	if err != nil || !ok {
		return false, err
	}
	r, err := h.try(all, 1./2)
	if err != nil || r.cannot {
		return false, err
	}
	if r.Mean < 1./2 {
		// To say that it is not takes more than to go on.
		proof, err := h.prove(all, h.minShare())
		if err != nil {
			return false, err
		}
		if !proof.cannot {
			r = proof
		}
	}
	start.to = r
	h.Whole = &r.Interval
	h.NotSource = r.High < h.minShare()
	return h.NotSource, nil
}

func (h *halving) named() bool { return len(h.Culprits) > 0 }

// follow searches spans and what is put aside of them, the largest step first, while there
// is more to explain.
func (h *halving) follow(spans ...span) error {
	h.aside = slices.Clone(spans)
	for turns := 0; len(h.aside) > 0; {
		next := h.takeLargest()
		if next.step() < h.minShare() {
			break
		}
		if len(h.spread) > 0 && next.step() < worthAfterSpread*h.minShare() {
			h.spread = union(h.spread, next.elements())
			continue
		}
		had := len(h.Culprits)
		leaf, spread, err := h.narrow(next)
		if err == nil {
			err = h.judge(leaf, spread)
		}
		if errors.Is(err, errWrongTurn) {
			if turns++; turns > mostTurns {
				h.suspect(Finding{Blame: OneOf, Sets: [][]int{leaf.elements()}}, Open)
				h.spread = union(h.spread, leaf.elements())
				for _, s := range h.aside {
					h.spread = union(h.spread, s.elements())
				}
				break
			}
			for i := range spans {
				h.again(&spans[i])
			}
			h.aside = slices.Clone(spans)
			continue
		}
		if err == nil && len(h.Culprits) > had {
			err = h.tryOthers()
		}
		if err != nil {
			return err
		}
	}
	return h.judgeSpread()
}

// takeLargest takes out what was put aside with the largest step.
func (h *halving) takeLargest() span {
	best := 0
	for i, s := range h.aside {
		if s.step() > h.aside[best].step() {
			best = i
		}
	}
	s := h.aside[best]
	h.aside = slices.Delete(h.aside, best, best+1)
	return s
}

// again takes the ends of a span as they are known by now, to search it anew.
func (h *halving) again(s *span) {
	if r, ok := h.known(s.low); ok && !r.cannot {
		s.at = r
	}
	if r, ok := h.known(s.high); ok && !r.cannot {
		s.to = r
	}
}

// tryOthers puts all back but the culprits, which tells whether there is more to be
// found. A favourite that is the only culprit and leaves nothing to speak of is an
// answer without that.
func (h *halving) tryOthers() error {
	rest := h.rest()
	if h.Whole == nil && rest.Mean < 2*h.minShare() && rest.Low <= h.minShare() {
		h.aside = nil
		return nil
	}
	var named []int
	for _, c := range h.Culprits {
		named = union(named, c.Set())
	}
	others, ok, err := h.closed(minus(h.all(), named))
	if err != nil {
		return err
	}
	if !ok || len(minus(named, others)) < len(named) {
		return h.enough(rest)
	}
	r, err := h.try(others, h.minShare())
	if err != nil {
		return err
	}
	if r.cannot {
		return h.enough(rest)
	}
	last := &h.Culprits[len(h.Culprits)-1]
	last.Others = &r.Interval
	h.left = &r.Interval
	if r.Mean < h.minShare() || r.Low <= 0 {
		h.aside = nil
		return nil
	}
	if overlap := between(r.Interval, rest); len(h.Culprits) == 1 && last.Blame == Alone && overlap.Mean >= last.Share.Mean/2 && overlap.Low > 0 {
		return h.tryEither(span{high: others, to: r})
	}
	h.aside = append(h.aside, span{high: others, to: r})
	return nil
}

// enough ends a search after which surely nothing is left, where only sums can tell.
func (h *halving) enough(rest stats.Interval) error {
	if rest.Mean < h.minShare() || rest.Low <= 0 {
		h.aside = nil
	}
	return nil
}

// tryEither is for one culprit without which the others take the difference away as
// well: it makes it only with another one, which is looked for.
func (h *halving) tryEither(s span) error {
	first := h.Culprits[0]
	h.Culprits = nil
	h.aside = nil
	leaf, spread, err := h.narrow(s)
	if err == nil {
		err = h.judge(leaf, spread)
	}
	found := h.Culprits
	h.Culprits, h.aside = []Finding{first}, nil
	if len(found) == 1 && found[0].Blame == Alone {
		h.Culprits[0].Blame = Either
		h.Culprits[0].Sets = append(first.Sets, found[0].Sets...)
		h.Culprits[0].With = union(first.With, found[0].With)
	}
	if errors.Is(err, errWrongTurn) {
		return nil
	}
	return err
}

// rest is what the culprits leave of the whole. Where that was not measured it is all.
func (h *halving) rest() stats.Interval {
	rest := stats.Interval{Mean: 1, Low: 1, High: 1}
	if h.Whole != nil {
		rest = *h.Whole
	}
	for _, c := range h.Culprits {
		rest = between(rest, c.Share)
	}
	return rest
}

// conclude orders what was found and says of all others what is known of them.
func (h *halving) conclude() {
	slices.SortStableFunc(h.Culprits, func(a, b Finding) int { return cmp.Compare(b.Share.Mean, a.Share.Mean) })
	h.Rest = h.rest()
	if h.left != nil {
		h.Rest = *h.left
	}
	var named, cleared []int
	for _, f := range slices.Concat(h.Culprits, h.Suspects) {
		named = union(named, f.Set())
	}
	if h.NotSource || h.named() && h.Rest.High < h.minShare() {
		cleared = h.all()
	}
	for _, known := range []map[string]reading{h.readings, h.proofs} {
		for _, r := range known {
			if !r.cannot && r.High < h.minShare() {
				cleared = union(cleared, r.set)
			}
		}
	}
	h.Innocent = minus(cleared, named)
	h.Undecided = minus(minus(h.all(), named), cleared)
}

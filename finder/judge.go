package finder

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// mostTogether is how many sets are looked for that only together take a share away.
const mostTogether = 4

// judge proves what a span came down to. It is not believed for its step alone: that is
// the work of few samples, and of others that are put back with it.
func (h *halving) judge(leaf span, spread bool) error {
	left := leaf.elements()
	blame := OneOf
	switch {
	case spread:
		h.spread = union(h.spread, left)
		return nil
	case len(left) == 1:
		blame = Alone
	}
	alone, ok, err := h.closed(left)
	if err != nil {
		return err
	}
	f := Finding{Blame: blame, Sets: [][]int{left}}
	if !ok { // it compiles only with what is put back below it
		return h.judgePair(f, leaf.low, leaf.high)
	}
	limit := Limit(leaf.step(), h.minShare())
	r, err := h.prove(alone, limit)
	if err != nil {
		return err
	}
	f.Share = r.Interval
	says, err := h.accept(evidence(f, alone), r, limit)
	if err != nil {
		return err
	}
	switch {
	case r.cannot:
		return h.judgePair(f, leaf.low, leaf.high)
	case says == Confirms || says == ConfirmsPart:
		if len(alone) == len(left) {
			h.name(f, says)
			return nil
		}
		without := minus(alone, left)
		if c, ok, err := h.closed(without); err != nil || !ok || !slices.Equal(c, without) {
			if err != nil {
				return err
			}
			return h.judgePair(f, leaf.low, leaf.high)
		}
		return h.judgePair(f, without, alone)
	case says == Refutes || f.Share.Mean < leaf.step()/2:
		return h.judgeTogether(f, leaf, alone)
	default:
		h.suspect(f, says)
		return nil
	}
}

// evidence is what a set put back with all it needs says of a finding.
func evidence(f Finding, alone []int) Evidence {
	if f.Blame == Alone && len(alone) == 1 {
		return PutBack
	}
	return PutBackWith
}

// judgePair proves what can't be put back for itself: by what it takes away on top of
// others, with nothing else between the two. Where that does not tell, it is one of those
// that were put back.
func (h *halving) judgePair(f Finding, without, with []int) error {
	limit := h.minShare()
	r, err := h.proveOn(without, with, limit)
	if err != nil {
		return err
	}
	by := PutBackWith
	if f.Blame == Alone && len(with) == len(without)+1 {
		by = PutBack
	}
	says, err := h.accept(by, r, limit)
	if err != nil {
		return err
	}
	if says == Confirms || says == ConfirmsPart {
		f.With, f.Share = without, r.Interval
		h.name(f, says)
		return nil
	}
	if r, err = h.prove(with, limit); err != nil {
		return err
	}
	f = Finding{Blame: OneOf, Sets: [][]int{with}, Share: r.Interval}
	if r.cannot {
		h.suspect(f, Open)
		return nil
	}
	h.name(f, Accept(PutBackWith, f.Share, limit))
	return nil
}

// judgeTogether is for what takes nothing away alone and did so on top of others: these
// are looked for among them. If that step is not there when it is proved it was
// a wrong turn, and the search goes back to where the proofs lead.
func (h *halving) judgeTogether(f Finding, leaf span, alone []int) error {
	step, err := h.proveOn(leaf.low, leaf.high, h.minShare())
	if err != nil {
		return err
	}
	if step.cannot || step.Low <= h.minShare() {
		return h.wrongTurn(leaf)
	}
	high := reading{Interval: stats.Interval{Mean: f.Share.Mean + step.Mean, Low: math.Inf(-1), High: math.Inf(1)}}
	sets, put := f.Sets, alone
	at := reading{Interval: f.Share}
	for len(sets) < mostTogether && !slices.Equal(put, leaf.high) {
		next, _, err := h.narrow(span{put, leaf.high, at, high})
		if err != nil {
			return err
		}
		sets = append(sets, next.elements())
		together, ok, err := h.closed(union(put, next.elements()))
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		put = together
		if at, err = h.prove(put, Limit(step.Mean, h.minShare())); err != nil || at.cannot {
			return err
		}
		if says := Accept(PutBack, at.Interval, Limit(step.Mean, h.minShare())); says == Confirms || says == ConfirmsPart {
			return h.judgeNeeded(sets, put, Limit(step.Mean, h.minShare()))
		}
	}
	r, err := h.prove(leaf.high, h.minShare())
	if err != nil {
		return err
	}
	f.Blame, f.Sets, f.With, f.Share = OneOf, [][]int{leaf.high}, nil, r.Interval
	h.name(f, Accept(PutBackWith, f.Share, h.minShare()))
	return nil
}

// wrongTurn proves the ends of a span, as the search is to begin anew by what they say.
func (h *halving) wrongTurn(leaf span) error {
	for _, set := range [][]int{leaf.low, leaf.high} {
		if _, err := h.prove(set, leaf.at.Mean+leaf.step()/2); err != nil {
			return err
		}
	}
	return errWrongTurn
}

// judgeNeeded is for sets that together take a share away: those are named that it takes,
// which is asked of each on top of the others.
func (h *halving) judgeNeeded(sets [][]int, put []int, limit float64) error {
	if len(union(nil, slices.Concat(sets...))) < len(put) { // others came along that it could be owed to
		sets = nil
	}
	for _, set := range slices.Clone(sets) {
		rest, ok, err := h.closed(minus(put, set))
		if err != nil {
			return err
		}
		if !ok || len(minus(set, rest)) < len(set) {
			sets = nil // they don't come apart
			break
		}
		r, err := h.proveOn(rest, put, limit)
		if err != nil {
			return err
		}
		if says := Accept(PutBack, r.Interval, limit); !r.cannot && says != Confirms && says != ConfirmsPart {
			put = rest
			sets = slices.DeleteFunc(slices.Clone(sets), func(s []int) bool { return slices.Equal(s, set) })
		}
	}
	f := Finding{Blame: Together, Sets: sets}
	by := PutBack
	switch {
	case len(sets) == 0:
		f.Blame, f.Sets, by = OneOf, [][]int{put}, PutBackWith
	case len(sets) == 1 && len(put) == 1:
		f.Blame = Alone
	case len(sets) == 1:
		f.Blame, by = OneOf, PutBackWith
	}
	r, err := h.prove(put, limit)
	if err != nil {
		return err
	}
	f.Share = r.Interval
	h.name(f, Accept(by, r.Interval, limit))
	return nil
}

// judgeSpread proves what was found to be spread over many, as one.
func (h *halving) judgeSpread() error {
	if len(h.spread) == 0 {
		return nil
	}
	all, ok, err := h.closed(h.spread)
	if err != nil || !ok {
		return err
	}
	r, err := h.prove(all, h.minShare())
	if err != nil || r.cannot {
		return err
	}
	f := Finding{Blame: Spread, Sets: [][]int{all}, Share: r.Interval}
	h.name(f, Accept(PutBackWith, r.Interval, h.minShare()))
	return nil
}

func (h *halving) name(f Finding, says Acceptance) {
	f.Accepted = says
	if says != Confirms && says != ConfirmsPart {
		h.suspect(f, says)
		return
	}
	same := func(g Finding) bool { return slices.Equal(f.Set(), g.Set()) }
	if !slices.ContainsFunc(h.Culprits, same) {
		h.Culprits = append(h.Culprits, f)
	}
}

func (h *halving) suspect(f Finding, says Acceptance) {
	f.Accepted = says
	h.Suspects = append(h.Suspects, f)
}

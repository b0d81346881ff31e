package finder

import "slices"

// mostTogether is how many sets are looked for that only together take a share away.
const mostTogether = 4

// judge proves what a span came down to. It is not believed for its step alone: that is
// the work of few samples, and of others that are put back with it.
func (h *halving) judge(leaf span, spread bool) error {
	left := leaf.elements()
	blame := OneOf
	switch {
	case spread:
		blame = Spread
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
	switch says := Accept(evidence(f, alone), f.Share, limit); {
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

// judgePair proves what can't be put back for itself: by what is gone with it, and is
// not without it, and nothing else is between the two. Where that does not tell, it is
// one of those that were put back.
func (h *halving) judgePair(f Finding, without, with []int) error {
	limit := h.minShare()
	high, err := h.prove(with, limit)
	if err != nil || high.cannot {
		if err == nil {
			h.suspect(f, Open)
		}
		return err
	}
	low, err := h.prove(without, high.Mean/2)
	if err != nil {
		return err
	}
	if !low.cannot {
		f.With = without
		f.Share = surelyBetween(high.Interval, low.Interval)
		e := PutBack
		if f.Blame != Alone {
			e = PutBackWith
		}
		if says := Accept(e, f.Share, Limit(f.Share.Mean, h.minShare())); says == Confirms || says == ConfirmsPart {
			h.name(f, says)
			return nil
		}
	}
	f = Finding{Blame: OneOf, Sets: [][]int{with}, Share: high.Interval}
	if says := Accept(PutBackWith, f.Share, limit); says == ConfirmsPart {
		h.name(f, says)
	} else {
		h.suspect(f, says)
	}
	return nil
}

// judgeTogether is for what takes nothing away alone and did so on top of others: these
// are looked for among them. If that step is not there when it is proved it was
// a wrong turn, and the search goes back to where the proofs lead.
func (h *halving) judgeTogether(f Finding, leaf span, alone []int) error {
	high, err := h.prove(leaf.high, leaf.at.Mean+leaf.step()/2)
	if err != nil {
		return err
	}
	low, err := h.prove(leaf.low, leaf.at.Mean+leaf.step()/2)
	if err != nil {
		return err
	}
	step := surelyBetween(high.Interval, low.Interval)
	if high.cannot || low.cannot || step.Low <= h.minShare() {
		return errWrongTurn
	}
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
		f = Finding{Blame: Together, Sets: slices.Clone(sets), Share: at.Interval, With: minus(put, union(nil, slices.Concat(sets...)))}
		says := Accept(PutBack, f.Share, Limit(step.Mean, h.minShare()))
		if says != Confirms && says != ConfirmsPart {
			continue
		}
		return h.judgeLast(f, next, says)
	}
	f.Blame, f.Sets, f.With, f.Share = OneOf, [][]int{leaf.high}, nil, high.Interval
	h.name(f, Accept(PutBackWith, f.Share, h.minShare()))
	return nil
}

// judgeLast makes sure that the set found last does not do it all for itself.
func (h *halving) judgeLast(f Finding, last span, says Acceptance) error {
	if len(f.With) > 0 { // which it could be owed to
		h.name(Finding{Blame: OneOf, Sets: [][]int{union(f.Set(), f.With)}, Share: f.Share}, ConfirmsPart)
		return nil
	}
	alone, ok, err := h.closed(last.elements())
	if err != nil {
		return err
	}
	if ok && slices.Equal(alone, last.elements()) {
		limit := Limit(f.Share.Mean, h.minShare())
		r, err := h.prove(alone, limit)
		if err != nil {
			return err
		}
		g := Finding{Blame: OneOf, Sets: [][]int{alone}, Share: r.Interval}
		if len(alone) == 1 {
			g.Blame = Alone
		}
		if a := Accept(evidence(g, alone), r.Interval, limit); !r.cannot && (a == Confirms || a == ConfirmsPart) {
			h.name(g, a)
			return nil
		}
	}
	h.name(f, says)
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

package hunt

import (
	"cmp"
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/stats"
)

// maxSuspects is how many functions are probed at once. With more, the probes
// would be most of what runs; the layers lead there too.
const maxSuspects = 100

// enoughOf is the share of a suspect's difference that a suspect beneath it must
// have to be looked at in its place, and the share of the whole that the suspects
// chosen must explain. With less, the search goes through the layers from the top.
const enoughOf = 0.6

// suspect is a function that differs and that is reached, with what its body was
// measured to gain.
type suspect struct {
	part
	delta stats.Comparison
	share float64 // of the whole difference; 1 for the only suspect
	anew  bool    // bad was seen to call it, and good was not
}

// suspects lists the functions whose source differs between the revisions and that what
// is timed can reach, on either side, or if there are none, what the workload can; those
// of dependencies in another version, too. Of a declaration with literals it is those of
// them that differ: what sets up handlers is run once, and what it makes of them for
// every operation.
func (h *hunt) suspects(ctx context.Context) ([]part, error) {
	if _, err := h.openChanged(ctx, h.good, h.bad); err != nil {
		return nil, err
	}
	list := h.changedDependencies()
	own := h.ownSuspects(list, h.reachedWhileTimed())
	if len(list) == 0 && len(own) == 0 {
		own = h.ownSuspects(nil, h.reached())
	}
	return append(list, own...), nil
}

// ownSuspects are those of the main module that are reached and not known yet.
func (h *hunt) ownSuspects(known []part, reached map[*callgraph.Function]bool) (list []part) {
	for _, s := range h.differing() {
		if !s.Good.HasBody() || !s.Bad.HasBody() {
			continue
		}
		p := h.unwrap(part{goodFunc: s.Good, badFunc: s.Bad})
		again := slices.ContainsFunc(slices.Concat(known, list), func(q part) bool { return outermost(q.badFunc) == p.badFunc })
		if again || !reached[p.goodFunc] && !reached[p.badFunc] {
			continue
		}
		for _, d := range change.Parts(change.Functions{Good: p.goodFunc, Bad: p.badFunc}) {
			list = append(list, part{goodFunc: d.Good, badFunc: d.Bad})
		}
	}
	return list
}

// oneDeclaration is the only declaration that suspects lie in, or the only suspect; not ok
// where there are several.
func oneDeclaration(list []part) (only part, ok bool) {
	if len(list) == 1 {
		return list[0], true
	}
	only = part{goodFunc: outermost(list[0].goodFunc), badFunc: outermost(list[0].badFunc)}
	return only, !slices.ContainsFunc(list, func(p part) bool { return outermost(p.badFunc) != only.badFunc })
}

// outermost is the declaration that a literal lies in, or the function itself.
func outermost(fn *callgraph.Function) *callgraph.Function {
	for fn.Outer != nil {
		fn = fn.Outer
	}
	return fn
}

// measureSuspects times the bodies of all suspects in one campaign and gives
// those that gained, largest first.
func (h *hunt) measureSuspects(ctx context.Context, list []part, parallel bool) ([]suspect, stats.Comparison, error) {
	f := &frame{name: "what differs", parts: list, nested: true, parallel: parallel}
	h.frames[f.name] = f
	if err := h.buildFrame(ctx, f); err != nil {
		return nil, stats.Comparison{}, err
	}
	// A suspect that could not be probed is left to the layers.
	reading, err := h.measure(stats.Search)(ctx, h.layer(f), finder.Region{To: len(f.parts)}, singles(len(f.parts)))
	if err != nil {
		return nil, stats.Comparison{}, err
	}
	h.report.Search.Comparisons++
	whole := reading.Whole
	if whole.Verdict == stats.Unknown {
		// That bad is slower is known; these few processes were too noisy to see it.
		whole.Diff = h.whole.Comparison.Diff
	}
	var guilty []suspect
	for i, c := range reading.Parts {
		if c.Verdict == stats.Slower && c.Diff.Mean >= minShare*whole.Diff.Mean {
			good, bad := h.seen[f].calls(i)
			guilty = append(guilty, suspect{f.parts[i], c, min(1, c.Diff.Mean/whole.Diff.Mean), good == 0 && bad > 0})
		}
	}
	slices.SortStableFunc(guilty, func(a, b suspect) int { return cmp.Compare(b.delta.Diff.Mean, a.delta.Diff.Mean) })
	return guilty, whole, nil
}

// choose picks, of the guilty suspects, those to look into: from each one down to
// the deepest that still has most of its difference. Nil when these don't explain
// most of the whole.
func (h *hunt) choose(guilty []suspect, whole stats.Comparison, stacks []stack) []suspect {
	var chosen []suspect
	explained := 0.0
	for _, s := range guilty {
		d := h.deepest(s, guilty, stacks)
		known := slices.ContainsFunc(chosen, func(c suspect) bool {
			return c.badFunc == d.badFunc || h.beneath(stacks, d, c) || h.beneath(stacks, c, d)
		})
		if !known {
			chosen = append(chosen, d)
			explained += d.delta.Diff.Mean
		}
	}
	contradicted := whole.Verdict == stats.Same || whole.Verdict == stats.Faster
	if contradicted || explained < enoughOf*whole.Diff.Mean {
		return nil
	}
	return chosen
}

// deepest ends after as many steps as there are suspects: what a few stacks of a
// recursion say of who is beneath whom may go round in a circle.
func (h *hunt) deepest(s suspect, guilty []suspect, stacks []stack) suspect {
	for range guilty {
		next := slices.IndexFunc(guilty, func(t suspect) bool {
			return t.badFunc != s.badFunc && h.beneath(stacks, s, t) && t.delta.Diff.Mean >= enoughOf*s.delta.Diff.Mean
		})
		if next < 0 {
			return s
		}
		s = guilty[next]
	}
	return s
}

// askedFor reports whether a suspect is one that good does not call, and others that
// gained lead to it: that it is called at all is then what they do otherwise.
func (h *hunt) askedFor(s suspect, guilty []suspect) bool {
	return s.anew && slices.ContainsFunc(guilty, func(t suspect) bool {
		return t.badFunc != s.badFunc && h.beneath(h.stacks, t, s)
	})
}

// beneath says whether b runs beneath a and not the other way round: as seen at
// run time or, where the profile has not seen b, as the source has it.
func (h *hunt) beneath(stacks []stack, a, b suspect) bool {
	if pathTo(stacks, b.badFunc) != nil {
		return below(stacks, a.badFunc, b.badFunc) && !below(stacks, b.badFunc, a.badFunc)
	}
	reaches := func(a, b *callgraph.Function) bool { return slices.Contains(h.bad.prog.Reach(a), b) }
	return reaches(a.badFunc, b.badFunc) && !reaches(b.badFunc, a.badFunc)
}

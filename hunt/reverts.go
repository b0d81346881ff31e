package hunt

import (
	"cmp"
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
)

// tryReverts puts good's code back for one suspect after the other, and for pairs
// if none alone helps, and names the one that brings most of the difference back
// with the least that has to come along.
func (h *hunt) tryReverts(ctx context.Context, except string, parallel bool) error {
	_, err := h.tryAll(ctx, except, parallel)
	return err
}

// tryAll is tryReverts, and says whether all that differs was cleared: none was
// left out, and each was found to do little.
func (h *hunt) tryAll(ctx context.Context, except string, parallel bool) (cleared bool, err error) {
	all := h.ranked(except)
	list := all[:min(len(all), maxReverts)]
	if len(list) < len(all) {
		h.log.Warn("only %d of %d functions that differ were put back one by one", len(list), len(all))
	}
	best, little, err := h.tryEach(ctx, singly(list))
	cleared = len(little) == len(all)
	if best == nil && err == nil && len(list) <= maxPaired {
		// Two need each other only if either alone does little: one that was
		// merely not decided may do it all.
		best, _, err = h.tryEach(ctx, inPairs(little))
	}
	if best == nil {
		return cleared, err
	}
	if len(h.report.Culprits) > 0 {
		h.log.Warn("the probes see the cost in %s, where it is only paid", h.report.Culprits[0].Function)
	}
	h.report.Culprits = nil
	// What is proved counts, also when the time for the others was up.
	return cleared, cmp.Or(err, h.accuse(ctx, best, best.first(), parallel))
}

// tryEach puts back one set of suspects after the other and gives the best proof,
// nil if none is one, and the suspects that alone do little.
func (h *hunt) tryEach(ctx context.Context, sets [][]change.Suspect) (best *proof, little []change.Suspect, err error) {
	for _, set := range sets {
		p, err := h.reverted(ctx, set)
		if err == nil && best != nil && !slices.ContainsFunc(best.suspects, func(s change.Suspect) bool { return !p.takes(s) }) {
			continue // what is proved already came along: this one could be owed to it
		}
		if err == nil {
			err = h.settle(ctx, p, 1, last(compare.Searching))
		}
		if err != nil {
			if compare.Ends(ctx, err) {
				return best, little, err
			}
			continue // it does not compile, or does not run
		}
		if p.DoesLittle(1) && len(set) == 1 {
			little = append(little, set[0])
		}
		if !p.SpeaksFor(1) {
			continue
		}
		if p.better(best) {
			best = p
		}
		if p.closure() == len(set) {
			break // nothing came along that it could be owed to
		}
	}
	return best, little, nil
}

func singly(list []change.Suspect) [][]change.Suspect {
	var sets [][]change.Suspect
	for _, s := range list {
		sets = append(sets, []change.Suspect{s})
	}
	return sets
}

func inPairs(list []change.Suspect) [][]change.Suspect {
	var sets [][]change.Suspect
	for i, s := range list {
		for _, t := range list[i+1:] {
			sets = append(sets, []change.Suspect{s, t})
		}
	}
	return sets
}

// clearUnreached puts good's code back, all together, for functions that differ and that
// the workload was not seen to reach, and says whether they were cleared. What the source
// doesn't tell, such as a handler in a table, may reach them all the same.
func (h *hunt) clearUnreached(ctx context.Context) (cleared bool, err error) {
	list := h.unreached()
	if len(list) == 0 {
		return true, nil
	}
	p, err := h.putBack(ctx, 1, last(compare.Searching), list...)
	if err != nil {
		if compare.Ends(ctx, err) {
			return false, err
		}
		return false, nil // it does not compile, or does not run
	}
	return p.DoesLittle(1), nil
}

// unreached are the functions that differ, are linked, and are not reached.
func (h *hunt) unreached() []change.Suspect {
	reached := h.reached()
	return slices.DeleteFunc(h.differing(), func(s change.Suspect) bool { return reached[s.Good] || reached[s.Bad] })
}

// differing are the functions that both revisions have and whose code is not the same.
func (h *hunt) differing() []change.Suspect {
	return slices.DeleteFunc(h.change().Suspects(), func(s change.Suspect) bool {
		return s.Kind != change.Func || s.Good == nil || s.Bad == nil
	})
}

// ranked lists the suspects to put back, those first that the profile saw most
// often as the deepest suspect on the stack: one further up may need the code of
// the one below to compile, and would be owed its merit.
func (h *hunt) ranked(except string) []change.Suspect {
	reached := h.reached()
	list := slices.DeleteFunc(h.differing(), func(s change.Suspect) bool {
		return s.Name == except || !reached[s.Good] && !reached[s.Bad]
	})
	weight := make(map[*callgraph.Function]int64)
	for _, st := range h.stacks {
		for _, at := range slices.Backward(st.sites) {
			fn := outermost(at.fn)
			if slices.ContainsFunc(list, func(s change.Suspect) bool { return s.Bad == fn }) {
				weight[fn] += st.weight
				break
			}
		}
	}
	slices.SortStableFunc(list, func(a, b change.Suspect) int { return cmp.Compare(weight[b.Bad], weight[a.Bad]) })
	return list
}

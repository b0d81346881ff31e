package hunt

import (
	"cmp"
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
)

// drowned is the difference, in ns per operation, below which the probes of a few
// functions cost as much as is looked for. Only putting good's code back, which
// takes no probe, tells such functions apart.
const drowned = 250

// probesDrown says whether probes cost as much as what is looked for. Those that
// read the CPU time ask the system for it.
func (h *hunt) probesDrown() bool {
	return h.sampler.Quantity.Meter == instrument.MeterCPU || h.sampler.Quantity.IsTime() && h.whole.Comparison.Diff.Mean < drowned
}

// jump goes straight to what differs. Blame falls on code that differs, and that
// is little: the functions whose source is not the same in both revisions. One of
// them is put back as it was in good at once; several are first timed together,
// to see which of them gained. What that brings back is the proof. Only where it
// proves nothing are the layers gone through, first from the suspect down.
//
// It reports whether that answered; if not, nothing is lost but a few seconds,
// and the layers are gone through from the top.
func (h *hunt) jump(ctx context.Context, parallel bool) (bool, error) {
	list, err := h.suspects(ctx)
	if err != nil {
		return false, err
	}
	if len(list) == 0 {
		return false, nil
	}
	if only, ok := oneDeclaration(list); ok {
		_, err := h.try(ctx, suspect{part: only, share: 1}, true, nil, nil, parallel)
		return len(h.report.Culprits) > 0, err
	}
	if err := h.lookAround(ctx); err != nil {
		return false, err
	}
	if err := h.tryFavourite(ctx, list, parallel); err != nil || len(h.report.Culprits) > 0 {
		return len(h.report.Culprits) > 0, err
	}
	if len(list) > maxSuspects {
		return false, nil
	}
	if len(list) <= maxReverts && h.probesDrown() {
		if err := h.tryReverts(ctx, "", parallel); err != nil || len(h.report.Culprits) > 0 {
			return len(h.report.Culprits) > 0, err
		}
	}
	guilty, whole, err := h.measureSuspects(ctx, list, parallel)
	if err == nil {
		h.gained = guilty
		err = h.tryGuilty(ctx, guilty, whole, make(map[*callgraph.Function]bool), parallel)
	}
	return len(h.report.Culprits) > 0, err
}

// listGained says of a search that named nobody which functions that differ were seen
// to take longer. It is where to look on, and accuses none of them.
func (h *hunt) listGained() {
	if len(h.report.Culprits) > 0 {
		return
	}
	for _, s := range h.gained[:min(len(h.gained), mostListed)] {
		h.report.Undecided = append(h.report.Undecided, report.Undecided{
			Function: s.badFunc.Name, Position: h.position(s.badFunc.Pos), Delta: *h.delta(s.delta),
		})
	}
	if len(h.gained) > 0 {
		h.log.Warn("of the functions that differ, those listed as not decided were seen to take longer; none was proved to be the cause")
	}
}

// mostListed is how many of them are of use to a reader.
const mostListed = 5

// tryGuilty tries the suspects that gained, the deepest first, but for those tried
// before. One that turns out to be innocent makes room at once for what calls it, and
// asks it for more: that is where most of the difference may be.
func (h *hunt) tryGuilty(ctx context.Context, guilty []suspect, of stats.Comparison, tried map[*callgraph.Function]bool, parallel bool) error {
	var rest []suspect // that were chosen with one that was cleared
	for {
		chosen := append(h.choose(guilty, of, h.stacks), rest...)
		cleared, err := h.tryChosen(ctx, chosen, guilty, tried, parallel)
		if err != nil || cleared < 0 {
			return err
		}
		innocent := chosen[cleared].badFunc
		rest = chosen[cleared+1:]
		guilty = slices.DeleteFunc(slices.Clone(guilty), func(s suspect) bool { return s.badFunc == innocent })
	}
}

// tryChosen tries suspects, until one is cleared, of which it gives the index; -1 if none
// is.
func (h *hunt) tryChosen(ctx context.Context, chosen, guilty []suspect, tried map[*callgraph.Function]bool, parallel bool) (cleared int, err error) {
	for i, s := range chosen {
		if tried[s.badFunc] {
			continue
		}
		tried[s.badFunc] = true
		alone := !slices.ContainsFunc(chosen, func(t suspect) bool {
			return t.badFunc != s.badFunc && t.badFunc.Module() == s.badFunc.Module()
		})
		innocent, err := h.try(ctx, s, alone, guilty, tried, parallel)
		if err != nil {
			return -1, err
		}
		if innocent {
			return i, nil
		}
	}
	return -1, nil
}

// try puts good's code for a suspect back, and looks beneath it where that says neither
// yes nor no. Of a dependency, whose version is put back, only a suspect that is alone
// in it can be tried. It reports whether the suspect was cleared; one that is called
// anew and that its own code does not speak for clears the way to who calls it.
func (h *hunt) try(ctx context.Context, s suspect, alone bool, guilty []suspect, tried map[*callgraph.Function]bool, parallel bool) (innocent bool, err error) {
	p, err := h.putBackFunction(ctx, s.badFunc, s.share, last(compare.Searching))
	if err == nil && p == nil && alone {
		p, err = h.putBackVersion(ctx, s.badFunc, s.share, last(compare.Searching))
	}
	switch {
	case err != nil:
		return false, err
	case (p == nil || p.Unclear(s.share)) && h.askedFor(s, guilty):
		return true, nil
	case p == nil || p.Unclear(s.share):
		return false, h.lookBeneath(ctx, s, p, guilty, tried, parallel)
	case p.SpeaksAgainst(s.share):
		h.log.Warn("%s differs and takes longer, but bad is as slow with good's code for it: what it takes longer is not its own doing", s.badFunc.Name)
		return true, nil
	}
	return false, h.accuse(ctx, p, s.part, parallel)
}

// lookBeneath is for a suspect whose code alone says neither yes nor no. Where most of
// what it gained is in several suspects beneath it, each of them is tried for its own
// share, and the rest is the suspect's if its proof speaks for so much; else it is
// searched layer by layer.
func (h *hunt) lookBeneath(ctx context.Context, s suspect, p *proof, guilty []suspect, tried map[*callgraph.Function]bool, parallel bool) error {
	beneath := slices.DeleteFunc(slices.Clone(guilty), func(t suspect) bool { return !h.beneath(h.stacks, s, t) })
	known := len(h.report.Culprits)
	if err := h.tryGuilty(ctx, beneath, s.delta, tried, parallel); err != nil {
		return err
	}
	if len(h.report.Culprits) == known {
		return h.look(ctx, s, parallel)
	}
	rest := s.share
	for _, c := range h.report.Culprits[known:] {
		rest -= c.Share
	}
	if p != nil && rest >= minShare && p.SpeaksFor(rest) && p.Recovered.Mean <= rest+minShare {
		return h.accuse(ctx, p, s.part, parallel)
	}
	return nil
}

// lookAround profiles bad once, for who calls whom.
func (h *hunt) lookAround(ctx context.Context) (err error) {
	if h.stacks == nil {
		h.stacks, err = h.profile(ctx, h.bad)
	}
	return err
}

// look searches one suspect, and measures how the timed function leads to it.
func (h *hunt) look(ctx context.Context, s suspect, parallel bool) error {
	path, err := h.pathTo(ctx, s.badFunc)
	if err != nil {
		return err
	}
	root, err := h.newFrame(nil, 0, s.goodFunc, s.badFunc)
	if err != nil {
		return err
	}
	if len(root.parts) == 0 && len(path) > 1 {
		// A function that calls nothing is proved by the call to it.
		caller := path[len(path)-2].fn
		good, ok := h.change().InGood(caller)
		if !ok {
			return nil
		}
		path = path[:len(path)-1]
		if root, err = h.newFrame(nil, 0, good, caller); err != nil {
			return err
		}
	}
	root.parallel = parallel
	root.body = h.bodyProbed(root.bad, parallel)
	h.frames[root.name] = root
	if err := h.buildFrame(ctx, root); err != nil {
		return err
	}
	result, err := h.finder(finder.Sweep).Run(ctx, h.layer(root))
	if err != nil || result.Verdict != stats.Slower {
		return err
	}
	chain, _, err := h.measureChain(ctx, path, part{}, parallel)
	h.assemble(result, s.share, chain)
	return cmp.Or(result.Err, err)
}

package hunt

import (
	"context"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// direct goes straight to what differs. Blame falls on code that differs, and that
// is little: it is searched by halves, each put back as it was in good, and what that
// brings back is the proof. Where that names nobody nothing is lost but a few seconds, and
// the layers are gone through.
func (h *hunt) direct(ctx context.Context) (out findings, err error) {
	if err := h.openLab(ctx); err != nil || len(h.lab.Elements) == 0 {
		return out, err
	}
	if h.onlyToolchain() {
		return h.byToolchain(ctx)
	}
	if err := h.weigh(ctx); err != nil {
		return out, err
	}
	h.lab.Proved = h.announceProof
	found := h.lab.Search(ctx)
	out.comparisons = found.Tries + found.Proofs
	h.notSource = found.NotSource
	for _, f := range ofOneFunction(h.lab.Elements, found.Culprits, h.lab.Of) {
		named, err := h.accuseAny(ctx, f)
		if out = out.and(named); err != nil {
			return out, err
		}
	}
	if len(out.culprits) == 0 {
		out.undecided = h.suspects(found)
	}
	return out, found.Err
}

// suspects are what a search that proved nobody came to. It accuses none of them.
func (h *hunt) suspects(found finder.Found) (list []report.Undecided) {
	for _, f := range found.Suspects {
		for _, i := range f.Set() {
			if e := h.lab.Elements[i]; len(list) < mostListed {
				list = append(list, h.undecided(e, h.lab.Of(f.Set())))
			}
		}
	}
	switch {
	case found.NotSource:
		h.Log.Warn("with good's code for all that differs and can be put back, bad is as slow: what makes it slow is not in the source, or in what can't be put back")
	case len(found.Suspects) > 0:
		h.Log.Warn("of what differs, those listed as not decided were seen to make a part of the difference; none was proved to be the cause")
	}
	return list
}

// undecided is an element that a search came to, with what was seen of what it was put
// back in.
func (h *hunt) undecided(e prove.Element, comp *prove.Composition) report.Undecided {
	u := report.Undecided{Function: e.Name()}
	if f, ok := e.Function(); ok {
		u.Function, u.Position = f.Bad.Name, h.Position(f.Bad.Pos)
	}
	if comp != nil {
		u.Delta = *h.Sampler.Delta(comp.Trial.Comparison)
	}
	return u
}

// mostListed is how many of them are of use to a reader.
const mostListed = 5

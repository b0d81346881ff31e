package finder

import (
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// Settled says whether more pairs could still change where the search goes.
// They could while nothing is found guilty and something undecided may be, and
// while an undecided part looks as large as one that is worth following. A
// part that looks small and is only not proved to be is left undecided: proving
// it would take most of the samples of a hunt, and the report names it. minShare is the smallest
// share of the whole difference that is worth following.
func (r Reading) Settled(minShare float64) bool {
	candidates := r.Parts
	if r.Own != nil {
		candidates = append(slices.Clone(candidates), *r.Own)
	}
	matters := minShare * r.Whole.Diff.Mean
	guilty, looksLarge, mayBeLarge := false, false, false
	for _, c := range candidates {
		switch c.Verdict {
		case stats.Slower:
			guilty = guilty || c.Diff.Mean >= matters
		case stats.Unknown:
			looksLarge = looksLarge || c.Diff.Mean >= matters
			mayBeLarge = mayBeLarge || c.Diff.High >= matters
		}
	}
	if guilty && r.Whole.Verdict != stats.Unknown {
		return !looksLarge
	}
	return !mayBeLarge && r.Whole.Verdict != stats.Unknown
}

// Decided says whether the one thing that a confirmation is about is decided:
// a part, or, where no part was asked for, the function's own code.
func (r Reading) Decided() bool {
	switch {
	case len(r.Parts) > 0:
		return r.Parts[0].Verdict != stats.Unknown
	case r.Own != nil:
		return r.Own.Verdict != stats.Unknown
	}
	return r.Whole.Verdict != stats.Unknown
}

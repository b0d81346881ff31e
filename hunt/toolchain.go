package hunt

import (
	"context"
	"slices"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// accuseAny names what was proved: code, or what it is compiled by.
func (h *hunt) accuseAny(ctx context.Context, f finder.Finding) (findings, error) {
	first := h.mostLikely(f.Set())
	switch s := h.lab.Elements[first].Setting; {
	case s == nil:
		culprits, err := h.accuse(ctx, f)
		return findings{culprits: culprits}, err
	case s.Toolchain == nil:
		return findings{culprits: h.accuseSetting(f, first, f.Share.Mean)}, nil
	}
	return h.accuseToolchain(ctx, f.Share.Mean, func(left float64) []report.Culprit { return h.accuseSetting(f, first, left) })
}

// byToolchain accuses what of the toolchain makes the difference where nothing else differs:
// bad's source compiled by good's toolchain is good, so nothing has to be put back to
// prove that it is the toolchain.
func (h *hunt) byToolchain(ctx context.Context) (findings, error) {
	s, whole := h.lab.Elements[0].Setting, h.Sampler.Delta(h.whole.Comparison)
	return h.accuseToolchain(ctx, 1, func(left float64) []report.Culprit {
		c := report.Culprit{
			Function: s.Name, Position: s.Position, Kind: report.Built, Share: left, Delta: *whole, Confirming: whole, How: report.ByPutBack,
			Stop: "both sides are of one source and differ in nothing else", Confirmed: true,
		}
		h.announce(c)
		return built(c)
	})
}

// onlyToolchain says whether the sides differ in nothing but their toolchains.
func (h *hunt) onlyToolchain() bool {
	list := h.lab.Elements
	return len(list) == 1 && list[0].Setting != nil && list[0].Setting.Toolchain != nil && h.Good.Key == h.Bad.Key
}

// accuseSetting names what bad is compiled by, in the place of code, for a share of the
// difference.
func (h *hunt) accuseSetting(f finder.Finding, first int, share float64) []report.Culprit {
	comp := h.lab.Of(f.Set())
	if comp == nil {
		return nil
	}
	s := h.lab.Elements[first].Setting
	c := h.proved(comp, f.Share, change.Functions{Bad: h.Bad.Timed})
	c.Function, c.Position, c.Kind, c.Share = s.Name, s.Position, report.Built, share
	c.Stop = "bad's source compiled " + s.Back + " takes the difference away"
	c.Confirmed = f.Blame != finder.OneOf && f.Blame != finder.Spread
	h.testify(&c, comp, f, first)
	h.announce(c)
	return built(c)
}

// built is a culprit that is no code.
func built(c report.Culprit) []report.Culprit {
	c.Chain = []report.Step{ownStep(&c)}
	c.Chain[0].Call = "(what is compiled by it)"
	return []report.Culprit{c}
}

// spared is the part of the time left, one of so many, that the search leaves for what the
// compilers decided: where it ends early, that is all there is to say.
const spared = 8

// accuseToolchain names what of another toolchain makes a share of the difference: functions
// of the standard library, which are searched as the module's own are, and for what is
// left the toolchain itself.
func (h *hunt) accuseToolchain(ctx context.Context, whole float64, itself func(left float64) []report.Culprit) (findings, error) {
	outer, budget := h.lab, h.Sampler.Budget
	release := budget.Reserve(min(mostEvidence, budget.Left()/spared))
	out, open, err := h.searchStandard(ctx)
	release()
	h.lab = outer
	named, share := len(out.culprits), whole
	for _, c := range out.culprits {
		share -= c.Share
	}
	if named > 0 && (err != nil || share < prove.MinShare*whole) {
		return out, err
	}
	left := itself(share)
	if len(left) == 0 {
		return out, err
	}
	added := ""
	if err == nil && len(open) == 0 {
		added, err = h.onlyInBad(ctx, prove.MinShare)
	}
	c := &left[0]
	if named > 0 { // what is left was not put back by itself
		part, d := share/whole, &c.Delta
		d.Diff = report.Interval{Mean: part * d.Diff.Mean, Low: part * d.Diff.Low, High: part * d.Diff.High}
		d.Good, d.Ratio, c.Confirmed = d.Bad-d.Diff.Mean, nil, false
		c.Chain[0].Share, c.Chain[0].Delta = share, d
	}
	switch {
	case err != nil:
		c.AttestAll("toolchain", "whether it is a function of the standard library, code generation or the runtime was not found out: "+harness.FirstLine(err))
	case len(open) > 0:
		c.AttestAll("toolchain", "whether it is the standard library, code generation or the runtime is not known: putting good's code back can't be done in bad's library, or showed nothing sure, for what differs and runs of it, first what profiles see most of the difference in: "+text.Join(open, ", ", mostListed))
	case added != "":
		c.AttestAll("toolchain", "whether it is the standard library, code generation or the runtime is not known: "+added+", which only bad's library has: it can't be put back")
	case named > 0:
		c.AttestAll("toolchain", "this share is left with good's code for what is named of the standard library: it is code generation or the runtime")
	default:
		c.AttestAll("toolchain", "code generation or runtime: good's code for what differs of the standard library and is seen to run does not take it away")
	}
	out.culprits = append(out.culprits, left...)
	return out, err
}

// searchStandard searches what differs between the standard libraries and is reached, and
// accuses what it proves. It names what it could neither accuse nor clear.
func (h *hunt) searchStandard(ctx context.Context) (out findings, open []string, err error) {
	h.Log.Phase("opening the standard libraries of both toolchains")
	seen, err := h.recorder.Packages(ctx)
	if err != nil {
		return out, nil, err
	}
	if err := h.OpenStandard(ctx, seen[:min(len(seen), maxOpened)], maxOpened); err != nil {
		return out, nil, err
	}
	h.recorder.Forget()
	reach := prove.Reach{Timed: h.ReachedWhileTimed(), All: h.Reached(), Data: h.UsedData()}
	h.lab = prove.New(prove.Lab{
		Whole: h.whole, Orders: h.Orders, Composer: prove.In(h.change(), h.Bad.Revision, h.Temp.Path),
		Elements: prove.Standard(h.change(), reach), Proved: h.announceProof,
	})
	if err := h.keepSeen(ctx); err != nil {
		return out, nil, err
	}
	// Functions are not taken apart: type-checking that took 45 seconds of one hunt.
	if len(h.lab.Elements) == 0 {
		return out, nil, nil
	}
	if err := h.weigh(ctx); err != nil {
		return out, nil, err
	}
	found := h.lab.Search(ctx)
	out.comparisons = found.Tries + found.Proofs
	for _, f := range found.Culprits {
		named, err := h.accuse(ctx, f)
		if out.culprits = append(out.culprits, named...); err != nil {
			return out, nil, err
		}
	}
	return out, h.mostGained(found.Undecided), found.Err
}

// keepSeen leaves of what differs what the profiles of both sides see, where they see any of
// it: releases of Go differ in hundreds of functions that a workload reaches, and of which
// it spends no time in most.
func (h *hunt) keepSeen(ctx context.Context) error {
	stacks, err := h.recorder.Both(ctx)
	if err != nil {
		return err
	}
	good, _ := profile.Inclusive(stacks.Good)
	bad, _ := profile.Inclusive(stacks.Bad)
	unseen := func(e prove.Element) bool {
		f, ok := e.Function()
		return !ok || good[f.Good] == 0 && bad[f.Bad] == 0
	}
	if seen := slices.DeleteFunc(slices.Clone(h.lab.Elements), unseen); len(seen) > 0 {
		h.lab.Elements = seen
	}
	return nil
}

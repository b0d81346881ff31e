package hunt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/revert"
)

// maxReverts is how many suspects are put back one by one, and maxPaired how many
// in pairs, if none alone brings the difference back.
const (
	maxReverts = 8
	maxPaired  = 4
)

// change is what lies between the revisions, worked out once.
func (h *hunt) change() *change.Change {
	if h.between == nil {
		h.between = change.Between(h.good.prog, h.bad.prog)
	}
	return h.between
}

// putBack builds bad with good's code for one suspect, or several together, and
// holds it against bad, on fresh processes. Nothing is probed: this is what the
// user would measure.
func (h *hunt) putBack(ctx context.Context, share float64, most int, suspects ...change.Suspect) (*proof, error) {
	p, err := h.reverted(ctx, suspects)
	if err != nil {
		return nil, err
	}
	return p, h.settle(ctx, p, share, most)
}

// reverted is bad with good's code for suspects, with what is known of it so far.
func (h *hunt) reverted(ctx context.Context, suspects []change.Suspect) (*proof, error) {
	key, name := namesOf(suspects)
	if known := h.proofs[key]; known != nil {
		return known.again(), nil
	}
	p, err := h.revert(ctx, name, suspects)
	if err != nil {
		return nil, err
	}
	if same := h.composed(p.plan); same != nil {
		return p.asIn(same), nil
	}
	return p, nil
}

// settle measures a proof until it speaks for or against a share, if it does not yet, but
// with most pairs at most.
func (h *hunt) settle(ctx context.Context, p *proof, share float64, most int) error {
	key, name := p.names()
	if len(p.bad) == 0 || p.Unclear(share) && len(p.bad) < most {
		if err := h.holdAgainst(ctx, p, share, most, "bad with good's "+name); err != nil {
			return err
		}
	}
	h.proofs[key] = p
	return nil
}

// composed is the proof, of those with the same code back, that was measured most; nil
// if there is none. Where one function does not compile without another, it is the same
// for both.
func (h *hunt) composed(plan revert.Plan) (most *proof) {
	for _, p := range h.proofs {
		if p.module == nil && p.plan.Same(plan) && (most == nil || len(p.bad) > len(most.bad)) {
			most = p
		}
	}
	return most
}

// namesOf tells suspects from others, and names them to a reader.
func namesOf(suspects []change.Suspect) (key, name string) {
	var names []string
	for _, s := range suspects {
		names = append(names, s.Name)
	}
	key = strings.Join(names, " and ")
	if len(names) > maxPaired {
		return key, fmt.Sprintf("%d functions that are not seen to be reached", len(names))
	}
	return key, key
}

// revert builds bad with good's code for suspects.
func (h *hunt) revert(ctx context.Context, name string, suspects []change.Suspect) (*proof, error) {
	h.log.Phase("putting good's " + name + " back")
	p := &proof{suspects: suspects}
	var err error
	p.plan, err = revert.Try(ctx, h.change(), suspects, func(ctx context.Context, plan revert.Plan) (err error) {
		p.build = func(ctx context.Context, bad *side) (harness.Binary, error) {
			return h.build(ctx, bad, plan.Files, 0)
		}
		p.binary, err = p.build(ctx, h.bad)
		return err
	})
	return p, err
}

// putBackFunction is putBack for a function of bad; nil when its code is the same
// in good, lies in another module, or does not compile in bad.
func (h *hunt) putBackFunction(ctx context.Context, fn *callgraph.Function, share float64, most int) (*proof, error) {
	s, err := h.change().Find(fn.Name)
	if err != nil || s.Kind != change.Func || s.Good == nil || s.Bad == nil || !h.differs(s.Good, s.Bad) {
		return nil, nil
	}
	if m := fn.Pkg.Module; m == nil || !m.Main {
		return nil, nil
	}
	p, err := h.putBack(ctx, share, most, s)
	if err != nil && !compare.Ends(ctx, err) {
		h.log.Warn("%s could not be tried with good's code: %s", fn.Name, firstLine(err))
		return nil, nil
	}
	return p, err
}

// putBackData puts good's constants, variables and types back that a function of bad
// refers to and whose own code is the same; nil unless that takes a share away.
func (h *hunt) putBackData(ctx context.Context, fn *callgraph.Function, share float64, most int) (*proof, error) {
	twin, ok := h.change().InGood(fn)
	if !ok {
		return nil, nil
	}
	good, bad := h.good.prog.Data(twin), h.bad.prog.Data(fn)
	list := slices.DeleteFunc(h.change().Suspects(), func(s change.Suspect) bool {
		was, before := good[s.Name]
		is, now := bad[s.Name]
		return s.Kind == change.Func || !before || !now || was == is
	})
	if len(list) == 0 || len(list) > maxPaired {
		return nil, nil
	}
	p, err := h.reverted(ctx, list)
	if err == nil && len(p.plan.Functions) > 0 {
		return nil, nil // which it could be owed to
	}
	if err == nil {
		err = h.settle(ctx, p, share, most)
	}
	switch {
	case err != nil && compare.Ends(ctx, err):
		return nil, err
	case err != nil || !p.SpeaksFor(share):
		return nil, nil
	}
	return p, nil
}

package layers

import (
	"context"
	"fmt"
	"time"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/instrument"
	"github.com/pinpoint-go/pinpoint/report"
)

// build makes the two probed binaries of a frame, both at the same time.
// A call that one side refuses is left out on the other too, or it would be
// measured as time against nothing; the refusal may only show when the file is
// rewritten, so the frame is known to be complete only after this. A metric that
// takes no probes takes no builds either.
func (pr *Prober) build(ctx context.Context, f *Layer) error {
	if f.isBuilt || pr.Sampler.Quantity.Profiled {
		return nil
	}
	if pr.Sampler.Budget.Left() <= 0 {
		return compare.ErrBudget
	}
	pr.Sampler.Log.Phase("building both revisions with probes in " + f.Name)
	refused, err := pr.Refuse(f)
	if err != nil {
		return err
	}
	pr.Refused = append(pr.Refused, refused...)
	pr.Opened++
	begin := time.Now()
	f.built, err = change.Both(pr.pair(), func(s *sides.Side) (harness.Binary, error) { return pr.buildSide(ctx, s, f) })
	pr.Sampler.Budget.Build = time.Since(begin)
	f.isBuilt = err == nil
	return err
}

// Refuse asks for all probes once and takes the parts out that either side
// refuses.
func (pr *Prober) Refuse(f *Layer) ([]report.Refused, error) {
	drop := make(map[int]instrument.Refusal)
	for _, s := range pr.Sides() {
		_, refused, err := pr.rewrite(s, f)
		if err != nil {
			return nil, err
		}
		for _, r := range refused {
			if r.ID >= len(f.Parts) {
				return nil, fmt.Errorf("%s: %s can't be timed: %s", pr.Position(r.Pos), f.Name, r.Reason)
			}
			drop[r.ID] = r
		}
	}
	var kept []Part
	var list []report.Refused
	for id, p := range f.Parts {
		r, out := drop[id]
		if !out {
			kept = append(kept, p)
			continue
		}
		list = append(list, report.Refused{Position: pr.Position(r.Pos), Text: p.Text(), Reason: r.Reason})
	}
	f.Parts = kept
	return list, nil
}

func (pr *Prober) buildSide(ctx context.Context, s *sides.Side, f *Layer) (harness.Binary, error) {
	files, _, err := pr.rewrite(s, f)
	if err != nil {
		return harness.Binary{}, err
	}
	return s.Make(ctx, files, f.probes())
}

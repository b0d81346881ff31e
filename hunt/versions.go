package hunt

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revert"
	"github.com/pinpoint-go/pinpoint/revision"
)

// putBackVersion holds bad with good's version of the dependency that a function of
// bad is in against bad. Its code can't be put back function by function, since
// nobody could build that again; its version anyone can. It gives nil where the
// versions are the same or the other one does not build in bad.
func (h *hunt) putBackVersion(ctx context.Context, fn *callgraph.Function, share float64, most int) (*proof, error) {
	m := h.otherVersion(fn)
	if m == nil || h.budget.Left() <= 0 {
		return nil, nil
	}
	var p *proof
	if known := h.proofs[m.Path]; known != nil {
		p = known.again()
	} else {
		var err error
		if p, err = h.revertVersion(ctx, m); err != nil {
			if compare.Ends(ctx, err) {
				return nil, err
			}
			h.log.Warn("%s could not be tried in good's version: %s", m.Path, firstLine(err))
			return nil, nil
		}
	}
	return p, h.settle(ctx, p, share, most)
}

// revertVersion builds bad with good's version of a dependency.
func (h *hunt) revertVersion(ctx context.Context, m *change.Module) (*proof, error) {
	plan, err := revert.ComposeModules(h.change(), []change.Module{*m})
	if err != nil {
		return nil, err
	}
	h.log.Phase("building bad with good's " + m.Path)
	p := &proof{module: m}
	p.build = func(ctx context.Context, bad *side) (harness.Binary, error) { return h.buildVersion(ctx, bad, plan) }
	p.binary, err = p.build(ctx, h.bad)
	return p, err
}

// otherVersion is the dependency that a function of bad is in, nil if good has the
// same version of it.
func (h *hunt) otherVersion(fn *callgraph.Function) *change.Module {
	if fn.Pkg == nil || fn.Pkg.Module == nil || fn.Pkg.Module.Main {
		return nil
	}
	list := h.change().Modules()
	at := slices.IndexFunc(list, func(m change.Module) bool { return m.Path == fn.Pkg.Module.Path })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// proveVersion holds a culprit in a dependency that the layers led to against bad
// with good's version of that dependency.
func (h *hunt) proveVersion(ctx context.Context, c *report.Culprit) error {
	bad := h.lookUp(h.bad, c.Function)
	if bad == nil || c.Reverted != nil {
		return nil
	}
	p, err := h.putBackVersion(ctx, bad, c.Share, last(compare.Searching))
	if p == nil || err != nil {
		return err
	}
	if p.SpeaksAgainst(c.Share) {
		h.log.Warn("bad is as slow with good's version of %s: the cost in %s has its cause elsewhere", p.module.Path, c.Function)
		c.Confirmed = false
	}
	h.testify(c, p)
	return nil
}

// buildVersion builds bad with other versions of its dependencies, unprobed.
func (h *hunt) buildVersion(ctx context.Context, bad *side, plan revert.ModulePlan) (harness.Binary, error) {
	dir, err := os.MkdirTemp(h.temp.Path, "versions-")
	if err != nil {
		return harness.Binary{}, err
	}
	file := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(file, plan.Mod, 0o644); err != nil {
		return harness.Binary{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), plan.Sum, 0o644); err != nil {
		return harness.Binary{}, err
	}
	return bad.Build(ctx, revision.Build{ModFile: file, Layout: bad.layout})
}

package hunt

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revert"
)

// proveVersion holds a culprit in a dependency against bad with good's version of
// that dependency. Its code can't be put back function by function, since nobody
// could build that again; its version anyone can.
func (h *hunt) proveVersion(ctx context.Context, c *report.Culprit) error {
	bad := h.lookUp(h.bad, c.Function)
	if bad == nil || bad.Pkg.Module == nil || bad.Pkg.Module.Main || c.Reverted != nil || h.left() <= 0 {
		return nil
	}
	list := h.change().Modules()
	at := slices.IndexFunc(list, func(m revert.Module) bool { return m.Path == bad.Pkg.Module.Path })
	if at < 0 {
		return nil
	}
	m := list[at]
	plan, err := h.change().ComposeModules([]revert.Module{m})
	if err != nil {
		h.warn("%s could not be tried in good's version: %s", m.Path, firstLine(err))
		return nil
	}
	h.progress("building bad with good's " + m.Path)
	bin, err := h.buildVersion(ctx, plan)
	if err != nil {
		if ends(ctx, err) {
			return err
		}
		h.warn("%s could not be tried in good's version: %s", m.Path, firstLine(err))
		return nil
	}
	p := &proof{binary: bin}
	if err := h.holdAgainst(ctx, p, c.Share, last(searching), "bad with good's "+m.Path); err != nil {
		return err
	}
	if p.speaksAgainst(c.Share) {
		h.warn("bad is as slow with good's version of %s: the cost in %s has its cause elsewhere", m.Path, c.Function)
		c.Confirmed = false
	}
	h.proved[c.Function] = p
	c.Reverted = &report.Reverted{
		Recovered: p.recovered, Level: "module", Functions: []string{}, Delta: *h.delta(p.comparison),
		Notes: []string{fmt.Sprintf("%s %s in place of %s", m.Path, m.Good, m.Bad)},
	}
	c.Evidence = append(c.Evidence, fmt.Sprintf("with %s %s in bad, %s of the difference is gone", m.Path, m.Good, percents(p.recovered)))
	return nil
}

// buildVersion builds bad with other versions of its dependencies, unprobed.
func (h *hunt) buildVersion(ctx context.Context, plan revert.ModulePlan) (harness.Binary, error) {
	h.probed++
	dir := filepath.Join(h.out, fmt.Sprintf("versions%d", h.probed))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return harness.Binary{}, err
	}
	file := filepath.Join(dir, "go.mod")
	if err := os.WriteFile(file, plan.Mod, 0o644); err != nil {
		return harness.Binary{}, err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.sum"), plan.Sum, 0o644); err != nil {
		return harness.Binary{}, err
	}
	laid, err := h.overlay(h.bad, nil)
	if err != nil {
		return harness.Binary{}, err
	}
	side := h.buildable(h.bad, laid)
	side.ModFile = file
	bin, err := h.gocmd.Build(ctx, side, h.opts.Workload, dir)
	if err == nil {
		h.built(bin)
	}
	return bin, err
}

package measure

import (
	"context"
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/revision"
)

// A version is one of the revisions that are measured, with what was built of it.
type version struct {
	*revision.Revision
	bins  map[string]harness.Binary // by the run's key
	units map[string][]int          // of countings, by the run's key
	funcs map[string][]string
}

// open makes the private trees of all revisions, and finds what builds them.
func (c *campaign) open(ctx context.Context) (err error) {
	c.progress("taking private copies")
	var brought map[string][]byte
	if c.opts.Server != nil {
		if brought, err = c.opts.Server.Files(); err != nil {
			return err
		}
	}
	c.set, err = revision.Open(ctx, revision.Spec{
		Dir: c.opts.Dir, Package: c.opts.Package, Workload: c.opts.Workload, Driver: c.opts.Driver,
		Brought: brought, Tags: c.opts.Tags, PGO: c.opts.PGO, Toolchains: c.opts.Toolchains, CacheDir: c.opts.CacheDir,
		Fetching: func(toolchain string) { c.progress("fetching the toolchain " + toolchain) },
	}, c.opts.Revs...)
	if err != nil {
		return err
	}
	for _, r := range c.set.All() {
		c.revs = append(c.revs, &version{r, map[string]harness.Binary{}, map[string][]int{}, map[string][]string{}})
	}
	for _, note := range c.set.Notes() {
		c.result.warn("%s", note)
	}
	return nil
}

// binary is what a run's processes of a revision are. What needs nothing special
// is the same for all.
func (c *campaign) binary(ctx context.Context, v *version, of run) (harness.Binary, error) {
	if bin, ok := v.bins[of.key]; ok {
		return bin, nil
	}
	c.progress("building " + v.Label)
	b := revision.Build{Meter: of.meter, Gauges: of.gauges, Probes: of.probes()}
	if of.count != nil {
		w, err := c.rewrite(ctx, v, of)
		if err != nil {
			return harness.Binary{}, err
		}
		b.Files, b.Boxes, b.Probes = w.files, w.boxes, len(w.unit)
	}
	bin, err := v.Build(ctx, b)
	if err == nil {
		v.bins[of.key] = bin
	}
	return bin, err
}

// rewrite changes the code so that it can be counted.
func (c *campaign) rewrite(ctx context.Context, v *version, of run) (rewritten, error) {
	c.progress("loading " + v.Label)
	prog, err := v.Load(ctx)
	if err != nil {
		return rewritten{}, err
	}
	w, err := of.count.rewrite(ctx, of.count, code{prog: prog, gocmd: v.Go().Cmd})
	if err != nil {
		return w, fmt.Errorf("%s: %w", v.Label, err)
	}
	v.units[of.key], v.funcs[of.key] = w.unit, w.funcs
	for _, note := range w.notes {
		c.result.warn("%s: %s", v.Label, note)
	}
	return w, nil
}

// nameOf makes a part of a benchmark's name of a pattern or path.
func nameOf(s string) string {
	s = s[strings.LastIndexByte(s, '/')+1:]
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`^$\ `, r) {
			return -1
		}
		return nameable(r)
	}, s)
}

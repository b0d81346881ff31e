package hunt

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostCommits is how many commits a culprit is given, newest first.
const mostCommits = 5

// gather adds to each culprit what is known about its code: the commits on either
// side that touched it or, of a function in another module, its versions.
// Evidence that can't be had is left out; it does not end a hunt.
func (h *hunt) gather(ctx context.Context) {
	if h.allocating && h.left() > 0 {
		h.recordAllocations(ctx, &h.allocated, 1)
	}
	for i := range h.report.Culprits {
		c := &h.report.Culprits[i]
		good, bad := h.lookUp(h.good, c.Function), h.lookUp(h.bad, c.Function)
		if good != nil && bad != nil && good.Module() != bad.Module() {
			c.Evidence = append(c.Evidence, fmt.Sprintf("it comes from %s in good and from %s in bad", good.Module(), bad.Module()))
		}
		if i == 0 && good != nil && bad != nil {
			c.Evidence = append(c.Evidence, h.inlining(ctx, good, bad)...)
		}
		if good != nil && bad != nil {
			c.Allocations = h.allocates(good, bad)
		}
		c.Commits = append(c.Commits, h.commits(ctx, h.bad, bad)...)
		c.Commits = append(c.Commits, h.commits(ctx, h.good, good)...)
	}
}

// inlining says which of the function and its callees the compiler inlines in one
// revision only, in the unprobed builds.
func (h *hunt) inlining(ctx context.Context, good, bad *callgraph.Function) []string {
	if m := bad.Pkg.Module; m == nil || !m.Main || h.left() < 0 {
		return nil
	}
	var inGood, inBad map[string]bool
	err := bothErrors(
		func() (err error) { inGood, err = h.inlinable(ctx, h.good, nil, good.Pkg.PkgPath); return err },
		func() (err error) { inBad, err = h.inlinable(ctx, h.bad, nil, bad.Pkg.PkgPath); return err },
	)
	if err != nil {
		return nil
	}
	var list []string
	for _, fn := range h.atHand(good, bad) {
		name := compilerName(fn)
		switch {
		case inGood[name] && !inBad[name]:
			list = append(list, fn.Name+" is inlined in good and no longer in bad")
		case !inGood[name] && inBad[name]:
			list = append(list, fn.Name+" is inlined in bad, and not in good")
		}
	}
	return list
}

// atHand are the functions of bad's package that exist in good too: the function
// itself and those it calls.
func (h *hunt) atHand(good, bad *callgraph.Function) []*callgraph.Function {
	list := []*callgraph.Function{bad}
	layer, err := h.bad.prog.Layer(bad)
	if err != nil {
		return nil
	}
	for _, c := range layer.Calls {
		fn := c.Callee()
		if fn == nil || fn.Pkg == nil || fn.Pkg.PkgPath != bad.Pkg.PkgPath || slices.Contains(list, fn) {
			continue
		}
		if _, err := h.good.prog.Func(fn.Name); err == nil {
			list = append(list, fn)
		}
	}
	return list
}

// compilerName is what -m calls a function of the package it compiles.
func compilerName(fn *callgraph.Function) string {
	return strings.TrimPrefix(fn.Name, fn.Pkg.PkgPath+".")
}

func (h *hunt) lookUp(s *side, name string) *callgraph.Function {
	fn, err := s.prog.Func(name)
	if err != nil {
		return nil
	}
	return fn
}

// commits lists the commits that only this side's history has and that touched
// the lines of fn.
func (h *hunt) commits(ctx context.Context, s *side, fn *callgraph.Function) []report.Commit {
	if fn == nil || !fn.HasBody() {
		return nil
	}
	file, inTree := strings.CutPrefix(fn.Filename(), s.tree.Dir+string(filepath.Separator))
	if !inTree || s.tree.Name == backup.Worktree {
		return nil
	}
	since := h.good.tree.Commit
	if s == h.good {
		since = h.bad.tree.Commit
	}
	first, last := fn.Pos.Line, s.prog.Fset.Position(fn.Node.End()).Line
	out, err := h.repo.Git(ctx, "log", "--no-patch", "--format=%H%x00%an%x00%as%x00%s",
		fmt.Sprintf("--max-count=%d", mostCommits),
		fmt.Sprintf("-L%d,%d:%s", first, last, filepath.ToSlash(file)),
		since+".."+s.tree.Commit)
	if err != nil {
		return nil
	}
	var list []report.Commit
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00"); len(f) == 4 {
			list = append(list, report.Commit{Hash: f[0], Side: s.label, Author: f[1], Date: f[2], Subject: f[3]})
		}
	}
	return list
}

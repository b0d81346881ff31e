package hunt

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostCommits is how many commits a culprit is given, newest first.
const mostCommits = 5

// gather adds to each culprit what is known about its code: the commits on either
// side that touched it or, of a function in another module, its versions.
// Evidence that can't be had is left out; it does not end a hunt.
func (h *hunt) gather(ctx context.Context) {
	if len(h.report.Culprits) == 0 {
		return
	}
	if h.opts.Workload.Kind == harness.Bench && h.budget.Left() > 0 {
		if h.whole.Allocating {
			h.recordAllocations(ctx, &h.allocated, 1)
		}
		if h.sampler.Quantity.IsTime() {
			h.lookForWaits(ctx)
		}
	}
	h.log.Phase("gathering evidence")
	for i := range h.report.Culprits {
		c := &h.report.Culprits[i]
		good, bad := h.lookUp(h.good, c.Function), h.lookUp(h.bad, c.Function)
		if good != nil && bad != nil {
			h.compareCode(ctx, c, good, bad, i == 0)
		}
		c.Commits = append(c.Commits, h.commits(ctx, h.bad, bad)...)
		c.Commits = append(c.Commits, h.commits(ctx, h.good, good)...)
	}
	// Last, for these may take long.
	for i := range h.report.Culprits {
		h.addTests(ctx, &h.report.Culprits[i])
	}
}

// compareCode adds what is known of a culprit that both revisions have. The
// compiler is asked about the first one only: it takes a build of each.
func (h *hunt) compareCode(ctx context.Context, c *report.Culprit, good, bad *callgraph.Function, first bool) {
	if good.Module() != bad.Module() {
		c.Evidence = append(c.Evidence, fmt.Sprintf("it comes from %s in good and from %s in bad", good.Module(), bad.Module()))
	}
	if first {
		c.Evidence = append(c.Evidence, h.compiled(ctx, good, bad)...)
	}
	if first && c.Kind == report.OwnCode && h.sampler.Quantity.IsTime() && good.HasBody() && bad.HasBody() {
		if err := h.narrowOwn(ctx, c, good, bad); err != nil {
			h.log.Warn("looking into the own code of %s: %s", bad.Name, harness.FirstLine(err))
		}
	}
	c.Evidence = append(c.Evidence, h.blocking(good, bad)...)
	c.Allocations = h.allocates(good, bad)
	if good.HasBody() && bad.HasBody() {
		c.Diff = h.diff(good, bad)
	}
}

// diff is what changed in a function's own code, in unified form. Line numbers are
// those of the files.
func (h *hunt) diff(good, bad *callgraph.Function) string {
	source := func(fn *callgraph.Function) []byte { return append(slices.Clone(fn.Source()), '\n') }
	text := diff.Diff("good/"+h.file(good), source(good), "bad/"+h.file(bad), source(bad))
	return hunk.ReplaceAllStringFunc(string(text), func(head string) string {
		m := hunk.FindStringSubmatch(head)
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[3])
		return fmt.Sprintf("@@ -%d%s +%d%s @@", from+good.Pos.Line-1, m[2], to+bad.Pos.Line-1, m[4])
	})
}

var hunk = regexp.MustCompile(`(?m)^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@$`)

// addTests says what the package's tests say of bad with good's code for a culprit.
func (h *hunt) addTests(ctx context.Context, c *report.Culprit) {
	if p := h.compositions[c.Function]; p != nil && c.Reverted != nil {
		if c.Reverted.Tests = h.testUnderRevert(ctx, p); c.Reverted.Tests != "" {
			c.Evidence = append(c.Evidence, c.Reverted.Tests)
		}
	}
}

// file is where a function is, as reports name files.
func (h *hunt) file(fn *callgraph.Function) string {
	name, _, _ := strings.Cut(h.position(fn.Pos), ":")
	return name
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
	file, inTree := s.InTree(fn.Filename())
	if !inTree || s.Tree.Name == backup.Worktree {
		return nil
	}
	since := h.good.Commit
	if s == h.good {
		since = h.bad.Commit
	}
	first, last := fn.Pos.Line, s.prog.Fset.Position(fn.Node.End()).Line
	out, err := h.set.Repo().Git(ctx, "log", "--no-patch", "--format=%H%x00%an%x00%as%x00%s",
		fmt.Sprintf("--max-count=%d", mostCommits),
		fmt.Sprintf("-L%d,%d:%s", first, last, file),
		since+".."+s.Commit)
	if err != nil {
		return nil
	}
	var list []report.Commit
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00"); len(f) == 4 {
			list = append(list, report.Commit{Hash: f[0], Side: s.Label, Author: f[1], Date: f[2], Subject: f[3]})
		}
	}
	return list
}

package hunt

import (
	"context"
	"fmt"
	"path/filepath"
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
	for i := range h.report.Culprits {
		c := &h.report.Culprits[i]
		good, bad := h.lookUp(h.good, c.Function), h.lookUp(h.bad, c.Function)
		if good != nil && bad != nil && good.Module() != bad.Module() {
			c.Evidence = append(c.Evidence, fmt.Sprintf("it comes from %s in good and from %s in bad", good.Module(), bad.Module()))
		}
		c.Commits = append(c.Commits, h.commits(ctx, h.bad, bad)...)
		c.Commits = append(c.Commits, h.commits(ctx, h.good, good)...)
	}
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

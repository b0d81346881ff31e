package evidence

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
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostCommits is how many commits a culprit is given, newest first.
const mostCommits = 5

// addDiff shows what changed in its own code.
func (g *Gatherer) addDiff(_ context.Context, c *report.Culprit, code change.Functions) {
	if code.Good.HasBody() && code.Bad.HasBody() {
		c.Diff = g.diff(code.Good, code.Bad)
	}
}

// addCommits lists who changed it, on either side.
func (g *Gatherer) addCommits(ctx context.Context, c *report.Culprit, code change.Functions) {
	c.Commits = append(c.Commits, g.commits(ctx, g.Bad, code.Bad)...)
	c.Commits = append(c.Commits, g.commits(ctx, g.Good, code.Good)...)
}

// diff is what changed in a function's own code, in unified form. Line numbers are
// those of the files.
func (g *Gatherer) diff(good, bad *callgraph.Function) string {
	source := func(fn *callgraph.Function) []byte { return append(slices.Clone(fn.Source()), '\n') }
	text := diff.Diff("good/"+g.file(good), source(good), "bad/"+g.file(bad), source(bad))
	return hunk.ReplaceAllStringFunc(string(text), func(head string) string {
		m := hunk.FindStringSubmatch(head)
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(m[3])
		return fmt.Sprintf("@@ -%d%s +%d%s @@", from+good.Pos.Line-1, m[2], to+bad.Pos.Line-1, m[4])
	})
}

var hunk = regexp.MustCompile(`(?m)^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@$`)

// file is where a function is, as reports name files.
func (g *Gatherer) file(fn *callgraph.Function) string {
	name, _, _ := strings.Cut(g.Position(fn.Pos), ":")
	return name
}

// commits lists the commits that only this side's history has and that touched
// the lines of fn.
func (g *Gatherer) commits(ctx context.Context, s *sides.Side, fn *callgraph.Function) []report.Commit {
	if fn == nil || !fn.HasBody() {
		return nil
	}
	file, inTree := s.InTree(fn.Filename())
	if !inTree || s.Tree.Name == backup.Worktree {
		return nil
	}
	since := g.Good.Commit
	if s == g.Good {
		since = g.Bad.Commit
	}
	first, last := fn.Pos.Line, s.Prog.Fset.Position(fn.Node.End()).Line
	touched, err := g.Set.Repo().Log(ctx, fmt.Sprintf("--max-count=%d", mostCommits),
		fmt.Sprintf("-L%d,%d:%s", first, last, file), since+".."+s.Commit)
	if err != nil {
		return nil
	}
	var list []report.Commit
	for _, c := range touched {
		list = append(list, report.Commit{Hash: c.Hash, Side: s.Label, Author: c.Author, Date: c.Date, Subject: c.Subject})
	}
	return list
}

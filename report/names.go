package report

import (
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// title is the workload in one phrase.
func (w Workload) title() string {
	switch {
	case w.Server != nil:
		return strings.TrimSpace("server " + w.Package + " " + strings.Join(w.Args, " "))
	case w.Name != "":
		return w.Name
	case w.Pattern != "":
		return w.Pattern
	}
	return strings.TrimSpace(w.Package + " " + strings.Join(w.Args, " "))
}

// titles are the revision as the user named it and its commit, short. A hash is
// not said twice.
func (r Revision) titles() (name, commit string) {
	const short = 10
	commit = r.Commit[:min(short, len(r.Commit))]
	switch {
	case r.Rev == "" || strings.HasPrefix(r.Commit, r.Rev):
		return "", commit
	case r.Rev == worktree:
		return r.Rev + "  ", "on " + commit
	}
	return text.Clip(r.Rev, 40) + "  ", commit
}

// worktree is how the working tree is named as a revision.
const worktree = "WORKTREE"

// called is a revision in a sentence.
func (r Revision) called() string {
	if r.Rev == "" || strings.HasPrefix(r.Commit, r.Rev) {
		return fmt.Sprintf("%.10s", r.Commit)
	}
	return text.Clip(r.Rev, 40)
}

func (c Commit) title() string { return fmt.Sprintf("%.10s  %s", c.Hash, c.Subject) }

// shortFunction is a function's name without the directories of its import path.
func shortFunction(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func short(commit string) string { return commit[:min(10, len(commit))] }

// named says that the culprit may be called one.
func (c Culprit) named() bool { return c.Confirmed && c.How != ByProbes }

// label is what the culprit is called.
func (c Culprit) label() string {
	switch {
	case c.named():
		return "culprit"
	case c.How == ByProbes:
		return "suspected, by probes"
	}
	return "suspect"
}

// heading is the label at the beginning of a sentence.
func (c Culprit) heading() string {
	label := c.label()
	return strings.ToUpper(label[:1]) + label[1:]
}

// title names what was put back.
func (t Trial) title() string {
	title := shortFunctions(t.Functions)
	if len(t.OnTopOf) > 0 {
		title += " on top of " + shortFunctions(t.OnTopOf)
	}
	return title
}

func shortFunctions(functions []string) string {
	var names []string
	for _, f := range functions {
		names = append(names, shortFunction(f))
	}
	return text.Join(names, " with ", 3)
}

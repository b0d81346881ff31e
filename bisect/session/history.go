package session

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/report"
)

// history is the commits between the ends, as git bisect has them.
type history struct {
	*bisect.History
	bases []string                 // from which both ends come, where bad does not come from good
	about map[string]report.Commit // of all commits of the range, the ends and the bases
}

// readHistory asks git for the commits that bad comes from and good does not.
func readHistory(ctx context.Context, repo *backup.Repo, good, bad string, firstParent bool, paths []string) (*history, error) {
	if good == bad {
		return nil, fmt.Errorf("good and bad are the same commit, %s: there is nothing between them", short(good))
	}
	h := &history{about: make(map[string]report.Commit)}
	out, err := repo.Git(ctx, "merge-base", "--all", good, bad)
	if err != nil {
		return nil, fmt.Errorf("good and bad have no commit in common, so nothing leads from one to the other: %w", err)
	}
	for _, base := range strings.Fields(string(out)) {
		if base == bad {
			return nil, fmt.Errorf("good comes from bad: swap --good and --bad, or give an older --good")
		}
		if base != good {
			h.bases = append(h.bases, base)
		}
	}
	limits := []string{bad, "^" + good}
	if firstParent {
		limits = slices.Insert(limits, 0, "--first-parent")
	}
	limits = append(append(limits, "--"), atTop(repo.Prefix(), paths)...)
	out, err = repo.Git(ctx, append([]string{"rev-list", "--topo-order", "--reverse", "--parents"}, limits...)...)
	if err != nil {
		return nil, err
	}
	counted := make(map[string]bool)
	counting, err := repo.Git(ctx, append([]string{"rev-list"}, limits...)...)
	if err != nil {
		return nil, err
	}
	for _, commit := range strings.Fields(string(counting)) {
		counted[commit] = true
	}
	var commits []bisect.Commit
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		c := bisect.Commit{Hash: f[0], Parents: f[1:], Passive: !counted[f[0]]}
		if firstParent {
			c.Parents = c.Parents[:min(1, len(c.Parents))]
		}
		commits = append(commits, c)
	}
	if len(counted) == 0 && len(paths) > 0 {
		return nil, fmt.Errorf("no commit between good and bad touches %s", strings.Join(paths, " "))
	}
	if h.History, err = bisect.NewHistory(commits); err != nil {
		return nil, err
	}
	return h, h.describe(ctx, repo, good, bad)
}

// atTop gives paths as they are from the repository's top, where git is run. What
// begins with a colon says so itself.
func atTop(prefix string, paths []string) []string {
	var list []string
	for _, p := range paths {
		if !strings.HasPrefix(p, ":") {
			p = path.Join(prefix, p)
		}
		list = append(list, p)
	}
	return list
}

// describe reads who made each commit of the range, when and why.
func (h *history) describe(ctx context.Context, repo *backup.Repo, good, bad string) error {
	for _, args := range [][]string{
		append([]string{"--no-walk=unsorted", good, bad}, h.bases...),
		{bad, "^" + good},
	} {
		list, err := repo.Log(ctx, args...)
		if err != nil {
			return err
		}
		for _, c := range list {
			h.about[c.Hash] = report.Commit{Hash: c.Hash, Side: "bad", Author: c.Author, Date: c.Date, Subject: c.Subject}
		}
	}
	return nil
}

// parents are a commit's own, whatever the range is limited to.
func parents(ctx context.Context, repo *backup.Repo, commit string) ([]string, error) {
	out, err := repo.Git(ctx, "rev-list", "--parents", "--max-count=1", commit)
	if err != nil {
		return nil, err
	}
	f := strings.Fields(string(out))
	return f[min(1, len(f)):], nil
}

// gitLog is the search as git bisect log shows one and git bisect replay takes it.
// It holds what counts in the end: a mark that fresh samples changed is there once.
func (h *history) gitLog(good, bad string, firstParent bool, paths []string, r *bisect.Result) []string {
	line := func(what, commit string) string {
		return fmt.Sprintf("# %s: [%s] %s", what, commit, h.about[commit].Subject)
	}
	start := "git bisect start"
	if firstParent {
		start += " --first-parent"
	}
	start += fmt.Sprintf(" '%s' '%s'", bad, good)
	if len(paths) > 0 {
		start += " '--'"
		for _, p := range paths {
			start += " " + singleQuoted(p)
		}
	}
	list := []string{line("bad", bad), line("good", good), start}
	for _, m := range r.Marks {
		if m.Commit == bad || m.Commit == good {
			continue
		}
		mark := string(m.Mark)
		if m.Mark == bisect.Erratic {
			mark = "skip"
		}
		list = append(list, line(mark, m.Commit), "git bisect "+mark+" "+m.Commit)
	}
	switch {
	case r.First != "":
		list = append(list, line("first bad commit", r.First))
	case len(r.OneOf) > 0:
		list = append(list, "# only skipped commits left to test")
		for _, commit := range r.OneOf {
			list = append(list, line("possible first bad commit", commit))
		}
	}
	return list
}

func singleQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

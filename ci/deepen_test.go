package ci_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// history is a remote: main has commits before and after the one that the branch
// left it at.
type history struct{ remote, fork, main, head string }

// newHistory makes a remote of which main and the branch feature are before and
// after commits away from where they fork. Files are those of both tips.
func newHistory(t *testing.T, before, onMain, onBranch int, base, head map[string]string) history {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote")
	check(t, os.MkdirAll(dir, 0o755))
	git(t, dir, "init", "-q", "-b", "main")
	for i := range before {
		git(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("before %d", i))
	}
	commit := func(files map[string]string, message string) {
		for name, text := range files {
			write(t, filepath.Join(dir, name), text)
		}
		git(t, dir, "add", "-A")
		git(t, dir, "commit", "-q", "--allow-empty", "-m", message)
	}
	commit(base, "fork")
	h := history{remote: dir, fork: git(t, dir, "rev-parse", "HEAD")}
	git(t, dir, "checkout", "-q", "-b", "feature")
	for i := range onBranch - 1 {
		commit(nil, fmt.Sprintf("branch %d", i))
	}
	commit(head, "feature")
	h.head = git(t, dir, "rev-parse", "HEAD")
	git(t, dir, "checkout", "-q", "main")
	for i := range onMain {
		commit(nil, fmt.Sprintf("main %d", i))
	}
	h.main = git(t, dir, "rev-parse", "HEAD")
	return h
}

// checkout gets one revision of the remote as actions/checkout does; depth 0 is
// everything.
func (h history) checkout(t *testing.T, rev string, depth int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "checkout")
	check(t, os.MkdirAll(dir, 0o755))
	git(t, dir, "init", "-q")
	git(t, dir, "remote", "add", "origin", "file://"+h.remote)
	args := []string{"fetch", "-q", "--no-tags", "origin", "+" + rev + ":refs/remotes/pull/1/merge"}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth))
	}
	git(t, dir, args...)
	git(t, dir, "checkout", "-q", "--detach", "refs/remotes/pull/1/merge")
	return dir
}

// untouched are what the script must leave as they are.
func untouched(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	for ref := range strings.Lines(git(t, dir, "for-each-ref")) {
		if !strings.Contains(ref, "refs/pinpoint/") {
			b.WriteString(strings.TrimSpace(ref) + "\n")
		}
	}
	b.WriteString(git(t, dir, "rev-parse", "HEAD"))
	b.WriteString(git(t, dir, "status", "--porcelain"))
	for _, name := range []string{"FETCH_HEAD", "index", "config", "HEAD"} {
		data, err := os.ReadFile(filepath.Join(dir, ".git", name))
		fmt.Fprintf(&b, "%s %x %v\n", name, data, err == nil)
	}
	return b.String()
}

func TestDeepen(t *testing.T) {
	needs(t, "bash", "git")
	h := newHistory(t, 10, 40, 70, nil, nil)
	for _, c := range []struct {
		name     string
		rev      string
		depth    int
		env      map[string]string
		status   int
		want     string // the merge base
		wantText string
	}{
		{"shallow pull request", h.head, 1, map[string]string{"GITHUB_BASE_REF": "main"}, 0, h.fork, "refs/heads/main"},
		{"somewhat deeper", h.head, 20, map[string]string{"GITHUB_BASE_REF": "main"}, 0, h.fork, ""},
		{"everything is there", h.head, 0, map[string]string{"GITHUB_BASE_REF": "main"}, 0, h.fork, ""},
		{"merge request", h.head, 2, map[string]string{"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"}, 0, h.fork, ""},
		{"default branch", h.head, 1, nil, 0, h.fork, ""},
		{"branch by name", h.head, 1, map[string]string{"PINPOINT_BASE": "main"}, 0, h.fork, ""},
		{"commit", h.head, 1, map[string]string{"PINPOINT_BASE": h.fork}, 0, h.fork, ""},
		{"push", h.main, 1, map[string]string{"PINPOINT_BEFORE": h.fork}, 0, h.fork, ""},
		{"push of a new branch", h.head, 1, map[string]string{"PINPOINT_BEFORE": strings.Repeat("0", 40)}, 0, h.fork, ""},
		{"push of one whose history was rewritten", h.head, 1, map[string]string{"PINPOINT_BEFORE": strings.Repeat("4", 40)}, 0, h.fork, ""},
		{"head of the default branch", h.main, 1, nil, 0, h.main + "~1", ""},
		{"no such branch", h.head, 1, map[string]string{"GITHUB_BASE_REF": "gone"}, 2, "", "has none of: refs/heads/gone"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := h.checkout(t, c.rev, c.depth)
			there := git(t, dir, "rev-list", "--count", "HEAD")
			before := untouched(t, dir)
			j := newJob(t, dir)
			output := filepath.Join(j.temp, "output")
			env := map[string]string{"GITHUB_OUTPUT": output}
			for name, value := range c.env {
				env[name] = value
			}
			script, err := filepath.Abs("deepen.sh")
			check(t, err)
			if status := j.command(t, dir, env, script); status != c.status {
				t.Fatalf("exit status %d, want %d:\n%s", status, c.status, &j.log)
			}
			if !strings.Contains(j.log.String(), c.wantText) {
				t.Errorf("no %q:\n%s", c.wantText, &j.log)
			}
			if after := untouched(t, dir); after != before {
				t.Errorf("was\n%s\nis\n%s", before, after)
			}
			if c.status != 0 {
				return
			}
			want := git(t, h.remote, "rev-parse", c.want)
			data, err := os.ReadFile(output)
			check(t, err)
			if got := strings.TrimSpace(string(data)); got != "commit="+want {
				t.Errorf("says %s, want %s", got, want)
			}
			git(t, dir, "cat-file", "-e", want)
			if now := git(t, dir, "rev-list", "--count", "HEAD"); len(now) < len(there) || len(now) == len(there) && now < there {
				t.Errorf("had %s commits, has %s", there, now)
			}
		})
	}
}

// TestDeepenNoHistory has branches that share nothing.
func TestDeepenNoHistory(t *testing.T) {
	needs(t, "bash", "git")
	h := newHistory(t, 1, 0, 3, nil, nil)
	git(t, h.remote, "checkout", "-q", "--orphan", "other")
	git(t, h.remote, "commit", "-q", "--allow-empty", "-m", "other")
	dir := h.checkout(t, "refs/heads/feature", 1)
	j := newJob(t, dir)
	script, err := filepath.Abs("deepen.sh")
	check(t, err)
	status := j.command(t, dir, map[string]string{"GITHUB_BASE_REF": "other"}, script)
	if status != 2 || !strings.Contains(j.log.String(), "share no history") || !strings.Contains(j.log.String(), "fetch-depth: 0") {
		t.Errorf("exit status %d:\n%s", status, &j.log)
	}
}

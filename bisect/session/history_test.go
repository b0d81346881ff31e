package session

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/bisect"
)

// branched is a repository with this history; each commit writes the file of its
// name, or that after the slash, and has its name for a subject and a tag:
//
//	start - g1 - g2 (good)
//	     \- b1 - b2 ------ m - b3 (bad)
//	          \- s1 - s2 -/
func branched(t *testing.T) (repo *backup.Repo, dir string) {
	t.Helper()
	var in strings.Builder
	mark := map[string]int{}
	text := func(file, content string) {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", file, len(content), content)
	}
	commit := func(name, file string, parents ...string) {
		mark[name] = len(mark) + 1
		fmt.Fprintf(&in, "commit refs/tags/%s\nmark :%d\ncommitter t <t@example.com> %d +0000\ndata %d\n%s\n", name, mark[name], 1000000000+mark[name], len(name), name)
		for i, p := range parents {
			fmt.Fprintf(&in, "%s :%d\n", []string{"from", "merge"}[i], mark[p])
		}
		if file != "" {
			text(file, name)
		}
	}
	commit("start", "a")
	commit("g1", "g", "start")
	commit("g2", "g", "g1")
	commit("b1", "sub/x", "start")
	commit("b2", "a", "b1")
	commit("s1", "sub/x", "b1")
	commit("s2", "a b's", "s1")
	commit("m", "", "b2", "s2")
	text("sub/x", "s1") // the tree of a merge is the first parent's
	text("a b's", "s2")
	commit("b3", "a", "m")
	dir = t.TempDir()
	gitIn(t, dir, "", "init", "-q")
	gitIn(t, dir, in.String(), "fast-import", "--quiet")
	repo, err := backup.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return repo, dir
}

func gitIn(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestReadHistory(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git")
	}
	repo, _ := branched(t)
	hash := func(name string) string {
		rev, err := repo.Resolve(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return rev.Commit
	}
	all := []string{"b1", "b2", "s1", "s2", "m", "b3"}
	for _, c := range []struct {
		name, good, bad string
		firstParent     bool
		paths           []string
		want            []string // that can be it
		bases           []string
		err             string
	}{
		{name: "all", good: "start", bad: "b3", want: all},
		{name: "good on a branch of its own", good: "g2", bad: "b3", want: all, bases: []string{"start"}},
		{name: "first parents", good: "start", bad: "b3", firstParent: true, want: []string{"b1", "b2", "m", "b3"}},
		{name: "a path", good: "start", bad: "b3", paths: []string{"sub"}, want: []string{"b1", "s1"}},
		{name: "a path with magic", good: "start", bad: "b3", paths: []string{":(top)sub"}, want: []string{"b1", "s1"}},
		{name: "a path nobody touches", good: "start", bad: "b3", paths: []string{"none"}, err: "touches none"},
		{name: "one commit", good: "m", bad: "b3", want: []string{"b3"}},
		{name: "swapped", good: "b3", bad: "start", err: "swap --good and --bad"},
		{name: "the same", good: "m", bad: "m", err: "the same commit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, err := readHistory(t.Context(), repo, hash(c.good), hash(c.bad), c.firstParent, c.paths)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want one that says %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, name := range append([]string{"start", "g1", "g2"}, all...) {
				if h.Has(hash(name)) {
					got = append(got, name)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v can be it, want %v", got, c.want)
			}
			var bases []string
			for _, b := range h.bases {
				bases = append(bases, h.about[b].Subject)
			}
			if !slices.Equal(bases, c.bases) {
				t.Errorf("bases %v, want %v", bases, c.bases)
			}
			for _, name := range []string{c.good, c.bad} {
				if h.about[hash(name)].Subject != name {
					t.Errorf("%s is told to be %+v", name, h.about[hash(name)])
				}
			}
		})
	}
}

// TestGitTakesTheLog replays a log with the real git, which has to be where the
// search was.
func TestGitTakesTheLog(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git")
	}
	repo, dir := branched(t)
	hash := func(name string) string { return strings.TrimSpace(gitIn(t, dir, "", "rev-parse", name)) }
	h, err := readHistory(t.Context(), repo, hash("start"), hash("b3"), false, []string{"a", "a b's"})
	if err != nil {
		t.Fatal(err)
	}
	result := &bisect.Result{
		First: hash("s2"),
		Marks: []bisect.Step{
			{Commit: hash("b3"), Mark: bisect.Bad},
			{Commit: hash("b2"), Mark: bisect.Good},
			{Commit: hash("s2"), Mark: bisect.Bad},
		},
	}
	file := dir + "/../log" // t.TempDir's own directory
	lines := h.gitLog(hash("start"), hash("b3"), false, []string{"a", "a b's"}, result)
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Remove(file) })
	gitIn(t, dir, "", "checkout", "-q", "-f", "b3")
	if out := gitIn(t, dir, "", "bisect", "replay", file); !strings.Contains(out, hash("s2")+" is the first bad commit") {
		t.Errorf("git came to another commit than the log\n%s\nsaid: %s", strings.Join(lines, "\n"), out)
	}
}

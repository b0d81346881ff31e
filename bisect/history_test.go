package bisect

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestHistoryRefusesWhatIsNone(t *testing.T) {
	for name, commits := range map[string][]Commit{
		"listed twice":            {{Hash: "a"}, {Hash: "a"}},
		"ancestors of themselves": {{Hash: "a", Parents: []string{"b"}}, {Hash: "b", Parents: []string{"a"}}},
	} {
		if _, err := NewHistory(commits); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want one that says %s", err, name)
		}
	}
}

// TestRankedIsGits holds the order in which commits are tried against git's own,
// in random histories.
func TestRankedIsGits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs git")
	}
	for seed := range uint64(5) {
		w, _ := tangle(40, seed)
		dir := t.TempDir()
		hashes := importHistory(t, dir, w.commits)
		h, err := NewHistory(w.commits)
		if err != nil {
			t.Fatal(err)
		}
		want := gitDistances(t, dir)
		s := h.all()
		weights := h.weights(s)
		list := h.ranked(s)
		best := 0
		for _, i := range list {
			distance := min(weights[i], len(list)-weights[i])
			if git, ok := want[hashes[h.commits[i].Hash]]; !ok || git != distance {
				t.Errorf("seed %d: %s is at distance %d, git says %d", seed, h.commits[i].Hash, distance, git)
			}
			best = max(best, distance)
		}
		if first := list[0]; min(weights[first], len(list)-weights[first]) != best {
			t.Errorf("seed %d: %s is not the best", seed, h.commits[first].Hash)
		}
	}
}

// importHistory makes the commits in a repository, on a root commit called good,
// and gives their hashes by name.
func importHistory(t *testing.T, dir string, commits []Commit) map[string]string {
	t.Helper()
	var in bytes.Buffer
	marks := map[string]int{"good": 1}
	commit := func(name string, parents []string) {
		fmt.Fprintf(&in, "commit refs/heads/%s\nmark :%d\ncommitter t <t@example.com> %d +0000\ndata %d\n%s\n", name, marks[name], 1e9+marks[name], len(name), name)
		for i, p := range parents {
			fmt.Fprintf(&in, "%s :%d\n", map[bool]string{true: "from", false: "merge"}[i == 0], marks[p])
		}
		fmt.Fprintln(&in)
	}
	commit("good", nil)
	for _, c := range commits {
		marks[c.Hash] = len(marks) + 1
		commit(c.Hash, c.Parents)
	}
	runGit(t, dir, "", "init", "-q", "--bare")
	runGit(t, dir, in.String(), "fast-import", "--quiet")
	hashes := make(map[string]string)
	for _, c := range commits {
		hashes[c.Hash] = strings.TrimSpace(runGit(t, dir, "", "rev-parse", c.Hash))
	}
	return hashes
}

func gitDistances(t *testing.T, dir string) map[string]int {
	t.Helper()
	out := runGit(t, dir, "", "rev-list", "--bisect-all", "c39", "^good")
	distances := make(map[string]int)
	for line := range strings.Lines(out) {
		var hash string
		var distance int
		hash, rest, _ := strings.Cut(line, " ")
		if i := strings.Index(rest, "dist="); i < 0 {
			t.Fatalf("git printed %q", line)
		} else if _, err := fmt.Sscanf(rest[i:], "dist=%d", &distance); err != nil {
			t.Fatalf("git printed %q: %v", line, err)
		}
		distances[hash] = distance
	}
	return distances
}

func runGit(t *testing.T, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

package ci_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPinned: what we tell others to run is named by its hash.
func TestPinned(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: *(\S+)`)
	hash := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`)
	names, err := filepath.Glob(filepath.Join("workflows", "*.yml"))
	check(t, err)
	names = append(names, "gitlab.yml", "README.md", filepath.Join("..", "action.yml"), filepath.Join("comment", "action.yml"), filepath.Join("..", "README.md"))
	seen := 0
	for _, name := range names {
		data, err := os.ReadFile(name)
		check(t, err)
		for _, m := range uses.FindAllStringSubmatch(string(data), -1) {
			seen++
			if !hash.MatchString(m[1]) {
				t.Errorf("%s uses %s, which may be moved", name, m[1])
			}
		}
		for _, moving := range []string{"/main/ci/", "PINPOINT_VERSION: latest", "pinpoint@main"} {
			if strings.Contains(string(data), moving) {
				t.Errorf("%s has %s, which may be moved", name, moving)
			}
		}
	}
	if seen < 6 {
		t.Errorf("found only %d uses", seen)
	}
}

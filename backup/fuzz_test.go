package backup_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// FuzzResolve takes anything for a revision: what is found is a commit of the repository,
// and git is asked for nothing else by it.
func FuzzResolve(f *testing.F) {
	c := newCheckout(f)
	c.write("a", "1")
	c.commit("one")
	c.git("tag", "v1")
	r := open(f, c.dir)
	for _, rev := range []string{"HEAD", "v1", "HEAD~0", ":/one", "v1^{}", "@{0}", "--all", "HEAD^{tree}", "HEAD:a", "..", "v1..HEAD", "^v1", "WORKTREE", "a b", "\xff", "@{-1}", "HEAD@{1 year ago}", "$(id)", "v1\x1b[2J"} {
		f.Add(rev)
	}
	f.Fuzz(func(t *testing.T, name string) {
		rev, err := r.Resolve(t.Context(), name)
		if err != nil {
			return
		}
		if len(rev.Commit) != 40 || strings.Trim(rev.Commit, "0123456789abcdef") != "" || filepath.Dir(rev.Key) == "." {
			t.Errorf("%q is %+v", name, rev)
		}
	})
}

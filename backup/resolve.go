package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Resolve finds the revision that the user calls rev: a tag, branch, short or
// full hash, anything git takes for one commit (HEAD~3), or Worktree. A name
// that could mean several commits is an error that lists them.
func (r *Repo) Resolve(ctx context.Context, rev string) (Revision, error) {
	switch {
	case rev == "":
		return Revision{}, errors.New("resolving the revision: the name is empty")
	case strings.HasPrefix(rev, "-"):
		return Revision{}, fmt.Errorf("resolving revision %q: no branch, tag or hash starts with a dash", rev)
	case strings.ContainsAny(rev, "\x00\n"):
		return Revision{}, fmt.Errorf("resolving revision %q: no branch, tag or hash has such a character", rev)
	case rev == Worktree:
		return r.resolveWorktree(ctx)
	}
	spec := rev + "^{commit}"
	if strings.HasPrefix(rev, ":/") {
		spec = rev // what follows is a pattern, to its end
	}
	out, warnings, err := r.git.outputs(ctx, "rev-parse", "--verify", spec)
	if err != nil {
		return Revision{}, r.explainRevision(ctx, rev, err)
	}
	commit := strings.TrimSpace(string(out))
	if !isHash(commit) {
		return Revision{}, fmt.Errorf("resolving revision %q: not the name of one commit", rev)
	}
	if strings.Contains(warnings, "only goes back to") || strings.Contains(warnings, "only has ") {
		return Revision{}, fmt.Errorf("resolving revision %q: its reflog does not go back as far: %s", rev, strings.TrimPrefix(firstLine(warnings), "warning: "))
	}
	if strings.Contains(warnings, "is ambiguous") {
		if means := r.meanings(ctx, rev); len(means) > 1 {
			return Revision{}, fmt.Errorf("resolving revision %q: it is ambiguous, give one in full: %s", rev, strings.Join(means, ", "))
		}
	}
	return r.commit(rev, commit), nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// commit returns the revision of a commit.
//
// The letter tells commits from contents, and the paths of a good and a bad
// tree stay equally long: a program's speed may depend on the length of its path.
func (r *Repo) commit(name, hash string) Revision {
	return Revision{Name: name, Commit: hash, Key: r.id() + "/c" + hash}
}

func isHash(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// explainRevision says in one line why git found no commit.
func (r *Repo) explainRevision(ctx context.Context, rev string, err error) error {
	var failed *gitError
	if !errors.As(err, &failed) {
		return fmt.Errorf("resolving revision %q: %w", rev, err)
	}
	if objects := r.objects(ctx, base(rev)); len(objects) > 1 {
		return fmt.Errorf("resolving revision %q: it is ambiguous, give more digits: %s", rev, strings.Join(objects, ", "))
	}
	if out, err := r.git.line(ctx, "rev-parse", "--verify", "--quiet", rev); err == nil && isHash(out) {
		if kind, err := r.git.line(ctx, "cat-file", "-t", out); err == nil && kind != "commit" {
			return fmt.Errorf("resolving revision %q: it is no commit but a %s", rev, kind)
		}
	}
	if _, err := r.git.line(ctx, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil && base(rev) == "HEAD" {
		return fmt.Errorf("resolving revision %q: the repository has no commit yet", rev)
	}
	return fmt.Errorf("resolving revision %q: there is none of this name%s", rev, r.hint(ctx, rev))
}

// hint says where a revision that isn't there could come from.
func (r *Repo) hint(ctx context.Context, rev string) string {
	name := base(rev)
	remote, err := r.git.line(ctx, "for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", "refs/remotes/*/"+name)
	if err == nil && remote != "" && name != "HEAD" {
		return "; did you mean " + remote + rev[len(name):] + "?"
	}
	if r.shallow() {
		return "; the clone is shallow, and git fetch --unshallow --tags may bring it"
	}
	return "; git fetch --tags may bring it"
}

// base cuts off what follows a name to lead from there to another commit:
// HEAD~3, main@{yesterday}, v1^{}.
func base(rev string) string {
	if i := strings.IndexAny(rev, "~^:"); i >= 0 {
		rev = rev[:i]
	}
	rev, _, _ = strings.Cut(rev, "@{")
	return rev
}

// meanings lists what rev may stand for, if it may stand for different commits.
func (r *Repo) meanings(ctx context.Context, rev string) []string {
	name := base(rev)
	var means, commits []string
	for _, ref := range []string{name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name, "refs/remotes/" + name + "/HEAD"} {
		full, err := r.git.line(ctx, "rev-parse", "--verify", "--quiet", "--symbolic-full-name", ref)
		if err != nil || ref != full {
			continue
		}
		commit, _ := r.git.line(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
		means, commits = append(means, ref), append(commits, commit)
	}
	for _, o := range r.objects(ctx, name) {
		hash, _, _ := strings.Cut(o, " ")
		means, commits = append(means, hash), append(commits, hash)
	}
	if slices.Sort(commits); len(slices.Compact(commits)) < 2 {
		return nil
	}
	return means
}

// objects lists the commits and tags that a short hash may stand for, each with its
// date and subject: "HASH (2006-01-02 subject)".
func (r *Repo) objects(ctx context.Context, short string) []string {
	if len(short) < 4 || strings.Trim(short, "0123456789abcdefABCDEF") != "" {
		return nil
	}
	out, err := r.git.output(ctx, "rev-parse", "--disambiguate="+short)
	if err != nil {
		return nil
	}
	var list []string
	for _, hash := range strings.Fields(string(out)) {
		kind, err := r.git.line(ctx, "cat-file", "-t", hash)
		if err != nil || kind != "commit" && kind != "tag" {
			continue
		}
		about, err := r.git.output(ctx, "log", "-1", "--no-show-signature", "--format=%cs %s", hash)
		if err == nil {
			list = append(list, fmt.Sprintf("%s (%s)", hash, bytes.TrimSpace(about)))
		}
	}
	return list
}

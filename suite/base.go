package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
)

// chooseRevisions finds the head, and as base the merge base with the branch that
// it is to go into.
func (r *run) chooseRevisions(ctx context.Context) (err error) {
	if r.repo, err = backup.Open(ctx, r.opts.Hunt.Dir); err != nil {
		return err
	}
	head, err := r.repo.Resolve(ctx, r.opts.Head)
	if err != nil {
		return fmt.Errorf("--head: %w", err)
	}
	base, how, err := r.base(ctx, head)
	if err != nil {
		return err
	}
	r.head = head
	r.report.Good = report.Revision{Rev: base.Name, Commit: base.Commit}
	r.report.Bad = report.Revision{Rev: r.opts.Head, Commit: head.Commit}
	r.report.Base = how
	return nil
}

// base gives the revision to compare with, and how it was chosen.
func (r *run) base(ctx context.Context, head backup.Revision) (backup.Revision, string, error) {
	target, err := r.target(ctx)
	if err != nil {
		return backup.Revision{}, "", err
	}
	base, err := r.repo.MergeBase(ctx, target, head)
	if err != nil {
		return base, "", fmt.Errorf("%w; in CI fetch more of both histories (actions/checkout: fetch-depth: 0; GitLab: GIT_DEPTH: 0), or name a commit that is there with --base", err)
	}
	how := fmt.Sprintf("the merge base of %s and %s", r.opts.Head, target.Name)
	if base.Commit == head.Commit && r.opts.Head != backup.Worktree {
		// All of head is in the branch already: a push to it. What it brought is
		// what differs from the commit before.
		parent, err := r.repo.Resolve(ctx, head.Commit+"~1")
		if err != nil {
			return base, "", fmt.Errorf("%s is in %s already, and its parent isn't there: name the commit to compare with, such as --base HEAD~1, and see that it was fetched", r.opts.Head, target.Name)
		}
		how = fmt.Sprintf("the parent of %s, which is in %s already", r.opts.Head, target.Name)
		base = parent
	}
	base.Name = base.Commit
	return base, how, nil
}

// fetched is the ref that ci/deepen.sh fetches the target branch to.
const fetched = "refs/pinpoint/base"

// target resolves the branch that head is to go into.
func (r *run) target(ctx context.Context) (backup.Revision, error) {
	if r.opts.Base != "" {
		rev, err := r.repo.Resolve(ctx, r.opts.Base)
		if err != nil {
			return rev, fmt.Errorf("--base: %w", err)
		}
		if rev.Name == fetched {
			rev.Name = cmp.Or(r.opts.Target, rev.Commit[:min(10, len(rev.Commit))])
		}
		return rev, nil
	}
	names := []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"}
	if t := r.opts.Target; t != "" {
		names = []string{fetched, "refs/remotes/origin/" + t, "refs/heads/" + t, t}
	}
	for _, name := range names {
		if rev, err := r.repo.Resolve(ctx, name); err == nil {
			rev.Name = strings.TrimPrefix(strings.TrimPrefix(name, "refs/remotes/"), "refs/heads/")
			if name == fetched {
				rev.Name = r.opts.Target
			}
			return rev, nil
		}
	}
	return backup.Revision{}, fmt.Errorf("finding the base: there is none of %s; fetch the target branch, or name the revision with --base REV", strings.Join(names, ", "))
}

// open takes the private copies and the toolchain, for lists.
func (r *run) open(ctx context.Context) (err error) {
	r.set, err = revision.OpenPair(ctx, r.spec(), change.Pair[string]{Good: r.report.Good.Commit, Bad: r.headRevision()})
	if err != nil {
		return err
	}
	if r.set.Pair().Bad.Key != r.head.Key {
		return errMoved
	}
	r.tell(r.set)
	return nil
}

// spec is how revisions are opened, for lists.
func (r *run) spec() revision.Spec {
	o := r.opts.Hunt
	return revision.Spec{Dir: o.Dir, Workload: harness.Workload{Kind: harness.Bench}, Tags: o.Tags, CacheDir: o.CacheDir}
}

// tell warns of what is to be told of revisions.
func (r *run) tell(set *revision.Set) {
	for _, note := range set.Notes() {
		r.warn("%s", note)
	}
}

// errMoved says that the working files are no longer those that the job began with.
var errMoved = errors.New("the working files changed while the job was running: run it again")

// headRevision names the head for whoever resolves it again: its name may mean another
// commit by then. Uncommitted files have no other, see errMoved.
func (r *run) headRevision() string {
	if r.opts.Head == backup.Worktree {
		return backup.Worktree
	}
	return r.head.Commit
}

// openPackage opens a package in both revisions.
func (r *run) openPackage(ctx context.Context, p *pkg) (err error) {
	p.set, err = r.set.In(ctx, p.dir, harness.Workload{Kind: harness.Bench})
	return err
}

// Package session searches the commits between two revisions for the one that made bad
// slow. It promises that every commit is measured in a private tree of its own against one
// build of good, that a step that was decided is never measured again, also not after an
// interrupt, and that the call is then hunted in the commit that was found. In what order
// commits are asked for, and what the answers come to, package bisect knows.
package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/setup"
	"github.com/pinpoint-go/pinpoint/hunt/sides"
	"github.com/pinpoint-go/pinpoint/revision"
)

// session measures commits of one history, one after the other, against one build
// of good. Every commit gets a private tree and a binary of its own, as a side of a
// hunt does, by the toolchain that the ends are built with.
type session struct {
	*setup.Job
	mu      sync.Mutex // guards commits: some are built at the same time
	commits map[string]*candidate
}

// candidate is one commit of a session.
type candidate struct {
	ready    sync.Once // for its build
	side     *sides.Side
	err      error // why it can't be measured: *bisect.Untestable, or what ends the session
	campaign *harness.Campaign
	pairs    []harness.Pair
}

// openSession takes the trees of good and bad and builds both.
func openSession(ctx context.Context, opts hunt.Options) (*session, error) {
	j, err := setup.New(opts)
	if err != nil {
		return nil, err
	}
	s := &session{Job: j, commits: make(map[string]*candidate)}
	if err := s.open(ctx); err != nil {
		j.Close()
		return nil, err
	}
	return s, nil
}

func (s *session) open(ctx context.Context) error {
	if s.Options.Bad == backup.Worktree {
		return errors.New("--bad WORKTREE: a bisect goes through commits; commit the changes first, or compare with find")
	}
	if err := s.Job.Open(ctx); err != nil {
		return err
	}
	s.Log.Phase("building both revisions")
	bins, err := s.Set.BuildPair(ctx, change.Pair[revision.Build]{})
	if err != nil {
		return err
	}
	s.Good.Unprobed, s.Bad.Unprobed = bins.Good, bins.Bad
	bad := &candidate{side: s.Bad}
	bad.ready.Do(func() {})
	s.commits[s.Report.Bad.Commit] = bad
	s.RecordHost(ctx)
	return nil
}

// ahead builds commits that will be measured next, all at the same time. Where the
// first of them is built already, there is nothing to wait for.
func (s *session) ahead(ctx context.Context, commits []string) {
	if len(commits) == 0 || s.candidate(commits[0]).side != nil {
		return
	}
	var wg sync.WaitGroup
	for _, commit := range commits {
		wg.Go(func() { s.candidateBuilt(ctx, commit) })
	}
	wg.Wait()
}

func (s *session) candidate(commit string) *candidate {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.commits[commit]
	if !ok {
		c = &candidate{}
		s.commits[commit] = c
	}
	return c
}

func (s *session) candidateBuilt(ctx context.Context, commit string) *candidate {
	c := s.candidate(commit)
	c.ready.Do(func() { c.side, c.err = s.prepareCommit(ctx, commit) })
	return c
}

// prepareCommit makes a commit's tree and binary. Where that can't be, the error is
// *bisect.Untestable.
func (s *session) prepareCommit(ctx context.Context, commit string) (*sides.Side, error) {
	rev, err := s.Set.At(ctx, commit)
	var lacking *revision.LackingError
	switch {
	case errors.As(err, &lacking) && lacking.What == "directory":
		err = &bisect.Untestable{Reason: "it has no directory " + lacking.Name}
	case errors.As(err, &lacking):
		err = &bisect.Untestable{Reason: fmt.Sprintf("it has no %s like %s", lacking.What, lacking.Name)}
	}
	if err != nil {
		return &sides.Side{Revision: &revision.Revision{Label: short(commit)}}, err
	}
	made := &sides.Side{Revision: rev}
	if made.Unprobed, err = rev.Build(ctx, revision.Build{}); err != nil && ctx.Err() == nil {
		err = &bisect.Untestable{Reason: "it does not build", Cause: err}
	}
	return made, err
}

// sample takes n more pairs of good and a commit. The error is *bisect.Untestable
// where the commit is what fails.
func (s *session) sample(ctx context.Context, commit, what string, n int) ([]harness.Pair, error) {
	c := s.candidateBuilt(ctx, commit)
	if c.err != nil {
		return nil, c.err
	}
	if s.Sampler.Budget.Left() <= 0 || s.Sampler.Budget.Left() < s.Sampler.Budget.Pair*time.Duration(n) {
		return nil, compare.ErrBudget
	}
	if c.campaign == nil {
		s.Log.Phase("calibrating " + c.side.Label)
		plan, err := harness.Calibrate(ctx, s.Good.Unprobed, c.side.Unprobed, s.Options.Workload)
		if err != nil {
			return nil, c.fault(err)
		}
		if c.side == s.Bad {
			s.Report.Workload.Name = plan.BadBench
			s.Report.Provenance.Iterations.Good, s.Report.Provenance.Iterations.Bad = plan.GoodN, plan.BadN
			s.Report.Provenance.Iterations.Batches = plan.Batches
			if plan.Note != "" {
				s.Log.Warn("%s", plan.Note)
			}
		}
		s.Sampler.Plan = plan
		c.campaign = s.Sampler.Campaign(s.Good.Unprobed, c.side.Unprobed)
	}
	pairs, err := s.Sampler.Pairs(ctx, what, c.campaign, nil, len(c.pairs), len(c.pairs)+n)
	c.pairs = append(c.pairs, pairs...)
	if err != nil {
		return pairs, c.fault(err)
	}
	return pairs, nil
}

// fault tells a commit that fails from everything else that may go wrong.
func (c *candidate) fault(err error) error {
	var missing *harness.MissingError
	if errors.As(err, &missing) {
		for _, label := range missing.Labels {
			if label != c.side.Label {
				return err
			}
		}
		return &bisect.Untestable{Reason: "it has nothing that matches " + missing.Workload, Cause: err}
	}
	var failed *harness.WorkloadError
	if errors.As(err, &failed) && failed.Label == c.side.Label {
		return &bisect.Untestable{Reason: "it fails: " + harness.FirstLine(failed.Cause), Cause: err}
	}
	return err
}

// useMean has the session go by the mean of all batches from here on.
func (s *session) useMean() { s.Sampler.ByMean = true }

// samples turns pairs into what the search takes.
func (s *session) samples(pairs []harness.Pair) bisect.Samples {
	good, commit := s.Sampler.Wholes(pairs)
	return bisect.Samples{Good: good, Commit: commit}
}

// short is a commit as reports name it.
func short(commit string) string { return commit[:min(10, len(commit))] }

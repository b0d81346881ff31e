package hunt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/instrument"
)

// session measures commits of one history, one after the other, against one build
// of good. Every commit gets a private tree and a binary of its own, as a side of a
// hunt does, by the toolchain that the ends are built with.
type session struct {
	*hunt
	mu      sync.Mutex // guards commits: some are built at the same time
	commits map[string]*candidate
}

// candidate is one commit of a session.
type candidate struct {
	ready    sync.Once // for its build
	side     *side
	err      error // why it can't be measured: *bisect.Untestable, or what ends the session
	campaign *harness.Campaign
	pairs    []harness.Pair
}

// openSession takes the trees of good and bad and builds both.
func openSession(ctx context.Context, opts Options) (*session, error) {
	h, err := newHunt(ctx, opts)
	if err != nil {
		return nil, err
	}
	s := &session{hunt: h, commits: make(map[string]*candidate)}
	if err := s.open(ctx); err != nil {
		h.close()
		return nil, err
	}
	return s, nil
}

func (s *session) open(ctx context.Context) error {
	if s.opts.Bad == backup.Worktree {
		return errors.New("--bad WORKTREE: a bisect goes through commits; commit the changes first, or compare with find")
	}
	if err := s.takeTrees(ctx); err != nil {
		return err
	}
	if err := s.placeWorkload(); err != nil {
		return err
	}
	if err := s.pickToolchain(ctx); err != nil {
		return err
	}
	s.log.Phase("building both revisions")
	err := both(func(side *side) error { return s.make(ctx, side) }, s.good, s.bad)
	if err != nil {
		return err
	}
	bad := &candidate{side: s.bad}
	bad.ready.Do(func() {})
	s.commits[s.report.Bad.Commit] = bad
	s.recordHost()
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
func (s *session) prepareCommit(ctx context.Context, commit string) (*side, error) {
	rev, err := s.repo.Resolve(ctx, commit)
	if err != nil {
		return nil, err
	}
	side := &side{label: short(commit), added: make(map[string][]byte)}
	if side.tree, err = s.repo.Tree(ctx, s.opts.CacheDir, rev); err != nil {
		return nil, err
	}
	side.dir = filepath.Join(side.tree.Dir, filepath.FromSlash(s.repo.Prefix()), filepath.FromSlash(s.opts.Package))
	if st, err := os.Stat(side.dir); err != nil || !st.IsDir() {
		return side, &bisect.Untestable{Reason: "it has no directory " + s.opts.Package}
	}
	if err := s.placeIn(side); err != nil {
		return side, err
	}
	side.deps = s.newDependencies(side)
	if err = s.make(ctx, side); err != nil && ctx.Err() == nil {
		err = &bisect.Untestable{Reason: "it does not build", Cause: err}
	}
	return side, err
}

// make builds a side. Its code is loaded only for a metric that is found in it.
func (s *session) make(ctx context.Context, side *side) error {
	if err := s.raiseLanguage(ctx, side); err != nil {
		return err
	}
	if s.sampler.Quantity.Meter == instrument.MeterCalls {
		var err error
		if side.prog, err = s.load(ctx, side); err != nil {
			return err
		}
	}
	return s.buildUnprobed(ctx, side)
}

// placeIn sees to it that a commit has the workload. What the user brings goes into
// every commit, and so does what one of the ends lacks. A commit that lacks what both
// ends have can't be measured.
func (s *session) placeIn(side *side) error {
	if s.opts.Workload.Kind == harness.Main {
		return nil
	}
	if s.opts.Driver == "" {
		names, err := declaring(side.dir, prefixes[s.opts.Workload.Kind], s.opts.Workload.Pattern)
		if err != nil || len(names) > 0 {
			return err
		}
		if s.report.Workload.Carried == "" {
			return &bisect.Untestable{Reason: fmt.Sprintf("it has no %s like %s", kinds[s.opts.Workload.Kind], s.opts.Workload.Pattern)}
		}
	}
	for name, content := range s.carriedFiles() {
		side.added[filepath.Join(side.dir, name)] = content
	}
	return nil
}

// carriedFiles are the files that were added to an end, by their names in the
// package.
func (s *session) carriedFiles() map[string][]byte {
	files := make(map[string][]byte)
	for _, end := range []*side{s.good, s.bad} {
		for name, content := range end.added {
			files[filepath.Base(name)] = content
		}
	}
	return files
}

// sample takes n more pairs of good and a commit. The error is *bisect.Untestable
// where the commit is what fails.
func (s *session) sample(ctx context.Context, commit, what string, n int) ([]harness.Pair, error) {
	c := s.candidateBuilt(ctx, commit)
	if c.err != nil {
		return nil, c.err
	}
	if s.budget.Left() <= 0 || s.budget.Left() < s.budget.Pair*time.Duration(n) {
		return nil, compare.ErrBudget
	}
	if c.campaign == nil {
		s.log.Phase("calibrating " + c.side.label)
		plan, err := harness.Calibrate(ctx, s.good.unprobed, c.side.unprobed, s.opts.Workload)
		if err != nil {
			return nil, c.fault(err)
		}
		if c.side == s.bad {
			s.report.Workload.Name = plan.BadBench
			s.report.Provenance.Iterations.Good, s.report.Provenance.Iterations.Bad = plan.GoodN, plan.BadN
			s.report.Provenance.Iterations.Batches = plan.Batches
			if plan.Note != "" {
				s.log.Warn("%s", plan.Note)
			}
		}
		s.sampler.Plan = plan
		c.campaign = s.sampler.Campaign(s.good.unprobed, c.side.unprobed)
	}
	pairs, err := s.sampler.Pairs(ctx, what, c.campaign, nil, len(c.pairs), len(c.pairs)+n)
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
			if label != c.side.label {
				return err
			}
		}
		return &bisect.Untestable{Reason: "it has nothing that matches " + missing.Workload, Cause: err}
	}
	var failed *harness.WorkloadError
	if errors.As(err, &failed) && failed.Label == c.side.label {
		return &bisect.Untestable{Reason: "it fails: " + firstLine(failed.Cause), Cause: err}
	}
	return err
}

// useMean has the session go by the mean of all batches from here on.
func (s *session) useMean() { s.sampler.ByMean = true }

// samples turns pairs into what the search takes.
func (s *session) samples(pairs []harness.Pair) bisect.Samples {
	good, commit := s.sampler.Wholes(pairs)
	return bisect.Samples{Good: good, Commit: commit}
}

// short is a commit as reports name it.
func short(commit string) string { return commit[:min(10, len(commit))] }

// endsOptions are the options of a hunt between two commits of the session.
func (s *session) endsOptions(good, bad string) Options {
	opts := s.opts
	opts.Good, opts.Bad = good, bad
	if s.report.Workload.Carried != "" {
		opts.carry = maps.Clone(s.carriedFiles())
	}
	return opts
}

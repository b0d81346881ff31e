package bisect

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// How many pairs are taken at the first look, and at most: of the ends, and of a
// step, which is passed over if it is then undecided. A step asks about half the
// difference, for which it takes four times as many as the ends did; but that is known
// by then, and where it is large three pairs tell.
const (
	firstLook = 6
	firstStep = 3
	mostEnds  = 384
	leastStep = 96
	mostStep  = 768
)

// mostPairs is how many a step takes at most.
func (e Ends) mostPairs() int { return min(mostStep, max(leastStep, 4*e.Good.N)) }

// How the error is spread. What a step decides is decided again before it counts,
// so that only the ends and the commits on which the answer rests may spend any.
const (
	endsFraction    = 1.0 / 3
	confirmFraction = 2.0 / 3
	// stepAlpha is the chance that a step of the search goes the wrong way, which costs time
	// alone. Of 1000 simulated searches among 64 commits, twice as slow, with it and three
	// pairs to begin with 1000 named the right commit, by 99 pairs each; with six pairs and
	// an error of 1 %, 1000 by 127. Ten times as slow: 64 and 81.
	stepAlpha = 0.2
	// maxRounds is how often a confirmation may send the search back.
	maxRounds = 6
)

// Untestable is the error of Config.Sample for a commit that can't be tested: one
// that doesn't build, or lacks the benchmark. The search goes to another.
type Untestable struct {
	Reason string // in a few words
	Cause  error
}

func (e *Untestable) Error() string { return e.Reason }
func (e *Untestable) Unwrap() error { return e.Cause }

// Config says what to search and how.
type Config struct {
	History *History
	Bad     string // the slow end
	// Bases are commits from which both ends come, where bad does not come from
	// good. One that is slow already means that the difference was not made after
	// it, but undone on the way to good.
	Bases []string

	Alpha     float64 // bound on the chance that a commit is named that is not the first
	MinEffect float64 // share of good below which the ends don't differ
	Test      stats.Test

	// Sample gives n more pairs of good and a commit, which may be Bad. The error
	// is *Untestable for a commit to go past; any other ends the search.
	Sample func(ctx context.Context, commit string, n int) (Samples, error)
	// Ahead is told of the commits of which at most two will be sampled next,
	// the first one first, before the first of them is. Nothing is being sampled
	// while it runs. May be nil.
	Ahead func(ctx context.Context, commits []string)
	// Save is given every step as it is so far, each time its samples get more and
	// when it is decided. May be nil.
	Save func(Step) error
	// Known are the steps that a search before this one saved, in the order in which
	// they were first saved. They are not sampled again.
	Known []Step
}

// A Step is what one commit was found to be.
type Step struct {
	Commit  string  `json:"commit"`
	Stage   Stage   `json:"stage"`
	Round   int     `json:"round"` // how often the search was sent back before
	Mark    Mark    `json:"mark"`  // empty: not decided yet
	Reason  string  `json:"reason,omitempty"`
	Level   *Level  `json:"level,omitempty"` // nil where it could not be tested
	Samples Samples `json:"samples"`
}

// Stage is what a step is for.
type Stage string

// The stages of a search.
const (
	StageEnds    Stage = "ends"    // bad itself
	StageBase    Stage = "base"    // a commit that both ends come from
	StageSearch  Stage = "search"  // narrowing
	StageConfirm Stage = "confirm" // once more on fresh processes, since the answer rests on it
)

// Result is what a search came to. Exactly one of First, OneOf and Why is set,
// and none if Ends says that bad is not slower.
type Result struct {
	Ends      Ends
	First     string   // the first bad commit
	OneOf     []string // where it can't be told which, oldest first
	Why       string   // there is no answer, and this is why
	Confirmed bool     // First and what it comes from were decided once more, on fresh samples
	Left      int      // how many could be it still, where an error ended the search
	Steps     []Step   // in the order they were made, the ends first
	Marks     []Step   // what counts in the end, one a commit
	Spent     float64  // bound on the chance that First is wrong
}

// search is one search under way.
type search struct {
	Config
	known  map[key]Step
	result Result
	marks  map[string]Step
	order  []string // of marks
	opened int      // confirmations
	next   []string // what Ahead is to be told of before the next sample

	confirmed map[string]Mark // what confirmations gave; they are not made twice
}

func newSearch(cfg Config) *search {
	s := &search{Config: cfg, known: make(map[key]Step), marks: make(map[string]Step), confirmed: make(map[string]Mark)}
	for _, k := range cfg.Known {
		s.known[key{k.Commit, k.Stage, k.Round}] = k
	}
	return s
}

// key tells steps apart.
type key struct {
	commit string
	stage  Stage
	round  int
}

// Find searches the history. The result holds what was learned also when there is
// an error.
func Find(ctx context.Context, cfg Config) (*Result, error) {
	s := newSearch(cfg)
	err := s.ends(ctx)
	if err == nil && s.result.Ends.Verdict == stats.Slower {
		if err = s.bases(ctx); err == nil && s.result.Why == "" {
			err = s.rounds(ctx)
		}
	}
	for _, commit := range s.order {
		s.result.Marks = append(s.result.Marks, s.marks[commit])
	}
	if err != nil {
		s.result.Left = len(s.candidates().possible())
	}
	return &s.result, err
}

// One decides a single commit of a search that something else leads, as git
// bisect run does: the ends first, and then the commit. A step that the answer may
// rest on can't be known, so each counts as one and is decided strictly, at an
// error of its own: that of all steps together is within what was asked for.
func One(ctx context.Context, cfg Config, commit string) (*Result, Step, error) {
	s := newSearch(cfg)
	if err := s.ends(ctx); err != nil || s.result.Ends.Verdict != stats.Slower {
		return &s.result, Step{}, err
	}
	// A commit that was decided before has the error that it had then, whatever was
	// decided since: with another one it might not be decided any more.
	steps := slices.DeleteFunc(slices.Clone(cfg.Known), func(k Step) bool { return k.Stage != StageConfirm })
	at := slices.IndexFunc(steps, func(k Step) bool { return k.Commit == commit })
	if at < 0 {
		at = len(steps)
	}
	for range at {
		s.open()
	}
	step, err := s.decide(ctx, Step{Commit: commit, Stage: StageConfirm})
	for range len(steps) - at - 1 {
		s.open()
	}
	return &s.result, step, err
}

// ends compares good and bad, until it is known whether they differ, and if so by
// how much.
func (s *search) ends(ctx context.Context) error {
	looks := stats.Looks(firstLook, mostEnds)
	alpha := s.Alpha * endsFraction / float64(2*len(looks)) // of two summaries, see Config.Sample
	s.result.Spent += s.Alpha * endsFraction
	step := Step{Commit: s.Bad, Stage: StageEnds}
	step, err := s.sample(ctx, step, looks, func(step *Step, last bool) bool {
		e := judgeEnds(step.Samples, alpha, s.MinEffect, s.Test)
		s.result.Ends = e
		switch {
		case e.Verdict == stats.Slower && (e.sharp() || last):
			step.Mark = Bad
		case e.Verdict != stats.Unknown && e.Verdict != stats.Slower, last:
			step.Mark = Skip
		}
		return step.Mark != ""
	})
	s.result.Steps = append(s.result.Steps, step)
	if err != nil {
		return fmt.Errorf("comparing the ends: %w", err)
	}
	if s.result.Ends.Verdict == stats.Slower {
		s.mark(step)
	}
	return nil
}

// bases tests the commits from which both ends come, as git bisect does.
func (s *search) bases(ctx context.Context) error {
	for _, base := range s.Bases {
		step, err := s.decide(ctx, Step{Commit: base, Stage: StageBase})
		s.result.Steps = append(s.result.Steps, step)
		if err != nil {
			return err
		}
		s.mark(step)
		if step.Mark == Bad {
			s.result.Why = fmt.Sprintf("%.10s, where both ends come from, is slow already: "+
				"nothing between it and bad made it slow, but something on the way to good made good fast", base)
			return nil
		}
	}
	return nil
}

// rounds searches and confirms, and searches on when a confirmation doesn't bear
// out what a step decided. A wrong mark leads to itself: if a commit is taken to
// be slow that isn't, all before it are fast and it looks like the first; if one is
// taken to be fast that isn't, all after it are slow, and it looks like the last
// fast one. So confirming the two catches it, wherever it was made.
func (s *search) rounds(ctx context.Context) error {
	for round := range maxRounds {
		c, err := s.narrow(ctx, round)
		if err != nil {
			return err
		}
		first, oneOf := c.answer()
		if first == "" {
			s.result.OneOf = oneOf
			if len(oneOf) == 0 {
				s.result.Why = "all commits that could be it are fast: the difference was made by something else"
			}
			return nil
		}
		again, err := s.confirm(ctx, c, round)
		if err != nil || s.result.Why != "" {
			return err
		}
		if !again {
			s.result.First, s.result.Confirmed = first, true
			return nil
		}
	}
	s.result.Why = fmt.Sprintf("fresh samples contradicted the search %d times: this machine is too noisy for a difference of this size", maxRounds)
	return nil
}

// candidates are what the marks leave.
func (s *search) candidates() candidates {
	c := newCandidates(s.History, s.Bad)
	for _, commit := range s.order {
		i, ok := s.History.index[commit]
		if ok && commit != s.Bad && c.left[i] {
			c = c.with(i, s.marks[commit].Mark)
		}
	}
	return c
}

// narrow decides commits until none is left that could be.
func (s *search) narrow(ctx context.Context, round int) (candidates, error) {
	for c := s.candidates(); ; c = s.candidates() {
		i := c.next()
		if i < 0 {
			return c, nil
		}
		commit := s.History.commits[i].Hash
		s.next = s.ahead(c, i)
		step, err := s.decide(ctx, Step{Commit: commit, Stage: StageSearch, Round: round})
		s.result.Steps = append(s.result.Steps, step)
		if err != nil {
			return c, err
		}
		s.mark(step)
	}
}

// ahead lists a commit and those that follow it, whatever it turns out to be.
func (s *search) ahead(c candidates, i int) []string {
	list := []string{s.History.commits[i].Hash}
	for _, m := range []Mark{Good, Bad} {
		if next := c.with(i, m).next(); next >= 0 {
			list = append(list, s.History.commits[next].Hash)
		}
	}
	return list
}

// confirm decides once more, strictly, what the answer rests on: that the first
// bad commit is slow, that those it comes from are fast, and that what was left out
// as erratic is not always slow. It says whether a mark had to be changed.
func (s *search) confirm(ctx context.Context, c candidates, round int) (changed bool, err error) {
	for _, rest := range s.restsOn(c) {
		if rest.Commit == s.Bad || s.confirmed[rest.Commit] == rest.Mark {
			continue // that bad is slow is what the ends say
		}
		step, err := s.decide(ctx, Step{Commit: rest.Commit, Stage: StageConfirm, Round: round})
		s.result.Steps = append(s.result.Steps, step)
		if err != nil {
			return false, err
		}
		s.confirmed[step.Commit] = step.Mark
		if step.Mark == rest.Mark {
			continue
		}
		if _, measured := s.marks[step.Commit]; measured {
			s.mark(step)
			return true, nil
		}
		if step.Mark == Bad {
			s.result.Why = fmt.Sprintf("%.10s is slow, though a commit that comes from it is fast: the history got slow more than once", step.Commit)
			return false, nil
		}
	}
	return false, nil
}

// restsOn lists what the answer rests on, with the marks that it takes for granted.
func (s *search) restsOn(c candidates) []Step {
	hash := func(i int) string { return s.History.commits[i].Hash }
	list := []Step{{Commit: hash(c.last), Mark: Bad}}
	for _, i := range s.boundary(c) {
		list = append(list, Step{Commit: hash(i), Mark: Good})
	}
	for _, i := range s.History.tested(c.left) {
		if c.passed[i] == Erratic {
			list = append(list, Step{Commit: hash(i), Mark: Erratic})
		}
	}
	return list
}

// boundary lists the commits that were ruled out as fast and from which one that
// is left comes directly.
func (s *search) boundary(c candidates) []int {
	var list []int
	seen := make(map[int]bool)
	for i, in := range c.left {
		if !in {
			continue
		}
		for _, p := range s.History.parents[i] {
			if !c.left[p] && !seen[p] && !s.History.commits[p].Passive {
				seen[p] = true
				list = append(list, p)
			}
		}
	}
	return list
}

func (s *search) mark(step Step) {
	if _, ok := s.marks[step.Commit]; !ok {
		s.order = append(s.order, step.Commit)
	}
	s.marks[step.Commit] = step
}

// decide samples a commit until it is known which side it is on, or that it
// can't be told.
func (s *search) decide(ctx context.Context, step Step) (Step, error) {
	looks, alpha := stats.Looks(firstLook, s.result.Ends.mostPairs()), s.Alpha
	strict := step.Stage == StageConfirm
	switch step.Stage {
	case StageConfirm:
		looks, alpha = s.open()
	case StageSearch:
		looks, alpha = stats.Looks(firstStep, s.result.Ends.mostPairs()), max(s.Alpha, stepAlpha)
	}
	alpha /= float64(len(looks))
	return s.sample(ctx, step, looks, func(step *Step, last bool) bool {
		mark, level := s.result.Ends.judge(step.Samples, alpha, s.Test, strict)
		step.Level = finite(level)
		switch {
		case mark != Skip:
			step.Mark = mark
		case last && s.result.Ends.notSlow(step.Samples, alpha):
			step.Mark = Erratic
		case last:
			step.Mark = Skip
			step.Reason = fmt.Sprintf("not decided with %d pairs", step.Samples.Pairs())
		}
		if step.Mark == Erratic {
			fast, slow := s.result.Ends.sides(step.Samples)
			step.Reason = fmt.Sprintf("erratic: %d processes as fast as good, %d as slow as bad", fast, slow)
		}
		return step.Mark != ""
	})
}

// open gives the next confirmation its looks and its error: the k-th 1/k(k+1) of
// what all of them have. The first look is where a side can be proved by number.
func (s *search) open() (looks []int, alpha float64) {
	s.opened++
	k := float64(s.opened)
	alpha = s.Alpha * confirmFraction / (k * (k + 1))
	s.result.Spent += alpha
	first, most := firstLook, 2*s.result.Ends.mostPairs()
	for {
		looks = stats.Looks(first, most)
		if math.Pow(0.5, float64(first)) <= alpha/float64(2*len(looks)) || first >= most {
			return looks, alpha
		}
		first++
	}
}

// sample takes pairs of a commit until enough says that the step is decided; last
// tells it that there will be no more. What was saved before is not taken again.
func (s *search) sample(ctx context.Context, step Step, looks []int, enough func(step *Step, last bool) bool) (Step, error) {
	if known, ok := s.known[key{step.Commit, step.Stage, step.Round}]; ok {
		step.Samples = known.Samples
		if known.Mark == Skip && known.Level == nil {
			return known, nil // could not be tested
		}
	}
	for look, n := range looks {
		fresh := step.Samples.Pairs() < n
		if fresh {
			s.tellAhead(ctx)
			more, err := s.Sample(ctx, step.Commit, n-step.Samples.Pairs())
			step.Samples = step.Samples.and(more)
			if u, ok := errors.AsType[*Untestable](err); ok && step.Stage != StageEnds {
				step.Mark, step.Reason, step.Level = Skip, u.Reason, nil
				return step, s.save(step)
			}
			if err != nil {
				return step, errors.Join(err, s.save(step))
			}
		} else if look+1 < len(looks) && step.Samples.Pairs() >= looks[look+1] {
			continue // seen at a later look
		}
		done := enough(&step, look == len(looks)-1)
		if fresh || done {
			if err := s.save(step); err != nil {
				return step, err
			}
		}
		if done {
			break
		}
	}
	return step, nil
}

func (s *search) tellAhead(ctx context.Context) {
	if s.Ahead != nil && s.next != nil {
		s.Ahead(ctx, s.next)
	}
	s.next = nil
}

func (s *search) save(step Step) error {
	if s.Save == nil {
		return nil
	}
	return s.Save(step)
}

// finite keeps an unbounded interval representable in JSON.
func finite(l Level) *Level {
	for _, x := range []*float64{&l.Mean, &l.Low, &l.High} {
		if math.IsNaN(*x) {
			*x = 0
		}
		*x = max(-math.MaxFloat64, min(math.MaxFloat64, *x))
	}
	return &l
}

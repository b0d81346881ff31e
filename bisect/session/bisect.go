package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/backup"
	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/revision"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Options says what to search the commits between Good and Bad for. Both are commits.
type Options struct {
	hunt.Options
	FirstParent bool     // follow only the first parent of merges
	Paths       []string // only commits that touch these can be it; relative to Dir
	Resume      bool     // go on with what a search of the same question left
	Log         string   // a file that is kept as git bisect log shows it; "": none
}

// The search for the commit and the one for the call share time and error.
const (
	commitsBudget = 2.0 / 3 // of the time, at most
	commitsAlpha  = 0.5     // of the error; the rest is the hunt's
)

// Bisect finds the commit between good and bad that made bad slow, and then the call
// in it. The report is of that commit and its parent, and has a Bisect. Where
// commits that can't be tested hide the answer, it is of the last commit that is
// fast and the first that is slow.
//
// A search that ends early can be resumed.
func Bisect(ctx context.Context, o Options) (*report.Report, error) {
	whole := o.Options
	whole.SetDefaults()
	o.Options = whole
	o.Budget = time.Duration(commitsBudget * float64(whole.Budget))
	o.Alpha = commitsAlpha * whole.Alpha
	b, err := openBisection(ctx, o)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	defer b.RecordLog()
	err = b.search(ctx)
	out := b.reported(err == nil)
	switch {
	case errors.Is(err, compare.ErrBudget):
		b.Log.Warn("the time for the search, %v, is up before the commit was found", o.Budget.Round(time.Second))
		b.Log.Resume(2 * whole.Budget)
		return b.Report, nil
	case err != nil:
		return b.Report, err
	case b.result.Ends.Verdict != stats.Slower || b.result.First == "" && len(b.result.OneOf) == 0:
		b.state.remove()
		return b.Report, nil
	}
	r, err := b.hunted(ctx, whole.Budget, out)
	if err == nil && out.Verified {
		b.state.remove()
	}
	return r, err
}

// bisection is a session that searches.
type bisection struct {
	*session
	opts    Options
	history *history
	state   *state
	result  *bisect.Result
	decided int
	resumed int // steps that an earlier search had decided
}

func openBisection(ctx context.Context, o Options) (*bisection, error) {
	// What git and the command line can tell is told before anything is built.
	repo, err := backup.Open(ctx, o.Dir)
	if err != nil {
		return nil, err
	}
	var commits [2]string
	for i, name := range []string{o.Good, o.Bad} {
		if name == backup.Worktree {
			return nil, fmt.Errorf("%s is no commit: a bisect goes from commit to commit; find compares with the working tree", name)
		}
		rev, err := repo.Resolve(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", []string{"good", "bad"}[i], err)
		}
		commits[i] = rev.Commit
	}
	history, err := readHistory(ctx, repo, commits[0], commits[1], o.FirstParent, o.Paths)
	if err != nil {
		return nil, err
	}
	s, err := openSession(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	b := &bisection{session: s, opts: o, history: history}
	if err := b.openState("bisect"); err != nil {
		s.Close()
		return nil, err
	}
	return b, nil
}

// openState finds what an earlier search left, if it is to be gone on with.
func (b *bisection) openState(use string) (err error) {
	if b.state, err = newState(b.session.Options.CacheDir, b.question(use, b.opts)); err != nil {
		return err
	}
	if !b.opts.Resume {
		if b.state.exists() {
			b.Log.Phase("beginning again; with --resume the search that was interrupted would go on")
		}
		return nil
	}
	found, err := b.state.load()
	if err == nil && !found {
		err = errors.New("--resume: no search with these ends, this workload and these options was interrupted")
	}
	if err == nil && b.state.Mean {
		b.useMean()
	}
	for _, step := range b.state.Steps {
		if step.Mark != "" {
			b.resumed++
		}
	}
	return err
}

// search finds the commit, or what can be said of it.
func (b *bisection) search(ctx context.Context) error {
	cfg := b.config()
	var err error
	b.result, err = bisect.Find(ctx, cfg)
	if err == nil && b.result.Ends.Verdict != stats.Slower && b.slowByMean() {
		b.result, err = bisect.Find(ctx, b.config())
	}
	b.Report.Search.Seconds = time.Since(b.Start).Seconds()
	return errors.Join(err, b.writeLog())
}

// slowByMean looks at the ends again by the mean of all batches: a cost that few of
// them pay is not in the fast ones. If bad is slower then, the search goes by that.
func (b *bisection) slowByMean() bool {
	pairs := b.candidate(b.Report.Bad.Commit).pairs
	if len(pairs) == 0 || b.state.Mean {
		return false
	}
	fast := b.Sampler.ByMean
	b.useMean()
	s := b.samples(pairs)
	rule := stats.Rule{Alpha: b.opts.Alpha / 10, MinEffect: b.opts.MinEffect * compare.Mean(s.Good), Test: stats.TestPaired}
	if rule.Compare(s.Good, s.Commit).Verdict != stats.Slower {
		b.Sampler.ByMean = fast
		return false
	}
	b.Log.Warn("the difference is in a few slow batches only, such as those in which garbage is collected: the search goes by the mean of all, which is noisier")
	b.state.Mean, b.state.Steps = true, []bisect.Step{{Commit: b.Report.Bad.Commit, Stage: bisect.StageEnds, Samples: s}}
	return true
}

func (b *bisection) config() bisect.Config {
	return bisect.Config{
		History:   b.history.History,
		Bad:       b.Report.Bad.Commit,
		Bases:     b.history.bases,
		Alpha:     b.opts.Alpha,
		MinEffect: b.opts.MinEffect,
		Test:      b.test(),
		Known:     slices.Clone(b.state.Steps),
		Sample: func(ctx context.Context, commit string, n int) (bisect.Samples, error) {
			pairs, err := b.sample(ctx, commit, b.phase(commit), n)
			return b.samples(pairs), err
		},
		Ahead: func(ctx context.Context, commits []string) {
			b.Log.Phase("building " + short(commits[0]) + " and what may follow")
			b.ahead(ctx, commits)
		},
		Save: b.save,
	}
}

// test is what decides a step: means and ranks of pairs, unless the user wants
// something else.
func (b *bisection) test() stats.Test {
	if b.opts.Test == stats.TestWelch {
		return stats.TestAuto
	}
	return b.opts.Test
}

// phase says what is measured and how far the search is.
func (b *bisection) phase(commit string) string {
	if commit == b.Report.Bad.Commit && b.decided == 0 {
		return "comparing good and bad"
	}
	if b.history.History == nil {
		return "measuring " + short(commit) // git leads
	}
	about := bits.Len(uint(b.history.Len() - 1))
	return fmt.Sprintf("step %d of about %d: %s %s", b.decided, about, short(commit), b.history.about[commit].Subject)
}

func (b *bisection) save(step bisect.Step) error {
	if step.Mark != "" {
		b.decided++
	}
	return b.state.put(step)
}

// writeLog keeps the file that the user asked for.
func (b *bisection) writeLog() error {
	if b.opts.Log == "" || b.result == nil {
		return nil
	}
	if err := output.Save(b.opts.Log, func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(b.gitLog(), "\n")+"\n")
		return err
	}); err != nil {
		return fmt.Errorf("--log: %w", err)
	}
	return nil
}

func (b *bisection) gitLog() []string {
	return b.history.gitLog(b.Report.Good.Commit, b.Report.Bad.Commit, b.opts.FirstParent, b.opts.Paths, b.result)
}

// reported puts what the search gave into the report, which is of the ends. done
// says that it came to its end.
func (b *bisection) reported(done bool) *report.Bisect {
	r := b.result
	processes, _ := b.Log.Processes()
	out := &report.Bisect{
		Good: b.Report.Good, Bad: b.Report.Bad,
		FirstParent: b.opts.FirstParent, Paths: b.opts.Paths,
		Commits: b.history.Len(), Resumed: b.resumed,
		Bound: r.Spent, Why: r.Why, Log: b.gitLog(),
		OneOf: []report.Commit{}, Skipped: []report.BisectStep{}, Steps: []report.BisectStep{},
		Processes: processes, Seconds: b.Report.Search.Seconds,
	}
	b.Report.Bisect = out
	if r.Ends.Good.N >= 2 {
		out.Whole = b.Sampler.Delta(r.Ends.Comparison)
		b.Report.Whole = out.Whole
	}
	if r.First != "" {
		c := b.history.about[r.First]
		out.FirstBad = &c
	}
	for _, commit := range r.OneOf {
		out.OneOf = append(out.OneOf, b.history.about[commit])
	}
	measured := make(map[string]bool)
	for _, s := range r.Steps {
		out.Steps = append(out.Steps, b.step(s))
		if s.Samples.Pairs() > 0 {
			measured[s.Commit] = true
		}
	}
	out.Measured = len(measured)
	for _, s := range r.Marks {
		if s.Mark == bisect.Skip || s.Mark == bisect.Erratic {
			out.Skipped = append(out.Skipped, b.step(s))
		}
	}
	if b.verdict(); !done {
		out.Why = fmt.Sprintf("The search was cut short with %d of %d commits left that can be it. What it measured is kept for --resume.", r.Left, out.Commits)
	} else if r.Ends.Verdict == stats.Unknown {
		out.Why = "It is not decided whether the ends differ."
	}
	return out
}

func (b *bisection) step(s bisect.Step) report.BisectStep {
	out := report.BisectStep{
		Commit: s.Commit, Subject: b.history.about[s.Commit].Subject,
		Stage: string(s.Stage), Mark: string(s.Mark), Pairs: s.Samples.Pairs(), Reason: s.Reason,
		Good: s.Samples.Good, Samples: s.Samples.Commit,
	}
	if s.Level != nil {
		out.Level = &report.Interval{Mean: s.Level.Mean, Low: s.Level.Low, High: s.Level.High}
	}
	return out
}

// verdict is what the ends alone say, until a hunt between two commits says more:
// bad may be slower and still no commit be found.
func (b *bisection) verdict() {
	b.Report.Verdict = report.Inconclusive
	switch b.result.Ends.Verdict {
	case stats.Same:
		b.Report.Verdict = report.NoRegression
	case stats.Faster:
		b.Report.Verdict = report.Improvement
		b.Log.Warn("bad is faster than good: to find what made it faster, swap the ends and read good for bad")
	}
	b.WarnOfWrites()
}

// hunted finds the call in the commit that was found, or between the last fast and
// the first slow one.
func (b *bisection) hunted(ctx context.Context, budget time.Duration, out *report.Bisect) (*report.Report, error) {
	good, bad, err := b.pair(ctx)
	if err != nil {
		return b.Report, err
	}
	opts := b.session.Options
	opts.Good, opts.Bad = good, bad
	set, err := b.between(ctx, good, bad)
	if err != nil {
		return b.Report, err
	}
	defer set.Close()
	opts.Opened, opts.MeasureAnyway = set, true // it was seen to be slower
	opts.Budget = budget - time.Since(b.Start)
	opts.Alpha = b.opts.Alpha / commitsAlpha * (1 - commitsAlpha)
	r, err := hunt.Find(ctx, opts)
	if r == nil {
		b.Report.Error = err.Error()
		b.Log.Warn("the call was not searched for: %s", harness.FirstLine(err))
		if ctx.Err() != nil {
			return b.Report, err
		}
		return b.Report, nil
	}
	r.Bisect = out
	if r.Continue != "" {
		r.Continue = "--resume " + r.Continue
	}
	r.Warnings = append(b.Log.Notes(), r.Warnings...)
	if b.result.First == "" {
		return r, err
	}
	out.Verified = r.Verdict == report.Regression
	if !out.Verified {
		r.Verdict = report.Inconclusive
		return r, err
	}
	out.Share = b.share(good, r)
	out.Others = b.others(good, bad)
	return r, err
}

// between is the pair of two commits, with what was made of them for the search.
func (b *bisection) between(ctx context.Context, good, bad string) (*revision.Set, error) {
	from, err := b.Set.At(ctx, good)
	if err != nil {
		return nil, err
	}
	to, err := b.Set.At(ctx, bad)
	if err != nil {
		return nil, err
	}
	return b.Set.Between(from, to)
}

// others says whether the levels of a commit and its parent leave more than a tenth
// of the difference to commits before or after them.
func (b *bisection) others(parent, commit string) bool {
	for _, m := range b.result.Marks {
		if m.Level == nil {
			continue
		}
		if m.Commit == parent && m.Level.Low > 0.1 || m.Commit == commit && m.Level.High < 0.9 {
			return true
		}
	}
	return false
}

// pair is the two commits to hunt between: the first slow one, as far as is known,
// and what it comes from that is known to be fast.
func (b *bisection) pair(ctx context.Context) (good, bad string, err error) {
	hidden := b.result.OneOf
	bad = b.result.First
	if bad == "" {
		bad = hidden[len(hidden)-1]
	}
	for good = bad; good == bad || slices.Contains(hidden, good); {
		ps, err := parents(ctx, b.Set.Repo(), good)
		if err != nil {
			return "", "", err
		}
		if len(ps) == 0 {
			return "", "", fmt.Errorf("%s has no parent to be held against", short(good))
		}
		good = ps[0]
	}
	return good, bad, nil
}

// share is how much of the difference between the ends a commit made: what it is
// slower than its parent, which has a level of its own. An erratic parent has none.
func (b *bisection) share(parent string, r *report.Report) *float64 {
	if r.Whole == nil || r.Whole.Good <= 0 {
		return nil
	}
	before := 1.0
	for _, m := range b.result.Marks {
		switch {
		case m.Commit != parent:
		case m.Mark == bisect.Erratic:
			b.Report.Bisect.Why = fmt.Sprintf("Its parent, %s, is now as fast as good and now as slow as bad. Since then it is always slow.", short(parent))
			return nil
		case m.Level != nil:
			before += m.Level.Mean * b.result.Ends.Difference
		}
	}
	ratio := r.Whole.Bad / r.Whole.Good
	if r.Whole.Ratio != nil {
		ratio = r.Whole.Ratio.Mean
	}
	share := before * (ratio - 1) / b.result.Ends.Difference
	return &share
}

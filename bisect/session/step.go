package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/pinpoint-go/pinpoint/bisect"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/stats"
)

// ErrEnds says that git bisect run can't go on, since its ends don't differ as they
// should.
var ErrEnds = errors.New("bad is not slower than good")

// Decision is what git bisect run wants to know of one commit.
type Decision struct {
	Mark  bisect.Mark
	Said  string  // in one line, for the user
	Bound float64 // on the chance that any step of this search is wrong, so far
}

// Decide decides one commit of a search that git leads. The ends are compared
// at the first step, and kept, as all steps are, until the ends, the workload or
// the options are others. Each step is decided on its own, strictly, for git takes
// nothing back.
func Decide(ctx context.Context, o Options, rev string) (*Decision, error) {
	o.SetDefaults()
	s, err := openSession(ctx, o.Options)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	at, err := s.Set.Repo().Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	b := &bisection{session: s, opts: o, history: &history{}}
	if b.state, err = newState(s.Options.CacheDir, b.question("step", o)); err != nil {
		return nil, err
	}
	if _, err := b.state.load(); err != nil {
		return nil, err
	}
	if b.state.Mean {
		b.useMean()
	}
	cfg := b.stepConfig()
	r, step, err := bisect.One(ctx, cfg, at.Commit)
	if err == nil && r.Ends.Verdict != stats.Slower && b.slowByMean() {
		r, step, err = bisect.One(ctx, b.stepConfig(), at.Commit)
	}
	if errors.Is(err, compare.ErrBudget) && r.Ends.Verdict == stats.Slower {
		return &Decision{Mark: bisect.Skip, Said: fmt.Sprintf("not decided within %v", o.Budget)}, nil
	}
	if err != nil {
		return nil, err
	}
	if r.Ends.Verdict != stats.Slower {
		return nil, fmt.Errorf("%w: it is %v (%+.1f %%), so there is nothing to bisect", ErrEnds, r.Ends.Verdict, 100*r.Ends.Difference)
	}
	return &Decision{Mark: step.Mark, Said: said(step), Bound: r.Spent}, nil
}

// stepConfig is the configuration of one step. It has no history: git has it.
func (b *bisection) stepConfig() bisect.Config {
	cfg := b.config()
	cfg.Ahead = nil
	return cfg
}

func said(step bisect.Step) string {
	text := string(step.Mark)
	if step.Level != nil {
		text = fmt.Sprintf("%s: %.0f %% of the difference (%.0f %% to %.0f %%), %d pairs",
			step.Mark, 100*step.Level.Mean, 100*step.Level.Low, 100*step.Level.High, step.Samples.Pairs())
	}
	if step.Reason != "" {
		text += "; " + step.Reason
	}
	return text
}

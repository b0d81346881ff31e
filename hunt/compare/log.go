package compare

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/stats"
	"github.com/pinpoint-go/pinpoint/trace"
)

// Log is what a hunt did, as far as the reader is told of it. Its methods may be
// called from both sides at work at the same time.
type Log struct {
	Follower
	Trace *trace.Recorder // of phases; nil: they are not recorded

	mu        sync.Mutex
	guess     guess
	notes     []string
	goOn      string
	campaigns []report.Campaign
	processes int
	disturbed int
	waited    time.Time
}

// Warn adds something to tell, once.
func (l *Log) Warn(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if text := fmt.Sprintf(format, args...); !slices.Contains(l.notes, text) {
		l.notes = append(l.notes, text)
	}
}

// Notes are what was warned of.
func (l *Log) Notes() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.notes)
}

// GoOn says with which budget to go on, in whole minutes.
func (l *Log) GoOn(budget time.Duration) { l.goOn = fmt.Sprintf("--budget %.0fm", inMinutes(budget)) }

// Resume says with which budget to resume, in whole minutes.
func (l *Log) Resume(budget time.Duration) {
	l.GoOn(budget)
	l.goOn = "--resume " + l.goOn
}

// Continue is how to go on; "" if there is nothing to go on with.
func (l *Log) Continue() string { return l.goOn }

// Phase tells of a phase of which it isn't known how long it takes.
func (l *Log) Phase(what string) {
	l.Trace.Enter(what)
	l.Progress(what, 0, 0)
}

// know changes the guess and tells it.
func (l *Log) know(change func(g *guess)) {
	l.mu.Lock()
	change(&l.guess)
	said := l.guess.String()
	l.mu.Unlock()
	if l.SoFar != nil && said != "" {
		l.SoFar(said)
	}
}

// Ratio tells how many times as slow bad is, as far as that is known.
func (l *Log) Ratio(r stats.Interval) { l.know(func(g *guess) { g.ratio = r }) }

// Suspects tells how many of what differs were cleared.
func (l *Log) Suspects(cleared, differ int) {
	l.know(func(g *guess) { g.cleared, g.differ = cleared, differ })
}

// Left tells how long it is until the next look.
func (l *Log) Left(d time.Duration) { l.know(func(g *guess) { g.left = d }) }

// Explain tells why something was decided.
func (l *Log) Explain(format string, args ...any) {
	if l.Why != nil {
		l.Why(fmt.Sprintf(format, args...))
	}
}

// Wait tells that others measure, which the builds of both sides may find. Where they do
// so for long, every pair waits; once a minute is enough.
func (l *Log) Wait() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := time.Now(); now.Sub(l.waited) > time.Minute {
		l.waited = now
		l.Progress("waiting for another pinpoint", 0, 0) // in whatever phase it is
	}
}

// Ran counts processes that ran, and pairs that ran again as they were disturbed.
func (l *Log) Ran(processes, again int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.processes += processes
	l.disturbed += again
}

// Processes are how many ran, and disturbed how many pairs ran again.
func (l *Log) Processes() (all, disturbed int) { return l.processes, l.disturbed }

// Record keeps the raw samples of pairs, with their parts.
func (l *Log) Record(what string, pairs []harness.Pair, good, bad []float64, parts ...report.Part) {
	c := report.Campaign{What: what, Good: good, Bad: bad, Parts: parts}
	var sum harness.Disturbance
	for _, p := range pairs {
		c.GoodFirst = append(c.GoodFirst, p.GoodFirst)
		c.Disturbed.Rates = append(c.Disturbed.Rates, p.Disturbed.Rate())
		sum = sum.Plus(p.Disturbed)
	}
	c.Disturbed.CPU, c.Disturbed.Waited, c.Disturbed.Involuntary = sum.CPU.Seconds(), sum.Waited.Seconds(), sum.Involuntary
	c.Disturbed.Delay, c.Disturbed.Foreign, c.Disturbed.Stolen = sum.Delay.Seconds(), sum.Foreign.Seconds(), sum.Stolen.Seconds()
	l.campaigns = append(l.campaigns, c)
}

// Campaigns are what was recorded.
func (l *Log) Campaigns() []report.Campaign { return l.campaigns }

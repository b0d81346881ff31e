package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// progress shows what is being done: in place on a terminal; in a pipe one line a phase,
// and one every ten seconds of it, so that who waits knows that it goes on.
type progress struct {
	mu    sync.Mutex // a fleet tells what it loses whenever it does
	w     io.Writer
	term  *outside.Terminal // nil where nobody watches
	quiet bool
	phase string
	said  time.Time     // when the last line was written, in a pipe
	width int           // columns on the terminal that hold an old line
	unit  string        // what is counted; pair by default
	guess string        // what is known so far
	tells bool          // each decision is explained
	fleet func() string // how the fleet stands; nil without one
}

// stillThere is how long a pipe hears nothing of a phase.
const stillThere = 10 * time.Second

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if t, ok := w.(*outside.Terminal); ok {
		p.tells = t.Verbose && !t.Quiet
		if p.quiet = t.Quiet; t.Redraws {
			p.term = t
		}
	}
	return p
}

// show is called with every step; total is 0 where it is not known how many
// there are.
func (p *progress) show(phase string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	whatIsKnown.phase = phase
	if !p.quiet {
		p.showAt(time.Now(), phase, done, total)
	}
}

func (p *progress) showAt(now time.Time, phase string, done, total int) {
	line := phase
	if total > 0 {
		line = fmt.Sprintf("%s: %s %d of %d", phase, cmp.Or(p.unit, "pair"), done, total)
	}
	if p.guess != "" && (total > 0 || p.term != nil) {
		if line += "; " + p.guess; p.term != nil { // where there may be no room for both
			line = p.guess + "; " + phase
		}
	}
	begins := phase
	if p.fleet != nil {
		stands := "; " + p.fleet()
		line, begins = line+stands, begins+stands
	}
	if p.term == nil {
		switch {
		case phase != p.phase:
			io.WriteString(p.w, text.Fold("", "  ", begins))
		case now.Sub(p.said) >= stillThere:
			io.WriteString(p.w, text.Fold("  ", "  ", line))
		default:
			return
		}
		p.phase, p.said = phase, now
		return
	}
	line = text.Clip(line, p.term.Columns()-1)
	n := text.Columns(line)
	p.term.Redraw(line, max(0, p.width-n))
	p.width, p.phase = n, phase
}

// follower is what a hunt tells.
func (p *progress) follower() compare.Follower {
	f := compare.Follower{Progress: p.show, SoFar: func(guess string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.guess = guess
	}}
	if p.tells {
		f.Why = func(decision string) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.blank()
			io.WriteString(p.w, text.Hang("  why  ", decision))
		}
	}
	return f
}

// follow has every line say how a fleet stands.
func (p *progress) follow(fleet func() string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fleet = fleet
}

// clear takes the line off the terminal before the result is printed.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.blank()
}

func (p *progress) blank() {
	if p.term != nil && p.width > 0 {
		p.term.Redraw("", p.width)
		p.term.Home()
		p.width = 0
	}
}

// found keeps a culprit in sight while how it is reached is measured.
func (p *progress) found(c report.Culprit) { p.keep(c.WriteFound) }

// reached keeps the way to a culprit in sight while its evidence is gathered.
func (p *progress) reached(c report.Culprit) { p.keep(c.WriteWay) }

func (p *progress) keep(write func(io.Writer) error) {
	var b strings.Builder
	write(&b)
	p.mu.Lock()
	defer p.mu.Unlock()
	whatIsKnown.found = append(whatIsKnown.found, b.String())
	if !p.quiet {
		p.blank()
		io.WriteString(p.w, b.String())
	}
}

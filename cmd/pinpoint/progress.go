package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// progress shows what is being done: in place on a terminal, one line a phase in
// a pipe, where a counter would only fill the log.
type progress struct {
	w     io.Writer
	term  *outside.Terminal // nil where nobody watches
	phase string
	width int    // columns on the terminal that hold an old line
	unit  string // what is counted; pair by default
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w}
	if t, ok := w.(*outside.Terminal); ok && t.IsTerminal() && os.Getenv("TERM") != "dumb" {
		p.term = t
	}
	return p
}

// show is called with every step; total is 0 where it is not known how many
// there are.
func (p *progress) show(phase string, done, total int) {
	whatIsKnown.phase = phase
	if p.term == nil {
		if phase != p.phase {
			io.WriteString(p.w, text.Fold("", "  ", phase))
		}
		p.phase = phase
		return
	}
	line := phase
	if total > 0 {
		line = fmt.Sprintf("%s: %s %d of %d", phase, cmp.Or(p.unit, "pair"), done, total)
	}
	line = text.Clip(line, text.Width-1)
	n := text.Columns(line)
	p.term.Redraw(line, max(0, p.width-n))
	p.width, p.phase = n, phase
}

// clear takes the line off the terminal before the result is printed.
func (p *progress) clear() {
	if p.term != nil && p.width > 0 {
		p.term.Redraw("", p.width)
		p.term.Home()
		p.width = 0
	}
}

// found keeps a culprit in sight while its evidence is gathered.
func (p *progress) found(c report.Culprit) {
	p.clear()
	var b strings.Builder
	c.WriteFound(&b)
	whatIsKnown.found = append(whatIsKnown.found, b.String())
	io.WriteString(p.w, b.String())
}

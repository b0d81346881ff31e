package report

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Bisect is a search through the commits between two ends. The report that it is
// part of is then of the commit that was found and its parent; where none was
// found, of the ends.
type Bisect struct {
	Good        Revision     `json:"good"`
	Bad         Revision     `json:"bad"`
	Whole       *Delta       `json:"whole"` // between the ends; nil when they could not be compared
	FirstParent bool         `json:"first_parent,omitempty"`
	Paths       []string     `json:"paths,omitempty"`
	Commits     int          `json:"commits"`   // that could be the first bad one, bad itself included
	Measured    int          `json:"measured"`  // commits of which there are samples, besides good
	Resumed     int          `json:"resumed"`   // steps that an earlier, interrupted search had made
	FirstBad    *Commit      `json:"first_bad"` // nil where it can't be told
	Verified    bool         `json:"verified"`  // slower than its parent on fresh processes
	Share       *float64     `json:"share"`     // of the difference between the ends, that this commit made; nil when not verified
	Others      bool         `json:"others"`    // other commits made at least a tenth of it
	OneOf       []Commit     `json:"one_of"`    // the commits that it can be, where it can't be told which
	Skipped     []BisectStep `json:"skipped"`   // what could not be tested or decided, and the erratic
	Steps       []BisectStep `json:"steps"`     // all that was decided, in order
	Log         []string     `json:"log"`       // as git bisect log shows it; git bisect replay takes it
	Bound       float64      `json:"bound"`     // on the chance that the search named a wrong commit
	Why         string       `json:"why,omitempty"`
	Processes   int          `json:"processes"`
	Seconds     float64      `json:"seconds"` // of the search alone
}

// BisectStep is one commit that was held against good.
type BisectStep struct {
	Commit  string    `json:"commit"`
	Subject string    `json:"subject"`
	Stage   string    `json:"stage"`           // ends, base, search or confirm
	Mark    string    `json:"mark"`            // good, bad, skip or erratic; "" where the search was cut short
	Level   *Interval `json:"level,omitempty"` // where it lies: 0 is good, 1 is bad; nil where it could not be tested
	Pairs   int       `json:"pairs"`
	Reason  string    `json:"reason,omitempty"`
	Good    []float64 `json:"good"`    // Good[i] and Samples[i] ran back to back; in the unit of the whole
	Samples []float64 `json:"samples"` // of the commit
}

// bisect writes how the search through the commits went.
func (t printer) bisect(b *Bisect) {
	if b == nil {
		return
	}
	switch {
	case b.FirstBad != nil:
		t.found(b)
	case len(b.OneOf) > 0:
		t.Line("first bad commit: one of these %d, which can't be told apart", len(b.OneOf))
		var titles []string
		for _, c := range b.OneOf {
			titles = append(titles, text.Clip(c.title(), t.Width()-2))
		}
		for _, title := range text.First(titles, mostShown) {
			t.Line("  %s", title)
		}
	default:
		t.Line("first bad commit: not found")
	}
	if b.Why != "" {
		t.Item("  ", b.Why)
	}
	t.steps(b)
	t.Paragraph()
}

func (t printer) found(b *Bisect) {
	t.Line("first bad commit: %s", text.Clip(b.FirstBad.title(), t.Width()-18))
	t.Line("  %s, %s", b.FirstBad.Author, b.FirstBad.Date)
	if !b.Verified {
		t.Item("  ", "It is on bad's side and those before it are on good's, but it was not seen to be slower than its parent.")
		return
	}
	said := "Slower than its parent, on fresh processes."
	if b.Share != nil {
		said = fmt.Sprintf("Slower than its parent, on fresh processes: %s of the difference between %s and %s.",
			text.Percent(*b.Share), b.Good.called(), b.Bad.called())
		if b.Others {
			said += " The rest was made by other commits: bisect from good to its parent, and from it to bad."
		}
	}
	t.Item("  ", said)
}

// steps writes one line for each commit that was decided, with its level.
func (t printer) steps(b *Bisect) {
	t.Paragraph()
	counts := fmt.Sprintf("%s, %d measured, %d skipped", text.Plural(b.Commits, "commit"), b.Measured, len(b.Skipped))
	if b.FirstBad != nil {
		counts += fmt.Sprintf("; the chance that the commit is a wrong one is at most %s", text.Percent(b.Bound))
	}
	t.Item("  ", counts+". Levels: 0 % is good, 100 % is bad.")
	for _, s := range b.Steps {
		if s.Stage == "ends" {
			continue
		}
		level := ""
		if s.Level != nil {
			level = fmt.Sprintf("%4.0f %% (%.0f to %.0f)", 100*s.Level.Mean, 100*s.Level.Low, 100*s.Level.High)
		}
		mark := s.Mark
		if mark == "" {
			mark = "cut short"
		}
		if s.Stage == "confirm" {
			mark += " again"
		}
		rest := s.Subject
		if s.Reason != "" {
			rest = s.Reason
		}
		t.Line("%s", text.Clip(fmt.Sprintf("  %.10s  %-14s %-20s %s", s.Commit, mark, level, rest), t.Width()))
	}
}

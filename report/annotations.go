package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// WriteAnnotations writes the workflow commands by which a GitHub job puts notes
// beside lines of code: an error for each regression, at its culprit, and for each
// benchmark that could not be run; a warning for what is slower within the limit
// and for stale entries; a notice for what is accepted or undecided.
func (s *Suite) WriteAnnotations(w io.Writer) error {
	for _, o := range outcomes {
		level := map[Outcome]outside.Level{
			IsRegression: outside.Error, IsFailed: outside.Error, IsBaseFailed: outside.Notice,
			IsSlower: outside.Warning, IsAccepted: outside.Notice, IsUnknown: outside.Notice,
		}[o]
		if level == "" {
			continue
		}
		for _, bench := range s.of(o) {
			at, _ := bench.site()
			if err := annotate(w, level, at, "pinpoint: "+bench.Name, bench.message(s)); err != nil {
				return err
			}
		}
	}
	for _, e := range s.Stale {
		at := site{file: e.File, line: e.Line}
		if err := annotate(w, outside.Warning, at, "pinpoint: stale entry", e.Benchmark+" "+e.Culprit+": "+e.Why); err != nil {
			return err
		}
	}
	return nil
}

func annotate(w io.Writer, level outside.Level, at site, title, message string) error {
	note := outside.Note{Level: level, File: at.file, Line: at.line, Col: at.col, Title: title, Message: message}
	return outside.Annotate(note).Write(w)
}

// message says in some sentences what became of the benchmark, and where to look.
func (b Benchmark) message(s *Suite) string {
	var lines []string
	switch b.Outcome {
	case IsRegression, IsAccepted:
		lines = append(lines, fmt.Sprintf("%s got slower by %s, which is above %s.", b.Name, b.change(), text.Percent(s.Rule.FailAbove)))
	case IsSlower:
		lines = append(lines, fmt.Sprintf("%s got slower by %s, which is not above %s.", b.Name, b.change(), text.Percent(s.Rule.FailAbove)))
	case IsUnknown:
		lines = append(lines, fmt.Sprintf("%s is not decided: %s.", b.Name, strings.TrimSpace("whether it got slower by more than "+text.Percent(s.Rule.FailAbove)+" "+parenthesis(b.change()))))
	default:
		lines = append(lines, fmt.Sprintf("%s could not be compared.", b.Name))
	}
	for _, c := range b.culprits() {
		lines = append(lines, fmt.Sprintf("%s: %s (%s). %s", c.heading(), c.Function, c.Position, c.because()))
		for i, step := range c.Chain {
			lines = append(lines, fmt.Sprintf("%d. in %s: %s (%s)", i, step.Function, step.Call, step.Position))
		}
	}
	if b.Acceptance != nil {
		lines = append(lines, b.Acceptance.text())
	}
	if b.Reason != "" {
		lines = append(lines, text.Clip(b.Reason, 2000))
	}
	return strings.Join(lines, "\n")
}

func parenthesis(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

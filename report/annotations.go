package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// WriteAnnotations writes the workflow commands by which a GitHub job puts notes
// beside lines of code: an error for each regression, at its culprit, and for each
// benchmark that could not be run; a warning for what is slower within the limit
// and for stale entries; a notice for what is accepted or undecided.
func (s *Suite) WriteAnnotations(w io.Writer) error {
	var b strings.Builder
	for _, o := range outcomes {
		command := map[Outcome]string{
			IsRegression: "error", IsFailed: "error", IsBaseFailed: "notice",
			IsSlower: "warning", IsAccepted: "notice", IsUnknown: "notice",
		}[o]
		if command == "" {
			continue
		}
		for _, bench := range s.of(o) {
			at, _ := bench.site()
			b.WriteString(annotation(command, at, "pinpoint: "+bench.Name, bench.message(s)))
		}
	}
	for _, e := range s.Stale {
		b.WriteString(annotation("warning", site{file: e.File, line: e.Line}, "pinpoint: stale entry", e.Benchmark+" "+e.Culprit+": "+e.Why))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// annotation is one workflow command. A site without a file stands in the log
// only.
func annotation(command string, at site, title, message string) string {
	var properties []string
	if at.file != "" {
		properties = append(properties, "file="+escapeProperty(at.file), fmt.Sprintf("line=%d", at.line))
		if at.col > 0 {
			properties = append(properties, fmt.Sprintf("col=%d", at.col))
		}
	}
	properties = append(properties, "title="+escapeProperty(title))
	return "::" + command + " " + strings.Join(properties, ",") + "::" + escapeData(message) + "\n"
}

// The runner takes a command's message to the end of the line, and its properties
// apart at colons and commas.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func escapeProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
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

package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Marker begins every summary. Who posts one as a comment looks for a comment that
// has it, and puts the new text in its place.
const Marker = "<!-- pinpoint -->"

// page is what a Markdown page has room for.
type page struct {
	rows  int // of the table, and of stale entries
	bytes int // of the whole: GitHub refuses comments above 65536 characters, summaries above 1 MiB
	all   bool
}

var (
	summaryPage = page{rows: 500, bytes: 1_000_000, all: true}
	commentPage = page{rows: 40, bytes: 65_000}
)

// lastLine is room that is kept for what says that there was none.
const lastLine = 200

// WriteMarkdown writes a summary for the page of a job: a table of all that was
// compared, and the chain to each culprit folded below it.
func (s *Suite) WriteMarkdown(w io.Writer) error { return s.writeMarkdown(w, summaryPage) }

// WriteComment writes a summary that is short enough for a comment: what is well
// is only counted.
func (s *Suite) WriteComment(w io.Writer) error { return s.writeMarkdown(w, commentPage) }

func (s *Suite) writeMarkdown(w io.Writer, p page) error {
	m := &markdown{page: p}
	m.line(Marker)
	m.line("### pinpoint: %s", outside.Inline(s.headline()))
	m.line("")
	m.line("Base %s (%s), head %s.", outside.Code(short(s.Good.Commit)), outside.Inline(s.Base), outside.Inline(s.headName()))
	if s.Error != "" {
		m.line("")
		m.line("Ended early: %s", outside.Inline(s.Error))
	}
	m.table(s)
	for _, o := range outcomes {
		if o.left() {
			continue
		}
		for _, b := range s.of(o) {
			m.fold(b.foldTitle(), b.fold())
		}
	}
	m.stale(s.Stale)
	m.notes(s)
	m.fold(s.notCompared())
	m.end()
	_, err := io.WriteString(w, m.b.String())
	return err
}

// headName is the head's commit, or what is uncommitted on it.
func (s *Suite) headName() string {
	if s.Bad.Rev == worktree {
		return "what is not committed on " + short(s.Bad.Commit)
	}
	return short(s.Bad.Commit) + ", " + s.Bad.Rev
}

// markdown is a page that is being written, of pieces in which what came from outside
// is text: package outside makes them, and no string is one.
type markdown struct {
	page
	b       strings.Builder
	dropped int // parts for which there was no room
}

// line writes a line for which there is always room, because it comes first.
func (m *markdown) line(format outside.Template, pieces ...outside.Markdown) {
	m.b.WriteString(outside.Format(format, pieces...).String() + "\n")
}

// part writes a line, or more of them, if there is room.
func (m *markdown) part(format outside.Template, pieces ...outside.Markdown) {
	lines := outside.Format(format, pieces...).String() + "\n"
	if m.b.Len()+len(lines)+lastLine > m.bytes {
		m.dropped++
		return
	}
	m.b.WriteString(lines)
}

// table writes one row for each benchmark that was compared or should have been.
func (m *markdown) table(s *Suite) {
	var rows []Benchmark
	well := 0
	for _, o := range outcomes {
		switch {
		case o.left():
		case !m.all && (o == IsUnharmed || o == IsFaster):
			well += s.count(o)
		default:
			rows = append(rows, s.of(o)...)
		}
	}
	m.line("")
	if len(rows) > 0 {
		m.line("| Outcome | Benchmark | Change | Finding | Why compared |")
		m.line("| --- | --- | --- | --- | --- |")
	}
	for i, b := range rows {
		if i == m.rows {
			m.part("| … | %s | | | |", outside.Inline(text.More(len(rows)-i)))
			break
		}
		m.part("| %s | %s in %s | %s | %s | %s |", b.Outcome.shown(), outside.Code(b.Name), outside.Code(cmp.Or(b.Dir, ".")),
			outside.Inline(cmp.Or(b.change(), "–")), b.blamed(), outside.Inline(b.Selected))
	}
	if well > 0 {
		m.line("")
		m.line("%s compared without a regression above %s.", outside.Inline(text.Plural(well, "benchmark")), outside.Inline(text.Percent(s.Rule.FailAbove)))
	}
}

// shown is the outcome as the table has it: what turns the build red stands out.
func (o Outcome) shown() outside.Markdown {
	switch o {
	case IsRegression, IsFailed:
		return outside.Format("**%s**", outside.Inline(string(o)))
	}
	return outside.Inline(string(o))
}

// mostCulprits is how many culprits of a benchmark the table names.
const mostCulprits = 5

// blamed names the culprits with their places, or says why there is none.
func (b Benchmark) blamed() outside.Markdown {
	var list []outside.Markdown
	for i, c := range b.culprits() {
		if i == mostCulprits {
			list = append(list, outside.Inline(text.More(len(b.culprits())-i)))
			break
		}
		said := outside.Format("%s %s", outside.Code(shortFunction(c.Function)), outside.Code(c.Position))
		if !c.named() {
			said = outside.Format("%s: %s", outside.Inline(c.label()), said)
		}
		list = append(list, said)
	}
	if b.Acceptance != nil {
		list = append(list, outside.Inline(text.Clip(b.Acceptance.text(), 500)))
	}
	if len(list) == 0 && b.Reason != "" {
		first, _, _ := strings.Cut(b.Reason, "\n")
		list = append(list, outside.Inline(text.Clip(first, 200)))
	}
	if len(list) == 0 {
		return outside.Literal("–")
	}
	return outside.Join(list, "<br>")
}

func (b Benchmark) foldTitle() string {
	if len(b.culprits()) > 0 {
		return "How " + b.Name + " got slower"
	}
	return "What happened to " + b.Name
}

// fold is what the reader may unfold: the hunt's report, or what a program
// printed; nothing for most.
func (b Benchmark) fold() outside.Markdown {
	if len(b.culprits()) > 0 {
		var text strings.Builder
		if err := b.Report.WriteText(&text); err == nil {
			return outside.Fence(text.String())
		}
	}
	if strings.Contains(b.Reason, "\n") {
		return outside.Fence(b.Reason)
	}
	return outside.Markdown{}
}

// notCompared lists what was left out, by reason.
func (s *Suite) notCompared() (title string, body outside.Markdown) {
	var left []Benchmark
	for _, o := range outcomes {
		if o.left() {
			left = append(left, s.of(o)...)
		}
	}
	var lines []outside.Markdown
	for _, g := range bySelection(left) {
		var names []outside.Markdown
		for i, name := range text.First(g.names, 50) {
			if i < 50 {
				names = append(names, outside.Code(name))
			} else {
				names = append(names, outside.Inline(name))
			}
		}
		lines = append(lines, outside.Format("- %s: %s", outside.Inline(g.why), outside.Join(names, ", ")))
	}
	return text.Plural(len(left), "benchmark") + " not compared", outside.Join(lines, "\n")
}

// left says that the benchmark was left out for a reason that needs nobody's
// attention.
func (o Outcome) left() bool {
	return o == IsUnchanged || o == IsNew || o == IsRemoved || o == IsUnselected || o == IsChosen
}

// fold writes a part that is folded, if there is anything in it.
func (m *markdown) fold(title string, body outside.Markdown) {
	if !body.Empty() {
		m.part("\n<details><summary>%s</summary>\n\n%s\n\n</details>", outside.Summary(title), body)
	}
}

func (m *markdown) stale(list []Stale) {
	if len(list) == 0 {
		return
	}
	m.part("\nStale entries of accepted regressions, which can go:\n")
	for i, e := range list {
		if i == m.rows {
			m.part("- %s", outside.Inline(text.More(len(list)-i)))
			break
		}
		m.part("- %s: %s %s: %s", outside.Code(e.place()), outside.Code(e.Benchmark), outside.Code(e.Culprit), outside.Inline(e.Why))
	}
}

func (m *markdown) notes(s *Suite) {
	if s.Rule.Compared > 0 {
		m.part("\n<sub>Compared: %s. – Bound: %s.</sub>", outside.Inline(s.Selection), outside.Inline(s.Rule.bound()))
	}
	for _, w := range s.Warnings {
		m.part("\n<sub>Note: %s.</sub>", outside.Inline(w))
	}
}

// end says what did not fit.
func (m *markdown) end() {
	if m.dropped > 0 {
		m.line("\n<sub>%s did not fit on this page: see the job's log.</sub>", outside.Inline(text.Plural(m.dropped, "part")))
	}
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Marker begins every summary. Who posts one as a comment looks for a comment that
// has it, and puts the new text in its place.
const Marker = "<!-- pinpoint -->"

// page is what a Markdown page has room for.
type page struct {
	rows  int // of the table
	bytes int // of the whole: GitHub refuses comments above 65536 characters, summaries above 1 MiB
	all   bool
}

var (
	summaryPage = page{rows: 500, bytes: 900_000, all: true}
	commentPage = page{rows: 40, bytes: 60_000}
)

// WriteMarkdown writes a summary for the page of a job: a table of all that was
// compared, and the chain to each culprit folded below it.
func (s *Suite) WriteMarkdown(w io.Writer) error { return s.writeMarkdown(w, summaryPage) }

// WriteComment writes a summary that is short enough for a comment: what is well
// is only counted.
func (s *Suite) WriteComment(w io.Writer) error { return s.writeMarkdown(w, commentPage) }

func (s *Suite) writeMarkdown(w io.Writer, p page) error {
	m := &markdown{page: p}
	m.line(Marker)
	m.line("### pinpoint: %s", inline(s.headline()))
	m.line("")
	m.line("Base %s (%s), head %s.", codeSpan(short(s.Good.Commit)), inline(s.Base), inline(s.headName()))
	m.table(s)
	for _, o := range outcomes {
		for _, b := range s.of(o) {
			m.fold(b.foldTitle(), b.fold())
		}
	}
	m.fold(s.notCompared())
	m.stale(s.Stale)
	m.notes(s)
	_, err := io.WriteString(w, m.b.String())
	return err
}

func short(commit string) string { return commit[:min(10, len(commit))] }

// headName is the head's commit, or what is uncommitted on it.
func (s *Suite) headName() string {
	if s.Bad.Rev == worktree {
		return "what is not committed on " + short(s.Bad.Commit)
	}
	return short(s.Bad.Commit) + ", " + s.Bad.Rev
}

// markdown is a page that is being written.
type markdown struct {
	page
	b       strings.Builder
	dropped int // folded parts for which there was no room
}

func (m *markdown) line(format string, args ...any) {
	fmt.Fprintf(&m.b, format, args...)
	m.b.WriteByte('\n')
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
			m.line("| … | and %d more | | | |", len(rows)-i)
			break
		}
		m.line("| %s | %s in %s | %s | %s | %s |", b.Outcome.shown(), codeSpan(b.Name), codeSpan(cmp.Or(b.Dir, ".")),
			cmp.Or(b.change(), "–"), b.blamed(), inline(b.Selected))
	}
	if well > 0 {
		m.line("")
		m.line("%s compared without a regression above %s.", text.Plural(well, "benchmark"), text.Percent(s.Rule.FailAbove))
	}
}

// shown is the outcome as the table has it: what turns the build red stands out.
func (o Outcome) shown() string {
	switch o {
	case IsRegression, IsFailed:
		return "**" + string(o) + "**"
	}
	return string(o)
}

// blamed names the culprits with their places, or says why there is none.
func (b Benchmark) blamed() string {
	var list []string
	for _, c := range b.culprits() {
		said := codeSpan(shortFunction(c.Function)) + " " + codeSpan(c.Position)
		if !c.named() {
			said = c.label() + ": " + said
		}
		list = append(list, said)
	}
	if b.Acceptance != nil {
		list = append(list, inline(b.Acceptance.text()))
	}
	if len(list) == 0 && b.Reason != "" {
		first, _, _ := strings.Cut(b.Reason, "\n")
		list = append(list, inline(text.Clip(first, 200)))
	}
	return cmp.Or(strings.Join(list, "<br>"), "–")
}

// shortFunction is a function's name without the directories of its import path.
func shortFunction(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func (b Benchmark) foldTitle() string {
	if len(b.culprits()) > 0 {
		return "How " + b.Name + " got slower"
	}
	return "What happened to " + b.Name
}

// fold is what the reader may unfold: the hunt's report, or what a program
// printed; nothing for most.
func (b Benchmark) fold() string {
	if len(b.culprits()) > 0 {
		var text strings.Builder
		if err := b.Report.WriteText(&text); err == nil {
			return fence(text.String())
		}
	}
	if strings.Contains(b.Reason, "\n") {
		return fence(b.Reason)
	}
	return ""
}

// notCompared lists what was left out, by reason.
func (s *Suite) notCompared() (title, body string) {
	var left []Benchmark
	for _, o := range outcomes {
		if o.left() {
			left = append(left, s.of(o)...)
		}
	}
	var b strings.Builder
	for _, g := range bySelection(left) {
		var names []string
		for i, name := range g.first(50) {
			if i < 50 {
				name = codeSpan(name)
			}
			names = append(names, name)
		}
		fmt.Fprintf(&b, "- %s: %s\n", inline(g.why), strings.Join(names, ", "))
	}
	return text.Plural(len(left), "benchmark") + " not compared", b.String()
}

// left says that the benchmark was left out for a reason that needs nobody's
// attention.
func (o Outcome) left() bool {
	return o == IsNew || o == IsRemoved || o == IsUnselected || o == IsChosen
}

// fold writes a part that is folded, if there is anything in it and room for it.
func (m *markdown) fold(title, body string) {
	switch {
	case body == "":
	case m.b.Len()+len(body) > m.bytes:
		m.dropped++
	default:
		m.line("")
		m.line("<details><summary>%s</summary>", html(title))
		m.line("")
		m.line("%s", strings.TrimRight(body, "\n"))
		m.line("")
		m.line("</details>")
	}
}

func (m *markdown) stale(list []Stale) {
	if len(list) == 0 {
		return
	}
	m.line("")
	m.line("Stale entries of accepted regressions, which can go:")
	m.line("")
	for _, e := range list {
		m.line("- %s: %s %s: %s", codeSpan(e.place()), codeSpan(e.Benchmark), codeSpan(e.Culprit), inline(e.Why))
	}
}

func (m *markdown) notes(s *Suite) {
	var notes []string
	if s.Rule.Compared > 0 {
		notes = append(notes, "Compared: "+s.Selection+". – Bound: "+s.Rule.bound()+".")
	}
	for _, w := range s.Warnings {
		notes = append(notes, "Note: "+w+".")
	}
	if s.Error != "" {
		notes = append(notes, "Ended early: "+s.Error)
	}
	if m.dropped > 0 {
		notes = append(notes, text.Plural(m.dropped, "part")+" did not fit on this page: see the job's log.")
	}
	for _, n := range notes {
		m.line("")
		m.line("<sub>%s</sub>", inline(n))
	}
}

// inline makes plain text of s: nothing in it is Markdown or HTML, mentions
// anybody, or ends a table's cell.
func inline(s string) string {
	return inlineEscapes.Replace(strings.Join(strings.Fields(s), " "))
}

var inlineEscapes = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "#", `\#`, "$", `\$`,
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "@", "&#64;",
)

func html(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// codeSpan sets s as code. In a table's cell a bar would end the cell even there.
func codeSpan(s string) string {
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", `\|`)
	ticks := strings.Repeat("`", longestRun(s)+1)
	if len(ticks) > 1 {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

// fence sets lines as they are.
func fence(s string) string {
	ticks := strings.Repeat("`", max(3, longestRun(s)+1))
	return ticks + "text\n" + strings.TrimRight(s, "\n") + "\n" + ticks
}

// longestRun is the number of backticks in a row.
func longestRun(s string) int {
	longest, n := 0, 0
	for _, c := range s {
		if c != '`' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

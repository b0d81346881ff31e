package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// WriteMarkdown writes the report as a page for an issue or a pull request: the
// answer, the two sides, each culprit with its chain and its change, and the whole
// text folded below.
func (r *Report) WriteMarkdown(w io.Writer) error {
	m := &markdown{page: summaryPage}
	m.line("### %s: %s", outside.Inline(r.Workload.title()), outside.Inline(r.finding()))
	m.sides(r)
	for _, c := range r.Culprits {
		m.culprit(c)
	}
	if u := r.Unexplained; u != nil && len(r.Culprits) > 0 {
		m.line("")
		m.line("Not explained by what is named above: %s of the difference.", outside.Inline(text.Percent(max(0, *u))))
	}
	if r.Repeat != "" {
		m.line("")
		m.line("To do the same again:")
		m.line("")
		m.line("%s", outside.Fence(r.Repeat))
	}
	var whole strings.Builder
	if err := r.WriteText(&whole); err != nil {
		return err
	}
	m.fold("The whole report", outside.Fence(whole.String()))
	_, err := io.WriteString(w, m.b.String())
	return err
}

// sides is a table of the two revisions, and what lies between them.
func (m *markdown) sides(r *Report) {
	m.line("")
	m.line("| | Revision | Commit | Per operation |")
	m.line("| --- | --- | --- | --- |")
	for i, rev := range []Revision{r.Good, r.Bad} {
		value := "–"
		if d := r.Whole; d != nil {
			s := scaleFor(max(d.Good, d.Bad), d.Unit)
			value = s.format([]float64{d.Good, d.Bad}[i]) + " " + s.perOp()
		}
		m.line("| %s | %s | %s | %s |", outside.Literal([]outside.Template{"good", "bad"}[i]), outside.Code(cmp.Or(rev.Rev, "–")), outside.Code(short(rev.Commit)), outside.Inline(value))
	}
	d := r.Whole
	if d == nil {
		return
	}
	m.line("")
	s := scaleFor(d.Diff.Mean, d.Unit)
	if mean := r.WholeMean; mean != nil && mean.Diff != d.Diff {
		m.line("- Typical operation: %s", outside.Inline(s.change(d)))
		m.line("- Mean of all: %s", outside.Inline(s.change(mean)))
	} else {
		m.line("- Difference: %s", outside.Inline(s.change(d)))
	}
	if over := overLayouts(d.Layouts); over != "" {
		m.line("- In %s", outside.Inline(over))
	}
	for _, line := range d.Machines.lines() {
		m.line("- %s", outside.Inline(line))
	}
	if r.Work != nil && r.Work.Says != "" {
		m.line("- %s", outside.Inline(r.Work.Says))
	}
	m.line("- Intervals at %s confidence, %s of processes", outside.Inline(confidence(d.Confidence)), outside.Inline(text.Plural(d.Pairs, "pair")))
}

func (m *markdown) culprit(c Culprit) {
	m.line("")
	m.line("**%s** %s, %s", outside.Inline(c.heading()), outside.Code(c.Function), outside.Code(c.Position))
	m.line("")
	m.line("%s", outside.Inline(c.because()))
	if len(c.Chain) > 0 {
		m.line("")
		m.line("| In | Call | Place | Difference | Share |")
		m.line("| --- | --- | --- | --- | --- |")
	}
	for _, step := range c.Chain {
		difference, share := "–", "–"
		if d := step.Delta; d != nil {
			difference, share = scaleFor(d.Diff.Mean, d.Unit).interval(d.Diff), text.Percent(step.Share)
		}
		m.line("| %s | %s | %s | %s | %s |", outside.Code(shortFunction(step.Function)), outside.Code(step.Call), outside.Code(step.Position), outside.Inline(difference), outside.Inline(share))
	}
	m.line("")
	for _, e := range c.Evidence {
		m.line("- %s", outside.Inline(e))
	}
	for _, commit := range c.Commits {
		m.line("- %s %s (%s, %s): %s", outside.Code(short(commit.Hash)), outside.Inline("in "+commit.Side), outside.Inline(commit.Author), outside.Inline(commit.Date), outside.Inline(commit.Subject))
	}
	if c.Diff != "" {
		m.line("")
		m.line("%s", outside.FenceAs("diff", c.Diff))
	}
}

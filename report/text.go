package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Width is the number of columns that text keeps to, where names allow it.
const Width = 80

// WriteText writes the report for a reader: what was compared, the whole
// difference, each culprit with the chain that leads to it, what is not
// explained or decided, and what the search cost.
func (r *Report) WriteText(w io.Writer) error {
	t := &text{w: bufio.NewWriter(w)}
	t.headline(r)
	t.sides(r)
	for i, c := range r.Culprits {
		t.culprit(c, len(r.Culprits), i)
	}
	t.rest(r)
	t.cost(r)
	t.warnings(r)
	return t.w.Flush()
}

// text writes lines. Errors stay in the bufio.Writer until it is flushed.
type text struct{ w *bufio.Writer }

func (t *text) line(format string, args ...any) {
	fmt.Fprintln(t.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

func (t *text) headline(r *Report) {
	t.line("%s: %s", r.Workload.title(), r.finding())
	t.line("")
}

// title is the workload in one phrase.
func (w Workload) title() string {
	switch {
	case w.Name != "":
		return w.Name
	case w.Pattern != "":
		return w.Pattern
	}
	return strings.TrimSpace(w.Package + " " + strings.Join(w.Args, " "))
}

// finding is the verdict in one phrase.
func (r *Report) finding() string {
	switch r.Verdict {
	case Regression:
		if n := len(r.Culprits); n > 0 && r.Culprits[0].Confirmed {
			return "slower, and the culprit is found"
		}
		return "slower"
	case NoRegression:
		return "no difference above " + percent(r.Search.MinEffect)
	case Improvement:
		return "faster"
	}
	return "not decided"
}

func (t *text) sides(r *Report) {
	width := max(utf8.RuneCountInString(r.Good.Rev), utf8.RuneCountInString(r.Bad.Rev))
	width = min(width, 30)
	good, bad := "", ""
	if d := r.Whole; d != nil {
		s := scaleFor(max(d.Good, d.Bad), d.Unit)
		good = fmt.Sprintf("%s %s", s.format(d.Good), perOp(s.unit))
		bad = fmt.Sprintf("%s %s", s.format(d.Bad), perOp(s.unit))
	}
	t.line("  good  %-*s  %-10.10s  %s", width, r.Good.Rev, r.Good.Commit, good)
	t.line("  bad   %-*s  %-10.10s  %s", width, r.Bad.Rev, r.Bad.Commit, bad)
	if d := r.Whole; d != nil {
		s := scaleFor(d.Diff.Mean, d.Unit)
		t.line("  difference  %s", s.interval(d.Diff))
		if d.Ratio != nil {
			t.line("  ratio       %s", ratio(*d.Ratio))
		}
		t.line("  intervals at %s confidence, %d pairs of processes", confidence(d.Confidence), d.Pairs)
	}
}

func perOp(unit string) string { return unit + "/op" }

func confidence(c float64) string { return significant(100*c, 4) + " %" }

func (t *text) culprit(c Culprit, n, i int) {
	t.line("")
	label := "culprit"
	if n > 1 {
		label = fmt.Sprintf("culprit %d of %d", i+1, n)
	}
	if !c.Confirmed {
		label = "suspect"
	}
	t.line("%s  %s", label, c.Function)
	t.line("  %s", c.Position)
	for _, l := range wrap(c.because(), Width-2) {
		t.line("  %s", l)
	}
	t.chain(c.Chain)
	for _, e := range c.Evidence {
		t.item("-", e)
	}
	for _, m := range c.Commits {
		t.item("-", fmt.Sprintf("%.10s (%s, %s) %s", m.Hash, m.Side, m.Author, m.Subject))
	}
}

// because says in a sentence what is known about the culprit.
func (c Culprit) because() string {
	s := scaleFor(c.Delta.Diff.Mean, c.Delta.Unit)
	var b strings.Builder
	switch c.Kind {
	case OwnCode:
		b.WriteString("Its own code takes longer")
	case AddedCall:
		fmt.Fprintf(&b, "It now calls %s, which good does not do", c.Call)
	case RemovedCall:
		fmt.Fprintf(&b, "It no longer calls %s", c.Call)
	case Range:
		fmt.Fprintf(&b, "Several of its calls together take longer (%s)", c.Call)
	default:
		if c.Call != "" {
			fmt.Fprintf(&b, "Its call %s takes longer", c.Call)
		} else {
			b.WriteString("It takes longer")
		}
	}
	fmt.Fprintf(&b, ": %s, %s of the difference.", s.interval(c.Delta.Diff), percent(c.Share))
	if c.CallsGood > 0 || c.CallsBad > 0 {
		fmt.Fprintf(&b, " Calls per operation: %s in good, %s in bad.", significant(c.CallsGood, 4), significant(c.CallsBad, 4))
	}
	if c.Stop != "" {
		fmt.Fprintf(&b, " No deeper: %s.", c.Stop)
	}
	if c.Confirmed {
		b.WriteString(" Confirmed on fresh processes.")
	} else {
		b.WriteString(" Not confirmed.")
	}
	return b.String()
}

func (t *text) chain(chain []Step) {
	if len(chain) == 0 {
		return
	}
	t.line("")
	for i, step := range chain {
		t.line("  %2d  in %s", i, step.Function)
		t.line("      %s  %s", step.Position, clip(step.Call, max(20, Width-8-utf8.RuneCountInString(step.Position))))
		if step.Delta != nil {
			s := scaleFor(step.Delta.Diff.Mean, step.Delta.Unit)
			t.line("      %s  %s", s.interval(step.Delta.Diff), percent(step.Share))
		}
	}
	t.line("")
}

func (t *text) rest(r *Report) {
	if r.Unexplained != nil && len(r.Culprits) > 0 {
		t.line("")
		t.line("not explained by what is named above: %s of the difference", percent(*r.Unexplained))
	}
	if len(r.Undecided) > 0 {
		t.line("")
		t.line("not decided:")
		for _, u := range r.Undecided {
			s := scaleFor(u.Delta.Diff.Mean, u.Delta.Unit)
			more := ""
			if u.Need > 0 {
				more = fmt.Sprintf(" (about %d pairs would do)", u.Need)
			}
			t.item("-", fmt.Sprintf("%s %s: %s%s", u.Position, clip(u.Call, 40), s.interval(u.Delta.Diff), more))
		}
	}
	if r.Continue != "" {
		t.line("")
		t.line("to go on:")
		t.line("  %s", r.Continue)
	}
}

func (t *text) cost(r *Report) {
	s := r.Search
	t.line("")
	cost := fmt.Sprintf("%d builds, %d processes, %s s, seed %d", s.Builds, s.Processes, significant(s.Seconds, 3), s.Seed)
	if s.Finder != "" {
		cost = fmt.Sprintf("%s: %s, %s, %s", s.Finder, plural(s.Layers, "layer"), plural(s.Comparisons, "comparison"), cost)
	}
	t.item("search", cost)
	t.item("bound", fmt.Sprintf("wrong accusations at most %s of hunts; differences below %s of the whole do not count",
		percent(s.Alpha), percent(s.MinEffect)))
}

func (t *text) warnings(r *Report) {
	for _, w := range r.Warnings {
		t.item("note", w)
	}
	if r.Error != "" {
		t.item("error", r.Error)
	}
}

// item writes a labelled paragraph that is folded at Width with its label
// hanging out.
func (t *text) item(label, s string) {
	indent := strings.Repeat(" ", utf8.RuneCountInString(label)+2)
	for i, l := range wrap(s, Width-len(indent)) {
		if i == 0 {
			t.line("%s  %s", label, l)
		} else {
			t.line("%s%s", indent, l)
		}
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// wrap folds s at spaces into lines of at most width columns; a word that is
// longer gets a line of its own. Line breaks of s stay.
func wrap(s string, width int) []string {
	var lines []string
	for _, paragraph := range strings.Split(s, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == "":
				line = word
			case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
				line += " " + word
			default:
				lines = append(lines, line)
				line = word
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// clip shortens s to width columns, marking the cut.
func clip(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	return string(runes[:width-1]) + "…"
}

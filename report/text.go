package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path"
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
	t.bisect(r.Bisect)
	t.line("%s: %s", r.Workload.title(), r.finding())
	t.sides(r)
	t.culprits(r.Culprits)
	t.rest(r)
	t.cost(r)
	t.notes(r)
	return t.w.Flush()
}

// text writes lines. Errors stay in the bufio.Writer until it is flushed.
type text struct {
	w   *bufio.Writer
	gap bool // the next line begins a new paragraph
}

func (t *text) line(format string, args ...any) {
	if t.gap {
		t.gap = false
		t.w.WriteByte('\n')
	}
	fmt.Fprintln(t.w, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// paragraph puts one empty line before what comes next.
func (t *text) paragraph() { t.gap = true }

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
		if r.NotSlower {
			return "not slower"
		}
		return "no difference above " + percent(r.Search.MinEffect)
	case Improvement:
		return "faster"
	}
	return "not decided"
}

func (t *text) sides(r *Report) {
	t.paragraph()
	revs := [2]Revision{r.Good, r.Bad}
	names, commits := [2]string{}, [2]string{}
	for i, rev := range revs {
		names[i], commits[i] = rev.titles()
	}
	values := [2]string{}
	if d := r.Whole; d != nil {
		s := scaleFor(max(d.Good, d.Bad), d.Unit)
		values = [2]string{s.format(d.Good) + " " + perOp(s.unit), s.format(d.Bad) + " " + perOp(s.unit)}
	}
	for i, label := range []string{"good", "bad"} {
		t.line("  %-4s  %-*s%-*s  %s", label, widest(names), names[i], widest(commits), commits[i], values[i])
	}
	if d := r.Whole; d != nil {
		s := scaleFor(d.Diff.Mean, d.Unit)
		t.line("  difference  %s", s.interval(d.Diff))
		if d.Ratio != nil {
			t.line("  ratio       %s", ratio(*d.Ratio))
		}
		if d.Exact {
			t.line("  exact: all %d processes of each side agree", d.Pairs)
		} else {
			t.line("  intervals at %s confidence, %s of processes", confidence(d.Confidence), plural(d.Pairs, "pair"))
		}
	}
}

// titles are the revision as the user named it and its commit, short. A hash is
// not said twice.
func (r Revision) titles() (name, commit string) {
	const short = 10
	commit = r.Commit[:min(short, len(r.Commit))]
	switch {
	case r.Rev == "" || strings.HasPrefix(r.Commit, r.Rev):
		return "", commit
	case r.Rev == worktree:
		return r.Rev + "  ", "on " + commit
	}
	return clip(r.Rev, 40) + "  ", commit
}

func widest(texts [2]string) int { return max(columns(texts[0]), columns(texts[1])) }

// worktree is how the working tree is named as a revision.
const worktree = "WORKTREE"

func perOp(unit string) string { return strings.TrimSuffix(unit, "/op") + "/op" }

func confidence(c float64) string { return significant(100*c, 4) + " %" }

// culprits writes the confirmed and then the suspected, each with its chain. What
// a chain shares with the one before it is not written again.
func (t *text) culprits(all []Culprit) {
	confirmed := 0
	for _, c := range all {
		if c.Confirmed {
			confirmed++
		}
	}
	var before []Step
	n := 0
	for _, c := range all {
		label := "suspect"
		if c.Confirmed {
			n++
			if label = "culprit"; confirmed > 1 {
				label = fmt.Sprintf("culprit %d of %d", n, confirmed)
			}
		}
		t.culprit(label, c, before)
		before = c.Chain
	}
}

func (t *text) culprit(label string, c Culprit, before []Step) {
	t.paragraph()
	name := c.Function
	if c.Instance != "" {
		name += " (" + c.Instance + ")"
	}
	if columns(label)+2+columns(name) <= Width {
		t.line("%s  %s", label, name)
	} else {
		t.line("%s", label)
		t.line("  %s", name)
	}
	t.line("  %s", c.Position)
	for _, l := range wrap(c.because(), Width-2) {
		t.line("  %s", l)
	}
	t.chain(c.Chain, before)
	t.paragraph()
	for _, e := range c.Evidence {
		t.item("  -", " ", e)
	}
	t.statement(c.Statement)
	t.allocations(c.Allocations)
	t.diff(c.Diff)
	for _, m := range c.Commits {
		t.item("  -", " ", fmt.Sprintf("commit %.10s in %s (%s, %s): %s", m.Hash, m.Side, m.Author, m.Date, m.Subject))
	}
}

// because says in a sentence what is known about the culprit.
func (c Culprit) because() string {
	s := scaleFor(c.Delta.Diff.Mean, c.Delta.Unit)
	more := takesMore(c.Delta.Unit)
	var b strings.Builder
	if step := c.proved(); step != nil {
		fmt.Fprintf(&b, "It %s: %s, %s of the difference. %s", more.one, s.interval(c.Delta.Diff), percent(c.Share), c.mostOf(*step))
		c.rest(&b)
		return b.String()
	}
	switch c.Kind {
	case OwnCode:
		b.WriteString("Its own code " + more.one)
	case AddedCall:
		fmt.Fprintf(&b, "It now calls %s, which good does not do", c.Call)
	case RemovedCall:
		fmt.Fprintf(&b, "It no longer calls %s", c.Call)
	case Range:
		fmt.Fprintf(&b, "Several of its calls together %s (%s)", more.many, c.Call)
	default:
		if c.Call != "" {
			fmt.Fprintf(&b, "The call %s %s", c.Call, more.one)
		} else {
			b.WriteString("It " + more.one)
		}
	}
	fmt.Fprintf(&b, ": %s, %s of the difference.", s.interval(c.Delta.Diff), percent(c.Share))
	c.rest(&b)
	return b.String()
}

// proved is the last step to a culprit that was proved by putting its code back and in
// which a call has most of the difference: what was put back is more than that
// call, and was measured otherwise. Nil for any other.
func (c Culprit) proved() *Step {
	n := len(c.Chain)
	if c.Reverted == nil || c.Call == "" || n == 0 || c.Chain[n-1].Delta == nil {
		return nil
	}
	return &c.Chain[n-1]
}

// mostOf says what of a culprit has most of its difference.
func (c Culprit) mostOf(step Step) string {
	s := scaleFor(step.Delta.Diff.Mean, step.Delta.Unit)
	what := map[Kind]string{
		AddedCall:   "Most of it is a call that good does not make, ",
		RemovedCall: "Most of it is a call that it no longer makes, ",
	}[c.Kind]
	if what == "" {
		what = "Most of it is in the call "
	}
	return fmt.Sprintf("%s%s: %s, by its probe.", what, c.Call, s.interval(step.Delta.Diff))
}

// rest says how often the culprit is called, why the search went no deeper, and
// whether it was seen again.
func (c Culprit) rest(b *strings.Builder) {
	if c.CallsGood > 0 || c.CallsBad > 0 {
		way := ""
		if c.Kind == OwnCode && len(c.Chain) > 1 { // it may be called from elsewhere, too
			way = " by way of the chain"
		}
		fmt.Fprintf(b, " Calls per operation%s: %s in good, %s in bad.", way, count(c.CallsGood), count(c.CallsBad))
	}
	if c.Stop != "" {
		fmt.Fprintf(b, " No deeper: %s.", c.Stop)
	}
	if c.Confirmed {
		b.WriteString(" Confirmed on fresh processes.")
	} else {
		b.WriteString(" Not confirmed.")
	}
}

// takesMore is the verb for a difference in a unit.
func takesMore(unit string) struct{ one, many string } {
	switch unit {
	case "CPU-ns/op":
		return struct{ one, many string }{"takes more CPU time", "take more CPU time"}
	case "allocs/op", "B/op":
		return struct{ one, many string }{"allocates more", "allocate more"}
	case "calls/op":
		return struct{ one, many string }{"makes more calls", "make more calls"}
	}
	return struct{ one, many string }{"takes longer", "take longer"}
}

// chain writes the steps. Those that chain begins with, as before did, are named
// by their numbers only.
func (t *text) chain(chain, before []Step) {
	t.paragraph()
	shared := 0
	for shared < len(chain)-1 && shared < len(before) && chain[shared].same(before[shared]) {
		shared++
	}
	if shared == 1 {
		shared = 0 // a reference would be no shorter
	}
	if shared > 1 {
		t.line("  %2d to %d as above", 0, shared-1)
	}
	for i, step := range chain[shared:] {
		t.line("  %2d  in %s", shared+i, step.Function)
		t.place(step.Position, step.Call)
		if step.Delta != nil {
			s := scaleFor(step.Delta.Diff.Mean, step.Delta.Unit)
			t.line("      %s  %s", s.interval(step.Delta.Diff), percent(step.Share))
		}
	}
}

func (s Step) same(other Step) bool {
	return s.Function == other.Function && s.Call == other.Call && s.Position == other.Position
}

// place writes where a call is and what it says, on one line if there is room.
func (t *text) place(position, call string) {
	const indent = 6
	call = clip(call, Width-indent)
	if indent+columns(position)+2+columns(call) <= Width {
		t.line("      %s  %s", position, call)
		return
	}
	t.line("      %s", position)
	t.line("      %s", call)
}

func (t *text) rest(r *Report) {
	t.paragraph()
	if u := r.Unexplained; u != nil && len(r.Culprits) > 0 {
		// Shares are measured each with its own noise, so their sum may pass 100 %.
		if named := 1 - *u; named >= 1 {
			t.line("what is named above makes up %s of the difference", percent(named))
		} else {
			t.line("not explained by what is named above: %s of the difference", percent(*u))
		}
	}
	if len(r.Undecided) > 0 {
		t.paragraph()
		t.line("not decided:")
		for _, u := range r.Undecided {
			t.item("  -", " ", u.String())
		}
	}
	if r.Continue != "" {
		t.paragraph()
		if len(r.Culprits) > 0 {
			t.line("the budget ended before the hunt did; to have the rest:")
		} else {
			t.line("to go on:")
		}
		t.line("  %s", r.Continue)
	}
}

// String is the part in one line, with what would decide it.
func (u Undecided) String() string {
	s := scaleFor(u.Delta.Diff.Mean, u.Delta.Unit)
	line := fmt.Sprintf("%s %s: %s", u.Position, clip(cmp.Or(u.Call, path.Base(u.Function)), 40), s.interval(u.Delta.Diff))
	if u.Need > 0 {
		line += fmt.Sprintf(" (about %s would do)", plural(u.Need, "pair"))
	}
	return line
}

func (t *text) cost(r *Report) {
	s := r.Search
	t.paragraph()
	cost := fmt.Sprintf("%s, %s, %s s, seed %d",
		plural(s.Builds, "build"), plural(s.Processes, "process"), significant(s.Seconds, 3), s.Seed)
	if s.Named > 0 {
		cost = fmt.Sprintf("%s, %s, %s s to the culprit and %s s in all, seed %d",
			plural(s.Builds, "build"), plural(s.Processes, "process"), significant(s.Named, 3), significant(s.Seconds, 3), s.Seed)
	}
	if s.Finder != "" {
		cost = fmt.Sprintf("%s: %s, %s, %s", s.Finder, plural(s.Layers, "layer"), plural(s.Comparisons, "comparison"), cost)
	}
	t.item("search", "  ", cost)
	if s.Disturbed > 0 {
		t.item("pairs", "  ", fmt.Sprintf("%s disturbed by others and run again", plural(s.Disturbed, "pair")))
	}
	t.item("bound", "  ", fmt.Sprintf("by chance alone at most %s of hunts accuse anything; differences below %s of the whole do not count",
		percent(s.Alpha), percent(s.MinEffect)))
}

// notes writes what the reader must know about the workload, the warnings, and
// what ended the hunt early.
func (t *text) notes(r *Report) {
	if lacking := r.Workload.Carried; lacking != "" {
		t.item("note", "  ", fmt.Sprintf("%s lacks the workload: %s was carried to it from the other revision",
			lacking, orElse(strings.Join(r.Workload.CarriedFiles, ", "), "its test file")))
	}
	if r.Workload.Driver != "" {
		t.item("note", "  ", fmt.Sprintf("the driver %s was placed in both revisions", r.Workload.Driver))
	}
	for _, w := range r.Warnings {
		t.item("note", "  ", w)
	}
	// A compiler's or a program's lines are not folded: they are read as they are.
	if first, more, ok := strings.Cut(strings.TrimRight(r.Error, "\n"), "\n"); ok {
		t.item("error", "  ", first)
		for _, l := range strings.Split(more, "\n") {
			t.line("  %s", l)
		}
	} else if first != "" {
		t.item("error", "  ", first)
	}
}

func orElse(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

// item writes a labelled paragraph that is folded at Width with its label
// hanging out.
func (t *text) item(label, space, s string) {
	label += space
	indent := strings.Repeat(" ", columns(label))
	for i, l := range wrap(s, Width-len(indent)) {
		if i == 0 {
			t.line("%s%s", label, l)
		} else {
			t.line("%s%s", indent, l)
		}
	}
}

func columns(s string) int { return utf8.RuneCountInString(s) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
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

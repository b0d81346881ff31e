package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/internal/unit"
)

// WriteText writes the report for a reader: what was compared, the whole
// difference, each culprit with the chain that leads to it, what is not
// explained or decided, and what the search cost.
func (r *Report) WriteText(w io.Writer) error {
	t := printer{text.NewWriter(w)}
	t.bisect(r.Bisect)
	t.In(text.Strong, func() { t.Item("", r.Workload.title()+": "+r.finding()) })
	t.sides(r)
	t.chosen(r.Workload.Chosen, r.Workload.title())
	t.culprits(r.Culprits)
	t.rest(r)
	t.cost(r)
	t.notes(r)
	return t.Flush()
}

// finding is the answer in one phrase.
func (r *Report) finding() string {
	said := r.change()
	switch r.Verdict {
	case Regression:
		if len(r.Culprits) > 0 {
			said += ", " + r.Culprits[0].label() + ": " + shortFunction(r.Culprits[0].Function)
		}
	case NoRegression:
		if said = "no difference above " + text.Percent(r.Search.MinEffect); r.NotSlower {
			said = "not slower"
		}
		if r.Idle != "" {
			said += ": " + r.Idle
		}
	case Improvement:
	case Mixed:
		said = "mixed: the typical operation is " + by(r.Whole) + ", the mean " + by(r.WholeMean)
	default:
		said = "not decided"
	}
	return said
}

// change says which way it went and by how much.
func (r *Report) change() string {
	words := map[Verdict]string{Regression: "slower", Improvement: "faster"}
	// Of the collector's time more or less is not yet slower or faster.
	if r.Whole != nil && (!unit.IsTime(r.Whole.Unit) || r.Workload.Metric == "gc-ns/op") {
		words = map[Verdict]string{Regression: "more " + r.Whole.Unit, Improvement: "less " + r.Whole.Unit}
	}
	said := words[r.Verdict]
	if r.Whole != nil && r.Whole.Ratio != nil {
		said += ", " + ratio(*r.Whole.Ratio)
	}
	return said
}

// by says by how much of good a quantity is slower or faster.
func by(d *Delta) string {
	switch {
	case d == nil || d.Good == 0:
		return "not known"
	case d.Diff.Mean > 0:
		return text.Percent(d.Diff.Mean/d.Good) + " slower"
	}
	return text.Percent(-d.Diff.Mean/d.Good) + " faster"
}

func (t printer) sides(r *Report) {
	t.Paragraph()
	revs := [2]Revision{r.Good, r.Bad}
	names, commits := [2]string{}, [2]string{}
	for i, rev := range revs {
		names[i], commits[i] = rev.titles()
		if r.Good.Toolchain != r.Bad.Toolchain {
			commits[i] += "  " + rev.Toolchain
		}
	}
	values := [2]string{}
	if d := r.Whole; d != nil {
		s := scaleFor(max(d.Good, d.Bad), d.Unit)
		values = [2]string{s.format(d.Good) + " " + s.perOp(), s.format(d.Bad) + " " + s.perOp()}
	}
	for i, label := range []string{"good", "bad"} {
		t.Line("  %-4s  %-*s%-*s  %s", label, widest(names), names[i], widest(commits), commits[i], values[i])
	}
	if d := r.Whole; d != nil {
		t.differences(d, r.WholeMean)
		if m := r.PeakMemory; m != nil {
			s := scaleFor(max(m.Good, m.Bad), m.Unit)
			t.Line("  memory      %s %s at most in good, %s %s in bad: %s", s.format(m.Good), s.Unit, s.format(m.Bad), s.Unit, s.interval(m.Diff))
		}
		if r.Work != nil && r.Work.Says != "" {
			t.Line("  %s", r.Work.Says)
		}
		if d.Exact {
			t.Line("  exact: all %d processes of each side agree", d.Pairs)
		} else {
			t.Line("  intervals at %s confidence, %s of processes", confidence(d.Confidence), text.Plural(d.Pairs, "pair"))
		}
	}
}

// differences writes that of the whole, and that of the mean where it is another.
func (t printer) differences(whole, mean *Delta) {
	s := scaleFor(whole.Diff.Mean, whole.Unit)
	if mean == nil || mean.Diff == whole.Diff {
		t.Line("  difference  %s", s.interval(whole.Diff))
		if whole.Ratio != nil {
			t.Line("  ratio       %s", ratio(*whole.Ratio))
		}
	} else {
		t.Line("  typical     %s", s.change(whole))
		t.Line("  mean        %s", s.change(mean))
	}
	if over := overLayouts(whole.Layouts); over != "" {
		t.Line("  in %s", over)
	}
	for _, line := range whole.Machines.lines() {
		t.Item("  ", line)
	}
}

func widest(texts [2]string) int { return max(text.Columns(texts[0]), text.Columns(texts[1])) }

func confidence(c float64) string { return text.Significant(100*c, 4) + " %" }

// culprits writes the confirmed and then the suspected, each with its chain. What
// a chain shares with the one before it is not written again.
func (t printer) culprits(all []Culprit) {
	confirmed := 0
	for _, c := range all {
		if c.named() {
			confirmed++
		}
	}
	var before []Step
	n := 0
	for _, c := range all {
		label := c.label()
		if c.named() {
			if n++; confirmed > 1 {
				label = fmt.Sprintf("culprit %d of %d", n, confirmed)
			}
		}
		t.culprit(label, c, before)
		before = c.Chain
	}
}

func (t printer) culprit(label string, c Culprit, before []Step) {
	t.Paragraph()
	name := c.Function
	if c.Instance != "" {
		name += " (" + c.Instance + ")"
	}
	t.In(text.Strong, func() {
		if text.Columns(label)+2+text.Columns(name) <= t.Width() {
			t.Line("%s  %s", label, name)
		} else {
			t.Line("%s", label)
			t.Line("  %s", name)
		}
	})
	t.Line("  %s", c.Position)
	t.Item("  ", c.because())
	t.chain(c.Chain, before)
	t.Paragraph()
	for _, e := range c.Evidence {
		t.Item("  - ", e)
	}
	t.proof(c.Reverted, c.Delta.Unit)
	t.statement(c.Statement)
	t.allocations(c.Allocations)
	t.diff(c.Diff)
	for _, m := range c.Commits {
		t.Item("  - ", fmt.Sprintf("commit %.10s in %s (%s, %s): %s", m.Hash, m.Side, m.Author, m.Date, m.Subject))
	}
}

// because says in a sentence what is known about the culprit.
func (c Culprit) because() string {
	s := scaleFor(c.Delta.Diff.Mean, c.Delta.Unit)
	more := takesMore(c.Delta.Unit)
	var b strings.Builder
	if step := c.proved(); step != nil {
		fmt.Fprintf(&b, "It %s: %s, %s of the difference. %s", more.one, s.interval(c.Delta.Diff), text.Percent(c.Share), c.mostOf(*step))
		c.rest(&b)
		return b.String()
	}
	switch c.Kind {
	case OwnCode:
		if c.Elsewhere {
			b.WriteString("What its code does makes other code slower")
		} else {
			b.WriteString("Its own code " + more.one)
		}
	case AddedCall:
		if by := c.caller(); by != "" {
			fmt.Fprintf(&b, "It came with the call %s in %s, which good does not make", c.Call, shortFunction(by))
		} else {
			fmt.Fprintf(&b, "It now calls %s, which good does not do", c.Call)
		}
	case RemovedCall:
		fmt.Fprintf(&b, "It no longer calls %s", c.Call)
	case Built:
		b.WriteString("What is compiled by it " + more.one)
	case Range:
		fmt.Fprintf(&b, "Several of its calls together %s (%s)", more.many, c.Call)
	default:
		if c.Call != "" {
			fmt.Fprintf(&b, "The call %s %s", c.Call, more.one)
		} else {
			b.WriteString("It " + more.one)
		}
	}
	fmt.Fprintf(&b, ": %s, %s of the difference.", s.interval(c.Delta.Diff), text.Percent(c.Share))
	if n := len(c.Chain); c.Elsewhere && n > 1 && c.Chain[n-2].Delta != nil {
		own := c.Chain[n-2].Delta.Diff
		fmt.Fprintf(&b, " The call of it takes %s of that.", scaleFor(own.Mean, c.Delta.Unit).interval(own))
	}
	c.rest(&b)
	return b.String()
}

// caller is the function that makes the culprit's call, where that is not the culprit: its
// code is then what was asked for newly.
func (c Culprit) caller() string {
	i := slices.IndexFunc(c.Chain, func(s Step) bool { return s.Call == c.Call })
	if i < 0 || c.Chain[i].Function == c.Function {
		return ""
	}
	return c.Chain[i].Function
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
		if (c.Kind == OwnCode || c.Reverted != nil) && len(c.Chain) > 1 { // it may be called from elsewhere, too
			way = " by way of the chain"
		}
		fmt.Fprintf(b, " Calls per operation%s: %s in good, %s in bad.", way, text.Count(c.CallsGood, 4), text.Count(c.CallsBad, 4))
	}
	if c.Stop != "" {
		fmt.Fprintf(b, " No deeper: %s.", c.Stop)
	}
	switch {
	case c.named():
		b.WriteString(" Confirmed on fresh processes.")
	case c.How == ByProbes:
		b.WriteString(" Only its probes say so: no code was put back that takes the difference away.")
	default:
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
	if u := strings.TrimPrefix(unit, "ns/"); u == unit && unit != "ns" {
		return struct{ one, many string }{"makes more " + unit, "make more " + unit}
	}
	return struct{ one, many string }{"takes longer", "take longer"}
}

// chain writes the steps. Those that chain begins with, as before did, are named
// by their numbers only.
func (t printer) chain(chain, before []Step) {
	t.Paragraph()
	shared := 0
	for shared < len(chain)-1 && shared < len(before) && chain[shared].same(before[shared]) {
		shared++
	}
	if shared == 1 {
		shared = 0 // a reference would be no shorter
	}
	if shared > 1 {
		t.Line("  %2d to %d as above", 0, shared-1)
	}
	for i, step := range chain[shared:] {
		t.Line("  %2d  in %s", shared+i, step.Function)
		t.place(step.Position, step.Call)
		if step.Delta != nil {
			s := scaleFor(step.Delta.Diff.Mean, step.Delta.Unit)
			t.Line("      %s %s  %s", bar(step.Share), text.Percent(step.Share), s.interval(step.Delta.Diff))
		}
	}
}

// bar draws a share, of ten blocks.
func bar(share float64) string {
	n := int(math.Round(10 * max(0, min(1, share))))
	return strings.Repeat("█", n) + strings.Repeat("·", 10-n)
}

func (s Step) same(other Step) bool {
	return s.Function == other.Function && s.Call == other.Call && s.Position == other.Position
}

// place writes where a call is and what it says, on one line if there is room.
func (t printer) place(position, call string) {
	const indent = 6
	call = text.Clip(call, t.Width()-indent)
	if indent+text.Columns(position)+2+text.Columns(call) <= t.Width() {
		t.Line("      %s  %s", position, call)
		return
	}
	t.Line("      %s", position)
	t.Line("      %s", call)
}

func (t printer) rest(r *Report) {
	t.Paragraph()
	if u := r.Unexplained; u != nil && len(r.Culprits) > 0 {
		// Shares are measured each with its own noise, so their sum may pass 100 %.
		if named := 1 - *u; named >= 1 {
			t.Line("what is named above makes up %s of the difference", text.Percent(named))
		} else {
			t.Line("not explained by what is named above: %s of the difference", text.Percent(*u))
		}
	}
	if len(r.Undecided) > 0 {
		t.Paragraph()
		t.Line("not decided:")
		for _, u := range r.Undecided {
			t.Item("  - ", u.String())
		}
	}
	t.cleared(r.Tried)
	if r.Continue != "" {
		t.Paragraph()
		if len(r.Culprits) > 0 {
			t.Line("the budget ended before the hunt did; to have the rest:")
		} else {
			t.Line("to go on:")
		}
		t.Line("  %s", r.Continue)
	}
}

// String is the part in one line, with what would decide it.
func (u Undecided) String() string {
	s := scaleFor(u.Delta.Diff.Mean, u.Delta.Unit)
	line := strings.TrimSpace(u.Position + " " + text.Clip(cmp.Or(u.Call, path.Base(u.Function)), 40))
	if u.Delta.Unit != "" { // it was measured by itself
		line += ": " + s.interval(u.Delta.Diff)
	}
	if u.Need > 0 {
		line += fmt.Sprintf(" (about %s would do)", text.Plural(u.Need, "pair"))
	}
	return line
}

func (t printer) cost(r *Report) {
	s := r.Search
	t.Paragraph()
	cost := fmt.Sprintf("%s, %s, %s s, seed %d",
		text.Plural(s.Builds, "build"), text.Plural(s.Processes, "process"), text.Significant(s.Seconds, 3), s.Seed)
	if s.Named > 0 {
		cost = fmt.Sprintf("%s, %s, %s s to the culprit and %s s in all, seed %d",
			text.Plural(s.Builds, "build"), text.Plural(s.Processes, "process"), text.Significant(s.Named, 3), text.Significant(s.Seconds, 3), s.Seed)
	}
	if s.Finder != "" {
		cost = fmt.Sprintf("%s: %s, %s, %s", s.Finder, text.Plural(s.Layers, "layer"), text.Plural(s.Comparisons, "comparison"), cost)
	}
	t.Item("search  ", cost)
	if s.Disturbed > 0 {
		t.Item("pairs  ", fmt.Sprintf("%s disturbed by others and run again", text.Plural(s.Disturbed, "pair")))
	}
	if s.Fleet != nil {
		t.Item("fleet  ", s.Fleet.Text())
	}
	t.Item("bound  ", fmt.Sprintf("by chance alone at most %s of hunts accuse anything; differences below %s of the whole do not count",
		text.Percent(s.Alpha), text.Percent(s.MinEffect)))
}

// notes writes what the reader must know about the workload, the warnings, and
// what ended the hunt early.
func (t printer) notes(r *Report) {
	if lacking := r.Workload.Carried; lacking != "" {
		t.Item("note  ", fmt.Sprintf("%s lacks the workload: %s was carried to it from the other revision",
			lacking, cmp.Or(strings.Join(r.Workload.CarriedFiles, ", "), "its test file")))
	}
	if r.Workload.Driver != "" {
		t.Item("note  ", fmt.Sprintf("the driver %s was placed in both revisions", r.Workload.Driver))
	}
	if s := r.Workload.Server; s != nil {
		what := fmt.Sprintf("one of %s", text.Plural(s.Requests, "request"))
		if s.Load != "" {
			what = "a run of " + s.Load
		}
		t.Item("note  ", "an operation is "+what+"; what sends it runs in the server's process, and is in the time of both sides")
	}
	for _, w := range r.Warnings {
		t.Item("note  ", w)
	}
	t.printed("error  ", "  ", r.Error)
}

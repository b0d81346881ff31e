package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteText writes the suite for a reader of a log: what was compared, the outcome
// of each benchmark and why it was looked at, then the full report of each
// regression.
func (s *Suite) WriteText(w io.Writer) error {
	t := &text{w: bufio.NewWriter(w)}
	for _, l := range wrap(s.headline(), Width) {
		t.line("%s", l)
	}
	t.paragraph()
	t.item("  base", "  ", short(s.Good.Commit)+", "+s.Base)
	t.item("  head", "  ", s.headName())
	for _, o := range outcomes {
		t.outcome(o, s.of(o))
	}
	t.stale(s.Stale)
	if err := t.w.Flush(); err != nil {
		return err
	}
	if err := s.writeReports(w); err != nil {
		return err
	}
	t.w.Reset(w)
	t.suiteNotes(s)
	return t.w.Flush()
}

// outcome writes the benchmarks of one outcome: those that need a look one by one,
// the others by why they were compared or not.
func (t *text) outcome(o Outcome, list []Benchmark) {
	if len(list) == 0 {
		return
	}
	t.paragraph()
	t.line("%s", o)
	if o.left() {
		t.groups(list)
		return
	}
	for _, b := range list {
		t.line("  %s", strings.TrimSpace(b.Name+"  "+orElse(b.Dir, ".")+"  "+b.change()))
		t.item("    ", "", b.Selected)
		for _, c := range b.culprits() {
			t.item("    culprit", " ", c.Function+", "+c.Position)
		}
		if a := b.Acceptance; a != nil {
			t.item("    ", "", a.text())
		}
		if b.Reason != "" {
			t.reason(b.Reason)
		}
	}
}

// reason writes why an outcome is what it is. What a compiler or a program printed
// is not folded.
func (t *text) reason(reason string) {
	first, more, _ := strings.Cut(strings.TrimRight(reason, "\n"), "\n")
	t.item("    ", "", first)
	if more != "" {
		for _, l := range strings.Split(more, "\n") {
			t.line("      %s", l)
		}
	}
}

// groups writes benchmarks by their reason, each group folded.
func (t *text) groups(list []Benchmark) {
	for _, g := range bySelection(list) {
		t.item("  ", "", g.why+" ("+plural(len(g.names), "benchmark")+"):")
		t.item("    ", "", strings.Join(g.first(100), " "))
	}
}

type group struct {
	why   string
	names []string
}

// first lists some of the names, and says how many it leaves out.
func (g group) first(n int) []string {
	if len(g.names) <= n {
		return g.names
	}
	return append(slices.Clone(g.names[:n]), fmt.Sprintf("and %d more", len(g.names)-n))
}

// bySelection groups benchmarks by why they were compared or not, in order of
// first appearance.
func bySelection(list []Benchmark) []group {
	var groups []group
	at := make(map[string]int)
	for _, b := range list {
		i, ok := at[b.Selected]
		if !ok {
			i = len(groups)
			at[b.Selected] = i
			groups = append(groups, group{why: b.Selected})
		}
		groups[i].names = append(groups[i].names, b.Name)
	}
	return groups
}

// culprits are those of the benchmark's hunt.
func (b Benchmark) culprits() []Culprit {
	if b.Report == nil || b.Outcome != IsRegression && b.Outcome != IsAccepted {
		return nil
	}
	return b.Report.Culprits
}

func (a Acceptance) text() string {
	return "accepted by " + a.place() + ": " + a.Reason
}

func (a Acceptance) place() string { return a.File + ":" + count(float64(a.Line)) }

func (t *text) stale(list []Stale) {
	if len(list) == 0 {
		return
	}
	t.paragraph()
	t.line("stale entries of accepted regressions, which can go:")
	for _, e := range list {
		t.item("  "+e.place(), "  ", e.Benchmark+" "+e.Culprit+": "+e.Why)
	}
}

// writeReports writes the reports of what was hunted.
func (s *Suite) writeReports(w io.Writer) error {
	for _, b := range s.Benchmarks {
		if len(b.culprits()) == 0 {
			continue
		}
		if _, err := io.WriteString(w, "\n"+strings.Repeat("-", Width)+"\n"); err != nil {
			return err
		}
		if err := b.Report.WriteText(w); err != nil {
			return err
		}
	}
	if s.count(IsRegression)+s.count(IsAccepted) == 0 {
		return nil
	}
	_, err := io.WriteString(w, strings.Repeat("-", Width)+"\n")
	return err
}

func (t *text) suiteNotes(s *Suite) {
	t.paragraph()
	t.item("compared", "  ", s.Selection)
	t.item("cost", "  ", s.Cost.text())
	if s.Rule.Compared > 0 {
		t.item("bound", "  ", s.Rule.bound())
	}
	for _, w := range s.Warnings {
		t.item("note", "  ", w)
	}
	if s.Error != "" {
		t.item("error", "  ", s.Error)
	}
}

func (c SuiteCost) text() string {
	return plural(c.Builds, "build") + " and " + plural(c.Processes, "process") + " to compare, " + plural(c.Hunts, "hunt") +
		"; " + significant(c.Seconds, 3) + " s of " + significant(c.Budget, 3) + " s, seed " + count(float64(c.Seed))
}

package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// WriteText writes the suite for a reader of a log: what was compared, the outcome
// of each benchmark and why it was looked at, then the full report of each
// regression.
func (s *Suite) WriteText(w io.Writer) error {
	t := printer{text.NewWriter(w)}
	t.Item("", s.headline())
	t.Paragraph()
	t.Item("  base  ", short(s.Good.Commit)+", "+s.Base)
	t.Item("  head  ", s.headName())
	for _, o := range outcomes {
		t.outcome(o, s.of(o))
	}
	t.alarms(s.Alarms)
	t.stale(s.Stale)
	if err := t.Flush(); err != nil {
		return err
	}
	if err := s.writeReports(w); err != nil {
		return err
	}
	t.suiteNotes(s)
	return t.Flush()
}

// outcome writes the benchmarks of one outcome: those that need a look one by one,
// the others by why they were compared or not.
func (t printer) outcome(o Outcome, list []Benchmark) {
	if len(list) == 0 {
		return
	}
	t.Paragraph()
	t.Line("%s", o)
	if o.left() {
		t.groups(list)
		return
	}
	for _, b := range list {
		t.Line("  %s", strings.TrimSpace(b.Name+"  "+cmp.Or(b.Dir, ".")+"  "+b.change()))
		t.Item("    ", b.Selected)
		for _, c := range b.culprits() {
			t.Item("    "+c.label()+" ", c.Function+", "+c.Position)
		}
		if a := b.Acceptance; a != nil {
			t.Item("    ", a.text())
		}
		t.printed("    ", "      ", b.Reason)
	}
}

// groups writes benchmarks by their reason, each group folded.
func (t printer) groups(list []Benchmark) {
	for _, g := range bySelection(list) {
		t.Item("  ", g.why+" ("+text.Plural(len(g.names), "benchmark")+"):")
		t.Item("    ", strings.Join(text.First(g.names, 100), " "))
	}
}

type group struct {
	why   string
	names []string
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

func (a Acceptance) place() string { return fmt.Sprintf("%s:%d", a.File, a.Line) }

func (t printer) stale(list []Stale) {
	if len(list) == 0 {
		return
	}
	t.Paragraph()
	t.Line("stale entries of accepted regressions, which can go:")
	for _, e := range list {
		t.Item("  "+e.place()+"  ", e.Benchmark+" "+e.Culprit+": "+e.Why)
	}
}

// writeReports writes the reports of what was hunted.
func (s *Suite) writeReports(w io.Writer) error {
	var reports []*Report
	for _, b := range s.Benchmarks {
		if len(b.culprits()) > 0 {
			reports = append(reports, b.Report)
		}
	}
	for _, a := range s.Alarms {
		if a.Report != nil && a.Finding == Confirmed {
			reports = append(reports, a.Report)
		}
	}
	for _, r := range reports {
		if _, err := io.WriteString(w, "\n"+strings.Repeat("-", text.Width)+"\n"); err != nil {
			return err
		}
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	if len(reports) == 0 {
		return nil
	}
	_, err := io.WriteString(w, strings.Repeat("-", text.Width)+"\n")
	return err
}

func (t printer) suiteNotes(s *Suite) {
	t.Paragraph()
	t.Item("compared  ", s.Selection)
	t.Item("cost  ", s.Cost.text())
	if s.Cost.Fleet != nil {
		t.Item("fleet  ", s.Cost.Fleet.Text())
	}
	if s.Rule.Compared > 0 {
		t.Item("bound  ", s.Rule.bound())
	}
	for _, w := range s.Warnings {
		t.Item("note  ", w)
	}
	if s.Error != "" {
		t.Item("error  ", s.Error)
	}
}

func (c SuiteCost) text() string {
	return fmt.Sprintf("%s and %s to compare, %s; %s s of %s s, seed %d",
		text.Plural(c.Builds, "build"), text.Plural(c.Processes, "process"), text.Plural(c.Hunts, "hunt"),
		text.Significant(c.Seconds, 3), text.Significant(c.Budget, 3), c.Seed)
}

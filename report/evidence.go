package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// statement writes which statement of its own code makes the difference.
func (t printer) statement(s *Statement) {
	if s == nil {
		return
	}
	t.Item("  - ", s.sentence()+":")
	t.Line("      %s", text.Clip(s.Text, t.Width()-6))
}

// sentence says what a statement makes, and whether it changed or is run more often.
func (s *Statement) sentence() string {
	what, runs := "statement", "runs"
	if s.Loop {
		what, runs = "loop", "goes round"
	}
	scale := scaleFor(s.Delta.Diff.Mean, s.Delta.Unit)
	if s.Only != "" {
		return fmt.Sprintf("in its own code, the %s at %s, which only %s has, makes %s", what, s.Position, s.Only, scale.interval(s.Delta.Diff))
	}
	said := fmt.Sprintf("in its own code, the %s at %s takes %s of it", what, s.Position, scale.interval(s.Delta.Diff))
	if s.Changed {
		said += "; it changed"
	} else {
		said += "; it says the same in both revisions"
	}
	return said + fmt.Sprintf(", and %s %s times per operation in good and %s in bad", runs, text.Count(s.RoundsGood, 4), text.Count(s.RoundsBad, 4))
}

// allocations writes what a culprit allocates, and the lines that make the
// difference.
func (t printer) allocations(a *Allocations) {
	if a == nil {
		return
	}
	t.Item("  - ", fmt.Sprintf("it and what it calls allocate %s per operation in good, %s in bad:",
		amount(a.AllocsGood, a.BytesGood), amount(a.AllocsBad, a.BytesBad)))
	for _, s := range a.Sites {
		t.Item("     ", fmt.Sprintf("%s: %s in good, %s in bad",
			s.Position, amount(s.AllocsGood, s.BytesGood), amount(s.AllocsBad, s.BytesBad)))
		if s.Text != "" {
			t.Line("         %s", text.Clip(s.Text, t.Width()-9))
		}
	}
}

func amount(allocs, size float64) string {
	switch allocs {
	case 0:
		return "never"
	case 1:
		return "once (" + bytes(size) + ")"
	}
	return text.Count(allocs, 4) + " times (" + bytes(size) + ")"
}

func bytes(n float64) string {
	s := scaleFor(n, "B/op")
	return s.format(n) + " " + s.Unit
}

// mostDiff is how many lines of a culprit's change are printed. The JSON has all.
const mostDiff = 24

// diff writes what changed in a culprit's own code.
func (t printer) diff(unified string) {
	lines := strings.Split(strings.TrimSuffix(unified, "\n"), "\n")
	// The header says which files, which the culprit's position does already.
	for len(lines) > 0 && !strings.HasPrefix(lines[0], "@@") {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return
	}
	t.Line("  - its own code, from good to bad:")
	shown := min(len(lines), mostDiff)
	for _, l := range lines[:shown] {
		style := map[string]text.Style{"+": text.Added, "-": text.Removed, "@": text.Faint}[l[:min(1, len(l))]]
		t.In(style, func() { t.Line("      %s", text.Clip(strings.ReplaceAll(l, "\t", "    "), t.Width()-6)) })
	}
	if more := len(lines) - shown; more > 0 {
		t.Line("      (%s more; --json has all)", text.Plural(more, "line"))
	}
}

// proof writes what the rounds of a proof say.
func (t printer) proof(r *Reverted, unit string) {
	if r == nil {
		return
	}
	if s := r.Triples; s != nil && len(s.Good) > 0 {
		good, back, bad := s.means()
		in := scaleFor(max(good, back, bad), unit)
		t.Item("  - ", fmt.Sprintf("in %s of good, bad with good's code, and bad: %s, %s, %s %s",
			text.Plural(len(s.Good), "round"), in.format(good), in.format(back), in.format(bad), in.perOp()))
	}
	if over := overLayouts(r.Delta.Layouts); over != "" {
		t.Item("  - ", "bad against bad with good's code, in "+over)
	}
}

// cleared writes what was put back and is not to blame.
func (t printer) cleared(list []Trial) {
	var names []string
	for _, trial := range list {
		if trial.Outcome == TrialCleared {
			names = append(names, trial.title())
		}
	}
	if len(names) == 0 {
		return
	}
	t.Paragraph()
	t.Item("cleared  ", fmt.Sprintf("%s put back without the difference going: %s",
		text.Plural(len(names), "suspect"), text.Join(names, ", ", mostShown)))
}

// overLayouts says how the ratio varies with the link order; nothing of fewer than two.
func overLayouts(list []Layout) string {
	if len(list) < 2 {
		return ""
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range list {
		low, high = min(low, l.Ratio.Mean), max(high, l.Ratio.Mean)
	}
	return fmt.Sprintf("%s: %sx to %sx", text.Plural(len(list), "link order"), text.Significant(low, 3), text.Significant(high, 3))
}

package report

import "fmt"

// allocations writes what a culprit allocates, and the lines that make the
// difference.
func (t *text) allocations(a *Allocations) {
	if a == nil {
		return
	}
	t.item("  -", " ", fmt.Sprintf("it and what it calls allocate %s per operation in good, %s in bad:",
		amount(a.AllocsGood, a.BytesGood), amount(a.AllocsBad, a.BytesBad)))
	for _, s := range a.Sites {
		t.item("     ", "", fmt.Sprintf("%s: %s in good, %s in bad",
			s.Position, amount(s.AllocsGood, s.BytesGood), amount(s.AllocsBad, s.BytesBad)))
		if s.Text != "" {
			t.line("         %s", clip(s.Text, Width-9))
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
	return count(allocs) + " times (" + bytes(size) + ")"
}

func bytes(n float64) string {
	s := scaleFor(n, "B/op")
	return s.format(n) + " " + s.unit
}

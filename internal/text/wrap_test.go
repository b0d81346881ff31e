package text

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	long := strings.Repeat("x", 81)
	words := strings.TrimSpace(strings.Repeat("1234567 ", 10)) // 79 columns
	for _, test := range []struct{ label, indent, s, want string }{
		{"", "", "", "\n"},
		{"", "  ", words + " 8", words + "\n  8\n"},
		{" ", "", words, " " + words + "\n"},
		{"  ", "  ", words, "  " + words[:71] + "\n  1234567\n"},
		{"note  ", "      ", "a b\nc", "note  a b\n      c\n"},
		{"", "", "a " + long + " b", "a\n" + long + "\nb\n"},
		{"", "", "µ" + words, "µ" + words + "\n"},
	} {
		if got := Fold(test.label, test.indent, test.s); got != test.want {
			t.Errorf("%q, %q, %q:\n%s\nwant\n%s", test.label, test.indent, test.s, got, test.want)
		}
	}
	if got := Hang("– ", strings.Repeat("ab ", 30)); got != "– "+strings.TrimSpace(strings.Repeat("ab ", 26))+"\n  ab ab ab ab\n" {
		t.Errorf("%q", got)
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		s     string
		width int
		want  string
	}{{"µs/op", 5, "µs/op"}, {"µs/op", 4, "µs/…"}} {
		if got := Clip(test.s, test.width); got != test.want {
			t.Errorf("%q in %d: %q", test.s, test.width, got)
		}
	}
}

func TestWriter(t *testing.T) {
	var b strings.Builder
	w := NewWriter(&b)
	w.Line("%-6s", "a")
	w.Paragraph()
	w.Paragraph()
	w.Item("- ", "b")
	w.Line("c")
	if err := w.Flush(); err != nil || b.String() != "a\n\n- b\nc\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// Package text is how pinpoint speaks to people: prose within 80 columns, and
// quantities in a unit that reads well, with as many digits as they have.
package text

import (
	"strings"
	"unicode/utf8"
)

// Width is the number of columns that text keeps to, where names allow it and nobody says
// how many there are.
const Width = 80

// Columns is how many columns s takes.
func Columns(s string) int { return utf8.RuneCountInString(s) }

// Fold breaks s at blanks into lines within Width, where its words allow it. The
// first line begins with label, all others with indent, and each ends with a
// newline. Line breaks of s stay.
func Fold(label, indent, s string) string { return fold(Width, label, indent, s) }

func fold(width int, label, indent, s string) string {
	var b strings.Builder
	lead := label
	for paragraph := range strings.SplitSeq(s, "\n") {
		line := ""
		flush := func() {
			b.WriteString(strings.TrimRight(lead+line, " ") + "\n")
			lead, line = indent, ""
		}
		for word := range strings.FieldsSeq(paragraph) {
			if line != "" && Columns(lead)+Columns(line)+1+Columns(word) > width {
				flush()
			}
			if line != "" {
				line += " "
			}
			line += word
		}
		flush()
	}
	return b.String()
}

// Hang folds s behind a label that hangs out.
func Hang(label, s string) string { return hang(Width, label, s) }

func hang(width int, label, s string) string {
	return fold(width, label, strings.Repeat(" ", Columns(label)), s)
}

// Clip shortens s to width columns, marking the cut.
func Clip(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	return string(runes[:width-1]) + "…"
}

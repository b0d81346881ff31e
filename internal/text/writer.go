package text

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Writer writes lines. The first error of what it writes to stays until Flush.
type Writer struct {
	w   *bufio.Writer
	gap bool // the next line begins a new paragraph
}

// NewWriter writes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriter(w)} }

// Line writes one line, without blanks at its end.
func (t *Writer) Line(format string, args ...any) {
	t.write(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// Item writes a paragraph that is folded with its label hanging out.
func (t *Writer) Item(label, s string) { t.write(Hang(label, s)) }

// Paragraph puts one empty line before what comes next.
func (t *Writer) Paragraph() { t.gap = true }

func (t *Writer) write(lines string) {
	if t.gap {
		t.gap = false
		t.w.WriteByte('\n')
	}
	t.w.WriteString(lines)
}

// Flush hands over what was written.
func (t *Writer) Flush() error { return t.w.Flush() }

package text

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// A Writer writes lines. The first error of what it writes to stays until Flush.
type Writer struct {
	w      *bufio.Writer
	gap    bool // the next line begins a new paragraph
	styled Styled
	width  int
}

// Style is how a line stands out, for who watches: it says nothing that its text does
// not say.
type Style int

// The styles.
const (
	Normal Style = iota
	Strong
	Added
	Removed
	Faint
)

// Styled is what can show styles: all that is written until the next one has it.
type Styled interface{ SetStyle(Style) error }

// Wide is what knows how wide it is, in columns.
type Wide interface{ Columns() int }

// NewWriter writes to w, in colours if that can show them, and as wide as it is.
func NewWriter(w io.Writer) *Writer {
	t := &Writer{w: bufio.NewWriter(w), width: Width}
	t.styled, _ = w.(Styled)
	if wide, ok := w.(Wide); ok {
		t.width = wide.Columns()
	}
	return t
}

// Width is the number of columns that lines may take.
func (t *Writer) Width() int { return t.width }

// In writes with a style what f writes.
func (t *Writer) In(s Style, f func()) {
	if t.styled == nil || s == Normal {
		f()
		return
	}
	t.w.Flush()
	t.styled.SetStyle(s)
	f()
	t.w.Flush()
	t.styled.SetStyle(Normal)
}

// Line writes one line, without blanks at its end.
func (t *Writer) Line(format string, args ...any) {
	t.write(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// Item writes a paragraph that is folded with its label hanging out.
func (t *Writer) Item(label, s string) { t.write(hang(t.width, label, s)) }

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

package outside

import (
	"cmp"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// A Terminal is where a command prints: a person's terminal, or the log of a CI job.
// Whatever is written to it is made [Visible], and nothing of it is a command to the
// runner of a job: of a line that begins with "::", and of "##[" anywhere, one
// character is written as \u003a or \u005b. JSON that is written to it stays the same
// JSON.
type Terminal struct {
	Colours bool        // styles are shown
	Redraws bool        // lines may be drawn over
	Quiet   bool        // progress is not asked for
	Verbose bool        // each decision is to be explained
	Failed  func(error) // told the first error of writing; nil is nobody
	w       io.Writer
	part    []byte // of a character, the rest of which comes with the next Write
	failed  error  // the first of writing
	cr      bool   // a carriage return came last, and is not written
	blank   bool   // nothing but blanks since the line began
	last    string // what may become a command: ":", "#", "##", "##vso"
}

// NewTerminal prints on w.
func NewTerminal(w io.Writer) *Terminal { return &Terminal{w: w, blank: true} }

// Write writes p, all of it or with an error. Of a character of several bytes that is
// not complete, what there is waits for the rest.
func (t *Terminal) Write(p []byte) (int, error) {
	var b strings.Builder
	data := append(t.part, p...)
	for len(data) > 0 && utf8.FullRune(data) {
		r, size := utf8.DecodeRune(data)
		data = data[size:]
		t.put(&b, r)
	}
	t.part = append([]byte(nil), data...)
	if _, err := io.WriteString(t.w, b.String()); err != nil {
		if t.failed == nil && t.Failed != nil {
			t.Failed(err)
		}
		t.failed = cmp.Or(t.failed, err)
		return 0, err
	}
	return len(p), nil
}

// Err is the first error of writing, for who printed without looking: what nobody could
// read was not said.
func (t *Terminal) Err() error { return t.failed }

func (t *Terminal) put(b *strings.Builder, r rune) {
	if t.cr {
		t.cr = false
		if r != '\n' {
			writeVisible(b, '\r')
			t.blank = false
		}
	}
	if r == '\r' {
		t.cr = true
		return
	}
	if t.commands(r) {
		t.last = ""
		b.WriteString(map[rune]string{':': `\u003a`, '[': `\u005b`}[r])
		return
	}
	if r == '\n' {
		t.blank = true
	} else if !unicode.IsSpace(r) {
		t.blank = false
	}
	writeVisible(b, r)
}

// commands reports whether r makes a command of what came before it on the line. The
// runners of GitHub and Azure obey "::" at the beginning of a line, behind blanks too,
// and "##[" and "##vso[" anywhere, in capitals too; that of TeamCity "##teamcity[".
func (t *Terminal) commands(r rune) bool {
	before := t.last
	switch {
	case r == '#':
		t.last = "#" + before
		if before != "#" {
			t.last = "#"
		}
		if before == "##" {
			t.last = "##"
		}
	case strings.HasPrefix(before, "##") && len(before) < 16 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
		t.last += string(r)
	case r == ':' && t.blank:
		t.last = ":"
	default:
		t.last = ""
	}
	return r == '[' && strings.HasPrefix(before, "##") || r == ':' && before == ":"
}

// command writes a command to the runner.
func (t *Terminal) command(a Annotation) error {
	_, err := io.WriteString(t.w, a.s)
	return err
}

// IsTerminal reports whether a person watches.
func (t *Terminal) IsTerminal() bool {
	f, ok := t.w.(*os.File)
	if !ok {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// Columns is how wide it is: as a terminal says, within what can be read, and
// [text.Width] of all else.
func (t *Terminal) Columns() int {
	const least, most = 40, 120
	f, ok := t.w.(*os.File)
	if !ok || !t.Redraws {
		return text.Width
	}
	wide := columns(f)
	if wide == 0 {
		return text.Width
	}
	return max(least, min(most, wide))
}

// SetStyle shows all that is written from now on in a style: of it, only these
// commands reach the terminal.
func (t *Terminal) SetStyle(s text.Style) error {
	if !t.Colours {
		return nil
	}
	_, err := io.WriteString(t.w, map[text.Style]string{
		text.Normal: "\x1b[0m", text.Strong: "\x1b[1m", text.Added: "\x1b[34m", text.Removed: "\x1b[31m", text.Faint: "\x1b[2m",
	}[s])
	return err
}

// Redraw writes a line over the one that was drawn last, without a line break, and
// blanks behind it.
func (t *Terminal) Redraw(line string, blanks int) error {
	_, err := io.WriteString(t.w, "\r"+oneLine(line, 1000)+strings.Repeat(" ", blanks))
	return err
}

// Home goes back to where the line began.
func (t *Terminal) Home() error {
	_, err := io.WriteString(t.w, "\r")
	return err
}

package report

import (
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// A printer writes the parts of a report.
type printer struct{ *text.Writer }

// printed writes what may be a compiler's or a program's lines. All but the first are
// not folded: they are read as they are.
func (t printer) printed(label, indent, s string) {
	if s == "" {
		return
	}
	first, more, ok := strings.Cut(strings.TrimRight(s, "\n"), "\n")
	t.Item(label, first)
	for ok {
		first, more, ok = strings.Cut(more, "\n")
		t.Line("%s%s", indent, first)
	}
}

// mostShown is how many of the commits that it can be are listed.
const mostShown = 10

package report

import (
	"bufio"
	"io"
)

// WriteFound writes what is known of a culprit as soon as it is proved, for whoever
// waits for the report: its name and the evidence so far. The error is that of w.
func (c *Culprit) WriteFound(w io.Writer) error {
	t := &text{w: bufio.NewWriter(w)}
	t.item("found", " ", c.Function)
	for _, line := range c.Evidence {
		t.item("     ", " ", line)
	}
	return t.w.Flush()
}

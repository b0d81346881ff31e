package report

import (
	"io"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// WriteFound writes what is known of a culprit as soon as it is proved, for whoever
// waits for the report: its name and the evidence so far. The error is that of w.
func (c *Culprit) WriteFound(w io.Writer) error {
	t := printer{text.NewWriter(w)}
	t.Item("found ", c.Function)
	for _, line := range c.Evidence {
		t.Item("      ", line)
	}
	return t.Flush()
}

// WriteWay writes how a culprit is reached, and how much of the difference it makes, before
// the evidence is gathered. The error is that of w.
func (c *Culprit) WriteWay(w io.Writer) error {
	t := printer{text.NewWriter(w)}
	t.Item("      ", c.because())
	t.chain(c.Chain, nil)
	return t.Flush()
}

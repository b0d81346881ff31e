package report

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Chosen says why a workload was chosen for the function that it is to run.
type Chosen struct {
	Function string   `json:"function"`
	Share    float64  `json:"share"`            // of the workload's time that the function took in bad, before anything was compared
	Calls    float64  `json:"calls"`            // of it per operation
	Looked   int      `json:"looked"`           // how many benchmarks and tests that may reach it were run
	Others   []Runner `json:"others,omitempty"` // the next best
	Notes    []string `json:"notes,omitempty"`  // what was not looked at, and why
}

// Runner is a workload that runs the function, too.
type Runner struct {
	Name    string  `json:"name"`
	Package string  `json:"package"`
	Share   float64 `json:"share"`
}

func (t printer) chosen(c *Chosen, title string) {
	if c == nil {
		return
	}
	t.Paragraph()
	t.Item("chosen  ", fmt.Sprintf("%s: %s takes %s of its time, in %s per operation (%s run)",
		title, c.Function, text.Percent(c.Share), text.Plural(max(1, int(c.Calls+0.5)), "call"), text.Plural(c.Looked, "workload")))
	for _, o := range c.Others {
		t.Item("  then  ", fmt.Sprintf("%s of %s, %s", o.Name, o.Package, text.Percent(o.Share)))
	}
	for _, n := range c.Notes {
		t.Item("  note  ", n)
	}
}

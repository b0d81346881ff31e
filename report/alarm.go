package report

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Alarm is what another gate complained of, with what became of it here.
type Alarm struct {
	Package string  `json:"package,omitempty"` // import path
	Name    string  `json:"name"`              // of the benchmark or test
	Claim   string  `json:"claim"`             // what the gate says
	Ratio   float64 `json:"ratio,omitempty"`   // of head to base, as claimed
	Finding Finding `json:"finding"`
	Why     string  `json:"why,omitempty"`
	Report  *Report `json:"report,omitempty"` // of a test that was hunted; those of benchmarks are with them
}

// Finding is what became of an alarm.
type Finding string

// The findings. A false alarm is noise of the gate's: pairs of processes show, with their
// interval, that it is not slower by more than the limit, or it runs nothing that changed.
const (
	Confirmed  Finding = "confirmed"
	FalseAlarm Finding = "false alarm"
	Open       Finding = "not decided"
	Broken     Finding = "failed"
	Missing    Finding = "not found"
)

// Judge says what became of an alarm about a benchmark.
func (b Benchmark) Judge() (Finding, string) {
	switch b.Outcome {
	case IsRegression:
		return Confirmed, b.change()
	case IsAccepted:
		return Confirmed, b.change() + ", and accepted"
	case IsSlower, IsFaster, IsUnharmed:
		return FalseAlarm, b.change()
	case IsUnchanged:
		return FalseAlarm, b.Selected
	case IsUnknown:
		return Open, b.change()
	case IsNew, IsRemoved:
		return Missing, b.Selected
	}
	return Broken, text.Clip(b.Reason, text.Width)
}

func (t printer) alarms(list []Alarm) {
	if len(list) == 0 {
		return
	}
	t.Paragraph()
	wrong := 0
	for _, a := range list {
		if a.Finding == FalseAlarm {
			wrong++
		}
	}
	t.Item("", fmt.Sprintf("of %s of another gate %d false:", text.Plural(len(list), "alarm"), wrong))
	for _, a := range list {
		said := string(a.Finding)
		if a.Why != "" {
			said += ", " + a.Why
		}
		t.Item("  ", fmt.Sprintf("%s: %s (the gate: %s)", a.Name, said, a.Claim))
	}
}

// Change is how much slower bad is, with its interval.
func (r *Report) Change() string { return Benchmark{Delta: r.Whole}.change() }

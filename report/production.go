package report

import (
	"fmt"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Suspect is a function whose share of a program's processor time grew, by two profiles of
// it. Profiles only order what is measured.
type Suspect struct {
	Function string   `json:"function"`
	Changed  bool     `json:"changed"` // its code differs between the revisions
	Good     Interval `json:"good"`    // share of the samples
	Bad      Interval `json:"bad"`
	Own      bool     `json:"own"`                // the shares are of its own code, else with what it calls
	Workload string   `json:"workload,omitempty"` // that runs it and was hunted in
	Measured Measured `json:"measured"`
	Culprit  string   `json:"culprit,omitempty"` // what was named there
}

// Measured is what became of a suspect.
type Measured string

// What becomes of suspects.
const (
	SuspectConfirmed  Measured = "confirmed"
	SuspectElsewhere  Measured = "slower, by another function"
	SuspectNotSlower  Measured = "not slower in the workload"
	SuspectUndecided  Measured = "not decided"
	SuspectUnmeasured Measured = "suspected, not measured"
	SuspectLeft       Measured = "not looked at"
)

// JudgeSuspect says what a hunt says of a suspect.
func (r *Report) JudgeSuspect(function string) (m Measured, culprit string) {
	switch r.Verdict {
	case Inconclusive:
		return SuspectUndecided, ""
	case NoRegression, Improvement:
		return SuspectNotSlower, ""
	}
	for _, c := range r.Culprits {
		on := c.Function == function
		for _, step := range c.Chain {
			on = on || step.Function == function
		}
		if on && c.Confirmed {
			return SuspectConfirmed, c.Function
		}
	}
	if len(r.Culprits) > 0 && r.Culprits[0].Confirmed {
		return SuspectElsewhere, r.Culprits[0].Function
	}
	return SuspectUndecided, ""
}

func (t printer) suspects(list []Suspect) {
	if len(list) == 0 {
		return
	}
	t.Line("share of the program's time, by its profiles:")
	for _, s := range list {
		what := map[bool]string{true: "its own code", false: "with what it calls"}[s.Own]
		if s.Changed {
			what += ", changed"
		}
		t.Item("  ", fmt.Sprintf("%s: %s → %s (%s)", s.Function, share(s.Good), share(s.Bad), what))
		said := string(s.Measured)
		if s.Workload != "" {
			said += " in " + s.Workload
		}
		if s.Culprit != "" && s.Culprit != s.Function {
			said += ": " + s.Culprit
		}
		t.Item("    ", said)
	}
	t.Paragraph()
}

func share(i Interval) string {
	return fmt.Sprintf("%s [%s, %s]", text.Percent(i.Mean), text.Percent(i.Low), text.Percent(i.High))
}

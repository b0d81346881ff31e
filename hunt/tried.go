package hunt

import (
	"time"

	"github.com/pinpoint-go/pinpoint/finder"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// tried lists what was put back, in the order in which it was, and what that showed.
func (h *hunt) tried() (list []report.Trial) {
	if h.lab == nil {
		return nil
	}
	for _, c := range h.lab.Tried() {
		t := triedOf(c, h.Start)
		for _, i := range c.Set {
			t.Functions = append(t.Functions, h.lab.Elements[i].Name())
		}
		for _, i := range c.Base {
			t.OnTopOf = append(t.OnTopOf, h.lab.Elements[i].Name())
		}
		list = append(list, t)
	}
	return list
}

// triedOf is what a composition showed, in a hunt that began at a time.
func triedOf(c *prove.Composition, start time.Time) report.Trial {
	t := report.Trial{Began: c.Began.Sub(start).Seconds(), Seconds: c.Took.Seconds(), Outcome: outcomeOf(c)}
	switch err := c.Err(); {
	case err != nil:
		t.Why = harness.FirstLine(err)
	case c.Trial != nil && c.Trial.Judged():
		share := compare.Interval(c.Trial.Share)
		t.Recovered = &share
	}
	return t
}

func outcomeOf(c *prove.Composition) report.TrialOutcome {
	switch {
	case c.Err() != nil && c.Trial == nil:
		return report.TrialNotBuilt
	case c.Err() != nil:
		return report.TrialNotRun
	case c.Trial == nil || !c.Trial.Judged(): // it was interrupted
		return report.TrialOpen
	case c.Trial.Share.High < prove.MinShare:
		return report.TrialCleared
	case c.Trial.Share.Low > prove.MinShare && c.Trial.Share.Mean > finder.RecoversMost:
		return report.TrialGone
	case c.Trial.Share.Low > prove.MinShare:
		return report.TrialPart
	}
	return report.TrialOpen
}

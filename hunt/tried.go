package hunt

import (
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
		t := report.Trial{
			Began: c.Began.Sub(h.Start).Seconds(), Seconds: c.Took.Seconds(), Outcome: outcomeOf(c),
		}
		for _, i := range c.Set {
			t.Functions = append(t.Functions, h.lab.Elements[i].Name())
		}
		switch err := c.Err(); {
		case err != nil:
			t.Why = harness.FirstLine(err)
		case c.Trial != nil && c.Trial.Rounds() > 0:
			share := compare.Interval(c.Trial.Share)
			t.Recovered = &share
		}
		list = append(list, t)
	}
	return list
}

func outcomeOf(c *prove.Composition) report.TrialOutcome {
	switch {
	case c.Err() != nil && c.Trial == nil:
		return report.TrialNotBuilt
	case c.Err() != nil:
		return report.TrialNotRun
	case c.Trial == nil || c.Trial.Rounds() == 0: // it was interrupted
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

package hunt

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// What was interrupted before it ran says nothing.
func TestOutcomeOfNothing(t *testing.T) {
	if got := outcomeOf(&prove.Composition{}); got != report.TrialOpen {
		t.Errorf("%s", got)
	}
}

package hunt

import (
	"testing"
	"time"

	"github.com/pinpoint-go/pinpoint/hunt/compare"
	"github.com/pinpoint-go/pinpoint/hunt/prove"
	"github.com/pinpoint-go/pinpoint/report"
)

// What was interrupted before it ran, or before it was looked at, says nothing, and no
// number that JSON has no word for.
func TestTriedNothing(t *testing.T) {
	whole := &compare.Whole{}
	for _, c := range []*prove.Composition{{}, {Trial: whole.Trial("bad with good's f", nil, nil)}} {
		if got := triedOf(c, time.Time{}); got.Outcome != report.TrialOpen || got.Recovered != nil {
			t.Errorf("got %+v", got)
		}
	}
}

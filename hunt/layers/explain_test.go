package layers

import (
	"testing"

	"github.com/pinpoint-go/pinpoint/finder"
)

// A measurement that the budget ended before its first look has nothing to tell.
func TestExplainNothing(t *testing.T) {
	var pr Prober
	pr.explain("measuring", &Layer{}, finder.Reading{}, []finder.Region{{From: 0, To: 1}})
}

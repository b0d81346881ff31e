package hunt

import (
	"math"
	"testing"

	"github.com/pinpoint-go/pinpoint/report"
)

// Next to a proof a suspicion is set aside and none is lost; alone it stays. What is left
// is what no culprit has.
func TestFindings(t *testing.T) {
	proved := report.Culprit{Function: "f", Share: 0.5, Confirmed: true}
	suspected := report.Culprit{Function: "g", Share: 0.7}
	alone := findings{culprits: []report.Culprit{suspected}}
	if got := alone.onlyProved(); len(got.culprits) != 1 || len(got.undecided) != 0 {
		t.Errorf("alone: %+v", got)
	}
	both := findings{inspected: "b", comparisons: 2, culprits: []report.Culprit{proved}}.and(findings{comparisons: 3, culprits: []report.Culprit{suspected}})
	if both.comparisons != 5 || both.inspected != "b" || len(both.culprits) != 2 {
		t.Errorf("both: %+v", both)
	}
	if first := both.byShare().culprits[0].Function; first != "g" || both.culprits[0].Function != "f" {
		t.Errorf("first is %s", first)
	}
	left := both.onlyProved()
	if len(left.culprits) != 1 || len(left.undecided) != 1 || left.undecided[0].Function != "g" || left.comparisons != 5 || math.Abs(left.unexplained()-0.5) > 1e-9 {
		t.Errorf("next to a proof: %+v", left)
	}
}

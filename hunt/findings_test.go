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

// Parts of a function are its share, as far as there is so much.
func TestTogether(t *testing.T) {
	if got := together(0.4, 0.5); got != 0.9 {
		t.Errorf("two parts are %v", got)
	}
	if got := together(together(0.41, 0.48), 0.98); got != 0.98 {
		t.Errorf("parts within each other are %v", got)
	}
}

// What probes alone say is withdrawn where it is surely more than there is; what was put
// back stays, and so does a call that takes the place of another.
func TestImpossibleAmounts(t *testing.T) {
	amount := func(low float64) report.Delta {
		return report.Delta{Diff: report.Interval{Mean: low + 1, Low: low, High: low + 2}}
	}
	function := amount(4)
	culprit := func(name string, low float64, confirmed bool, kind report.Kind) report.Culprit {
		return report.Culprit{Function: name, Delta: amount(low), Confirmed: confirmed, Kind: kind, Chain: []report.Step{{Delta: &function}, {}}}
	}
	f := findings{culprits: []report.Culprit{
		culprit("probed", 100, false, report.OwnCode), culprit("proved", 100, true, report.OwnCode),
		culprit("possible", 9, false, report.OwnCode), culprit("instead", 100, false, report.AddedCall),
	}}
	left, impossible := f.withoutImpossible(report.Interval{Mean: 5, Low: 4, High: 6})
	if len(left.culprits) != 3 || len(left.undecided) != 1 || len(impossible) != 1 || impossible[0] != "probed" {
		t.Errorf("%v withdrawn, %+v left", impossible, left.culprits)
	}
}

// What a search that ended early has seen twice by probes was put back nowhere.
func TestSuspected(t *testing.T) {
	seen := findings{culprits: []report.Culprit{{Function: "f", Confirmed: true}}}
	got := seen.suspected().culprits[0]
	if got.Confirmed || got.How != report.ByProbes || !seen.culprits[0].Confirmed {
		t.Errorf("%+v of %+v", got, seen.culprits[0])
	}
}

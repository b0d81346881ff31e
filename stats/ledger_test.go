package stats

import (
	"slices"
	"testing"
)

func TestLedgerNeverSpendsMore(t *testing.T) {
	l := Ledger{Alpha: .01}
	var sum float64
	for k := range 300 {
		s := []Stage{Search, Search, Confirmation, Whole}[k%4]
		looks, parts := 1+k%4, 1+k%3
		sum += l.Open(s, looks, parts) * float64(looks*parts)
		if !near(l.Spent(), sum, 1e-12) {
			t.Fatalf("after %d comparisons Spent is %v, shares sum to %v", k+1, l.Spent(), sum)
		}
	}
	if sum > .01 || sum < .0098 {
		t.Errorf("300 comparisons spent %v of 0.01", sum)
	}
}

func TestLedgerShares(t *testing.T) {
	l := Ledger{Alpha: .01}
	for _, test := range []struct {
		stage        Stage
		looks, parts int
		want         float64
	}{
		{Whole, 4, 1, .01 * .4 / 2 / 4},
		{Search, 4, 2, .01 * .2 / 2 / 8},
		{Search, 4, 2, .01 * .2 / 6 / 8},
		{Search, 0, 0, .01 * .2 / 12},
		{Confirmation, 1, 1, .01 * .4 / 2},
	} {
		if got := l.Open(test.stage, test.looks, test.parts); !near(got, test.want, 1e-14) {
			t.Errorf("stage %v: %v, want %v", test.stage, got, test.want)
		}
	}
	if (&Ledger{}).Open(Search, 1, 1) != 0 {
		t.Error("a ledger without alpha hands some out")
	}
}

func TestLooks(t *testing.T) {
	for _, test := range []struct {
		first, most int
		want        []int
	}{
		{6, 48, []int{6, 12, 24, 48}},
		{6, 30, []int{6, 12, 24, 30}},
		{6, 6, []int{6}},
		{6, 3, []int{6}},
		{0, 4, []int{2, 4}},
	} {
		if got := Looks(test.first, test.most); !slices.Equal(got, test.want) {
			t.Errorf("Looks(%d, %d) = %v, want %v", test.first, test.most, got, test.want)
		}
	}
}

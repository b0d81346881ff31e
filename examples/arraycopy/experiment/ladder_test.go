package main

import (
	"math"
	"testing"

	"github.com/pinpoint-go/pinpoint/stats"
)

func TestClimb(t *testing.T) {
	good := []float64{101.2, 99.8, 100.4, 102.1, 98.9, 100.8}
	moved := func(by float64) (bad []float64) {
		for _, x := range good {
			bad = append(bad, x+by)
		}
		return bad
	}
	near := moved(1.6) // differs at 95 %, and not at 99 %
	for _, test := range []struct {
		name       string
		bad        []float64
		confidence float64
		differ     bool
	}{
		{"decided at the top, shown at the bottom", moved(50), .90, true},
		{"faster", moved(-50), .90, true},
		{"not decided at the top", near, .99, false},
	} {
		got, confidence, differ, err := climb(good, test.bad)
		want, _ := stats.Welch(good, test.bad, test.confidence)
		if err != nil || differ != test.differ || confidence != test.confidence || got != want {
			t.Errorf("%s: %v at %v, %v (%v), want %v at %v, %v", test.name, got, confidence, differ, err, want, test.confidence, test.differ)
		}
	}
	if i, _ := stats.Welch(good, near, .95); i.Low <= 0 {
		t.Errorf("the undecided case does not differ at 95 %% either: %+v", i)
	}
	if _, _, _, err := climb([]float64{1}, good); err == nil {
		t.Error("one value is enough")
	}
}

func TestPrecise(t *testing.T) {
	for _, test := range []struct {
		series []float64
		want   bool
	}{
		{[]float64{101.2, 99.8, 100.4, 102.1, 98.9, 100.8}, true}, // 1.8 % at 90 %, 2.3 % at 95 %
		{[]float64{50, 100, 150}, false},
		{[]float64{100}, false},
	} {
		if precise(test.series) != test.want {
			iv := stats.Summarize(test.series).Interval(.90)
			t.Errorf("%v: width %v of the mean at 90 %%, want precise %v", test.series, (iv.High-iv.Low)/math.Abs(iv.Mean), test.want)
		}
	}
}

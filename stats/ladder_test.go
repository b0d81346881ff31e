package stats

import (
	"errors"
	"testing"
)

func TestLadder(t *testing.T) {
	far := plus(steadyGood, 50)
	near := plus(steadyGood, 1.6) // differs at 95 %, and not at 99 %
	for _, test := range []struct {
		name       string
		least      float64
		bad        []float64
		confidence float64
		want       Verdict
	}{
		{"decided at the top, shown at the bottom", 0, far, .90, Slower},
		{"shown no lower than asked", .95, far, .95, Slower},
		{"the top alone", .99, far, .99, Slower},
		{"a level between rungs", .93, far, .95, Slower},
		{"a level above all", .999, far, .99, Slower},
		{"not decided at the top", 0, near, .99, Unknown},
		{"faster", 0, plus(steadyGood, -50), .90, Faster},
	} {
		r, err := Ladder{Least: test.least}.Compare(steadyGood, test.bad)
		if err != nil || r.Verdict != test.want || r.Confidence != test.confidence {
			t.Errorf("%s: %v at %v, %v, want %v at %v", test.name, r.Verdict, r.Confidence, err, test.want, test.confidence)
		}
		want, _ := Welch(steadyGood, test.bad, test.confidence)
		if !sameInterval(r.Interval, want, 1e-13) {
			t.Errorf("%s: %+v, want %+v", test.name, r.Interval, want)
		}
	}
	if i, _ := Welch(steadyGood, near, .95); i.Low <= 0 {
		t.Errorf("the undecided case does not differ at 95 %% either: %+v", i)
	}
	if _, err := (Ladder{}).Compare([]float64{1}, far); !errors.Is(err, ErrTooFew) {
		t.Errorf("one value: %v", err)
	}
}

// The digits of the intervals themselves are tried in TestMeanIntervalAgainstR.
func TestLadderPrecision(t *testing.T) {
	width := func(level float64) float64 {
		i, _ := meanInterval(steadyGood, 1-level)
		return (i.High - i.Low) / i.Mean
	}
	for _, test := range []struct {
		precision, level float64
		ok               bool
	}{
		{width(.99) * 1.01, .99, true},
		{width(.99) * .99, .95, true},
		{width(.95) * .99, .90, true},
		{width(.90) * .99, .90, false},
		{0, .90, true}, // SBS's 2 %
	} {
		r, ok, err := Ladder{Precision: test.precision}.Precise(steadyGood)
		if ok != test.ok || r.Confidence != test.level || err != nil {
			t.Errorf("precision %.4f: %v at %v, %v, want %v at %v", test.precision, ok, r.Confidence, err, test.ok, test.level)
		}
	}
	if w := width(.90); w > .02 || width(.95) < .02 {
		t.Errorf("the default is tried on a width of %v", w)
	}
}

func TestLadderMeasuresAgain(t *testing.T) {
	measure := func(all ...[]float64) func() ([]float64, error) {
		return func() (xs []float64, err error) {
			xs, all = all[0], all[1:]
			return xs, nil
		}
	}
	steady, wide := steadyGood, []float64{50, 100, 150}
	for _, test := range []struct {
		again    int
		measure  func() ([]float64, error)
		attempts int
		err      error
	}{
		{0, measure(steady), 1, nil},
		{1, measure(wide, steady), 2, nil},
		{1, measure(wide, wide, steady), 2, ErrImprecise},
		{3, measure(wide, wide, steady), 3, nil},
		{1, measure([]float64{1}), 1, ErrTooFew},
		{1, func() ([]float64, error) { return nil, errors.ErrUnsupported }, 1, errors.ErrUnsupported},
	} {
		_, attempts, err := Ladder{Remeasure: test.again}.Series(test.measure)
		if attempts != test.attempts || !errors.Is(err, test.err) {
			t.Errorf("measured %d times, %v, want %d times, %v", attempts, err, test.attempts, test.err)
		}
	}
}

func TestMeanIntervalAgainstR(t *testing.T) {
	for _, test := range []struct {
		series []float64
		want   Interval
	}{
		// R 4.2.2: t.test(good)$conf.int; t.test(bad)$conf.int
		{steadyGood, Interval{100.533333333333, 99.355968188503, 101.710698478164}},
		{steadyBad, Interval{103.983333333333, 102.804565913632, 105.162100753034}},
	} {
		if got, err := meanInterval(test.series, .05); err != nil || !sameInterval(got, test.want, 1e-13) {
			t.Errorf("%+v, %v, want %+v", got, err, test.want)
		}
	}
}

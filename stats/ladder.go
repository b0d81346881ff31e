package stats

import (
	"errors"
	"math"
)

// Ladder decides as the Scala Benchmarking Suite did (thesis, 2.3, 3.1 and
// 3.4): whether sides differ is decided at the highest confidence; which
// interval is shown is a matter of how far down the reader is willing to go.
//
// It is right for what SBS did with it: a handful of quiet series, a reader who
// wants one familiar number, and no error to be bounded over a search. It knows
// no minimum effect, so that with values enough every layout of the binary is a
// difference; it knows no pairs, so that drift between the sides is one; and a
// series that was measured again until it looked steady was selected. A hunt
// uses a [Rule].
//
// The zero value has the defaults of SBS.
type Ladder struct {
	Least     float64 // lowest acceptable confidence, among 0.99, 0.95 and 0.90; default 0.90
	Precision float64 // widest acceptable interval of a mean, as a share of it; default 0.02
	Remeasure int     // how often a series too wide is measured again, by [Ladder.Series]; SBS has 1
}

// rungs are the levels of SBS, from the top.
var rungs = []float64{0.99, 0.95, 0.90}

// levels are the rungs that are acceptable; the top one always is.
func (l Ladder) levels() []float64 {
	least := l.Least
	if least == 0 {
		least = rungs[len(rungs)-1]
	}
	for i, level := range rungs {
		if level < least && i > 0 {
			return rungs[:i]
		}
	}
	return rungs
}

// Rung is an answer of a [Ladder]: an interval and where on the ladder it stands.
type Rung struct {
	Interval   Interval
	Confidence float64
	// Verdict is Slower, Faster or Unknown: an interval that holds zero is no
	// proof that there is no difference.
	Verdict Verdict
}

// Compare returns the interval of mean(bad)-mean(good). The verdict is that of
// the top. If it is a difference, the interval is the narrowest acceptable one;
// it would not do to look for a difference further and further down.
func (l Ladder) Compare(good, bad []float64) (Rung, error) {
	at := func(confidence float64) (Interval, error) {
		return welch(good, bad, 1-confidence)
	}
	top, err := at(rungs[0])
	r := Rung{Interval: top, Confidence: rungs[0], Verdict: judge(top, 0, 0)}
	if err != nil || r.Verdict == Unknown {
		return r, err
	}
	levels := l.levels()
	r.Confidence = levels[len(levels)-1]
	r.Interval, err = at(r.Confidence)
	return r, err
}

// Precise returns the interval of the mean of one series at the highest level at
// which it is narrow enough, and whether there is an acceptable one; if not, the
// interval is that of the lowest.
func (l Ladder) Precise(series []float64) (Rung, bool, error) {
	precision := l.Precision
	if precision == 0 {
		precision = 0.02
	}
	var r Rung
	for _, level := range l.levels() {
		i, err := meanInterval(series, 1-level)
		r = Rung{Interval: i, Confidence: level}
		if err != nil {
			return r, false, err
		}
		if i.High-i.Low <= precision*math.Abs(i.Mean) {
			return r, true, nil
		}
	}
	return r, false, nil
}

// ErrImprecise says that no series was narrow enough, however often it was
// measured.
var ErrImprecise = errors.New("the interval of the mean stays wider than the precision threshold: measure more values, or on a quieter machine")

// Series measures until a series is precise, Remeasure times again at most, and
// returns the last one. What was thrown away is in attempts: more than 1 means
// that the series was selected for being steady.
func (l Ladder) Series(measure func() ([]float64, error)) (series []float64, attempts int, err error) {
	for attempts <= l.Remeasure {
		attempts++
		if series, err = measure(); err != nil {
			return series, attempts, err
		}
		if _, ok, err := l.Precise(series); ok || err != nil {
			return series, attempts, err
		}
	}
	return series, attempts, ErrImprecise
}

// meanInterval is the interval of the mean of one series.
func meanInterval(xs []float64, alpha float64) (Interval, error) {
	unbounded := Interval{math.NaN(), math.Inf(-1), math.Inf(1)}
	if !finite(xs) {
		return unbounded, ErrNotFinite
	}
	s := Summarize(xs)
	if s.N > 0 {
		unbounded.Mean = s.Mean
	}
	if s.N < 2 {
		return unbounded, ErrTooFew
	}
	half := s.SD / math.Sqrt(float64(s.N)) * studentUpper(float64(s.N-1), alpha/2)
	return Interval{s.Mean, s.Mean - half, s.Mean + half}, nil
}

package stats

import (
	"errors"
	"fmt"
	"math"
)

// Interval is a confidence interval around an estimate. An interval that
// nothing is known about reaches from -Inf to +Inf (ratios: from 0 to +Inf).
type Interval struct {
	Mean, Low, High float64
}

var (
	// ErrTooFew says that a side has fewer than two values, or that there are
	// fewer than two pairs: a mean without a spread has no interval.
	ErrTooFew = errors.New("need at least 2 values on each side")
	// ErrNotFinite says that a value is NaN or infinite.
	ErrNotFinite = errors.New("a value is not a finite number")
	// ErrUnpaired says that the sides have different numbers of values.
	ErrUnpaired = errors.New("sides are not paired")
	// ErrNoRatio says that a value is zero or negative, so that it has no ratio.
	ErrNoRatio = errors.New("a value is not above zero")
)

// Student returns the interval of an estimate, at a confidence in (0, 1), whose
// standard error is se and has nu degrees of freedom.
func Student(estimate, se, nu, confidence float64) Interval {
	half := studentUpper(nu, (1-confidence)/2) * se
	return Interval{estimate, estimate - half, estimate + half}
}

// Interval is the mean with Student's interval (thesis, 2.3.1) at a confidence in
// (0, 1); unbounded for fewer than two values.
func (s Summary) Interval(confidence float64) Interval {
	if s.N < 2 {
		return Interval{s.Mean, math.Inf(-1), math.Inf(1)}
	}
	return Student(s.Mean, s.SD/math.Sqrt(float64(s.N)), float64(s.N-1), confidence)
}

// Welch returns the interval of mean(bad)-mean(good), in the unit of the
// values, at a confidence in (0, 1).
//
// The quantile is Student's with Welch and Satterthwaite's degrees of freedom
// (Welch, "The generalization of Student's problem when several different
// population variances are involved", Biometrika 34, 1947). Sides that don't
// vary have an interval of no width. With [ErrTooFew] the interval is
// unbounded around what difference there is.
func Welch(good, bad []float64, confidence float64) (Interval, error) {
	alpha, err := alphaOf(confidence)
	if err != nil {
		return Interval{math.NaN(), math.Inf(-1), math.Inf(1)}, err
	}
	return welch(good, bad, alpha)
}

// PairedRatio returns the geometric mean of bad/good over pairs of the same
// index, with its Student interval on the log scale, at a confidence in (0, 1).
func PairedRatio(good, bad []float64, confidence float64) (Interval, error) {
	alpha, err := alphaOf(confidence)
	if err != nil {
		return noRatio(), err
	}
	logs, err := logRatios(good, bad)
	if err != nil {
		return noRatio(), err
	}
	return paired(logs, alpha)
}

func alphaOf(confidence float64) (float64, error) {
	if !(confidence > 0 && confidence < 1) {
		return 0, fmt.Errorf("computing interval: confidence %v is not between 0 and 1", confidence)
	}
	return 1 - confidence, nil
}

// welch takes alpha instead of the confidence: 1-1e-17 is 1, 1e-17 is not 0.
func welch(good, bad []float64, alpha float64) (Interval, error) {
	unbounded := Interval{math.NaN(), math.Inf(-1), math.Inf(1)}
	if !finite(good) || !finite(bad) {
		return unbounded, ErrNotFinite
	}
	e := exponent(good, bad)
	g, b := momentsOf(good, e), momentsOf(bad, e)
	if g.n > 0 && b.n > 0 {
		unbounded.Mean = math.Ldexp(b.minus(g), e)
	}
	if g.n < 2 || b.n < 2 {
		return unbounded, ErrTooFew
	}
	diff, se, nu := welchError(g, b)
	if se == 0 {
		d := math.Ldexp(diff, e)
		return Interval{d, d, d}, nil
	}
	half := se * studentUpper(nu, alpha/2)
	return Interval{math.Ldexp(diff, e), math.Ldexp(diff-half, e), math.Ldexp(diff+half, e)}, nil
}

// welchError returns the difference of the means, its standard error and the
// Welch-Satterthwaite degrees of freedom. These are written with each side's
// share of the squared error, which can't overflow as the fourth powers of the
// textbook form do.
func welchError(g, b moments) (diff, se, nu float64) {
	vg, vb := g.variance/float64(g.n), b.variance/float64(b.n)
	sum := vg + vb
	if sum == 0 {
		return b.minus(g), 0, math.Inf(1)
	}
	rg, rb := vg/sum, vb/sum
	nu = 1 / (rg*rg/float64(g.n-1) + rb*rb/float64(b.n-1))
	return b.minus(g), math.Sqrt(sum), nu
}

// paired is PairedRatio of log ratios.
func paired(logs []float64, alpha float64) (Interval, error) {
	m := momentsOf(logs, 0)
	if m.n < 2 {
		return tooFewRatios(logs), ErrTooFew
	}
	if m.variance == 0 {
		r := math.Exp(m.mean())
		return Interval{r, r, r}, nil
	}
	half := math.Sqrt(m.variance/float64(m.n)) * studentUpper(float64(m.n-1), alpha/2)
	return Interval{math.Exp(m.mean()), math.Exp(m.mean() - half), math.Exp(m.mean() + half)}, nil
}

func tooFewRatios(logs []float64) Interval {
	if len(logs) == 0 {
		return noRatio()
	}
	return Interval{math.Exp(logs[0]), 0, math.Inf(1)}
}

// logRatios returns log(bad/good) of each pair. Near one the logarithm is
// taken of the relative difference, which keeps the digits that the ratio
// would round away; very far from it as a difference, which can't overflow.
func logRatios(good, bad []float64) ([]float64, error) {
	if len(good) != len(bad) {
		return nil, unpaired(good, bad)
	}
	if !finite(good) || !finite(bad) {
		return nil, ErrNotFinite
	}
	logs := make([]float64, len(good))
	for i, g := range good {
		b := bad[i]
		switch {
		case g <= 0 || b <= 0:
			return nil, ErrNoRatio
		case math.Abs(b-g) < g/2:
			logs[i] = math.Log1p((b - g) / g)
		case b/g > tiny && b/g < 1/tiny:
			logs[i] = math.Log(b / g)
		default:
			logs[i] = math.Log(b) - math.Log(g)
		}
	}
	return logs, nil
}

// tiny is a ratio that is still far from where float64 ends.
const tiny = 1e-300

func unpaired(good, bad []float64) error {
	return fmt.Errorf("%w: %d good and %d bad values", ErrUnpaired, len(good), len(bad))
}

// noRatio is the interval of a ratio that does not exist.
func noRatio() Interval { return Interval{math.NaN(), math.NaN(), math.NaN()} }

func exp(i Interval) Interval {
	return Interval{math.Exp(i.Mean), math.Exp(i.Low), math.Exp(i.High)}
}

func ldexp(i Interval, e int) Interval {
	return Interval{math.Ldexp(i.Mean, e), math.Ldexp(i.Low, e), math.Ldexp(i.High, e)}
}

func finite(xs []float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

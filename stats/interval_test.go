package stats

import (
	"errors"
	"math"
	"testing"
)

var (
	steadyGood = []float64{102.1, 99.8, 101.3, 100.4, 98.9, 100.7}
	steadyBad  = []float64{104.0, 103.1, 105.9, 104.4, 102.7, 103.8}
	wildGood   = []float64{12.5, 13.1, 12.9}
	wildBad    = []float64{10.2, 18.4, 11.0, 25.7, 9.9}
)

func sameInterval(a, b Interval, rel float64) bool {
	return near(a.Mean, b.Mean, rel) && near(a.Low, b.Low, rel) && near(a.High, b.High, rel)
}

func TestWelchAgainstR(t *testing.T) {
	for _, test := range []struct {
		good, bad  []float64
		confidence float64
		want       Interval
	}{
		// R 4.2.2: t.test(bad, good, conf.level=.99), df = 9.99998583143303
		{steadyGood, steadyBad, .99, Interval{3.45, 1.39594007156772, 5.50405992843228}},
		// R 4.2.2: t.test(bad, good, conf.level=.90)
		{steadyGood, steadyBad, .90, Interval{3.45, 2.27531309160897, 4.62468690839103}},
		// R 4.2.2: t.test(bad, good, conf.level=.95), df = 4.02600615530237
		{wildGood, wildBad, .95, Interval{2.20666666666667, -6.36757491861544, 10.78090825194877}},
	} {
		got, err := Welch(test.good, test.bad, test.confidence)
		if err != nil || !sameInterval(got, test.want, 1e-13) {
			t.Errorf("Welch at %v = %+v, %v, want %+v", test.confidence, got, err, test.want)
		}
	}
}

func TestPairedRatioAgainstR(t *testing.T) {
	// R 4.2.2: t <- t.test(log(bad/good), conf.level=.99); exp(c(t$estimate, t$conf.int))
	want := Interval{1.03432060417201, 1.01910609122178, 1.04976225873812}
	got, err := PairedRatio(steadyGood, steadyBad, .99)
	if err != nil || !sameInterval(got, want, 1e-13) {
		t.Errorf("PairedRatio = %+v, %v, want %+v", got, err, want)
	}
}

func TestWelchScales(t *testing.T) {
	want, _ := Welch(steadyGood, steadyBad, .99)
	for _, e := range []int{-1060, -500, 500, 1010} { // 100·2^1010 is 1e306: squares would overflow
		got, err := Welch(scaled(steadyGood, e), scaled(steadyBad, e), .99)
		rel := 1e-14
		if e < -1000 {
			rel = 1e-2 // values here are denormal and have lost their own digits
		}
		back := Interval{math.Ldexp(got.Mean, -e), math.Ldexp(got.Low, -e), math.Ldexp(got.High, -e)}
		if err != nil || !sameInterval(back, want, rel) {
			t.Errorf("values times 2^%d: %+v, %v, want %+v", e, back, err, want)
		}
	}
}

func scaled(xs []float64, e int) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = math.Ldexp(x, e)
	}
	return ys
}

// A common part of 2^52 leaves integers exact; the interval of the differences
// must not notice it.
func TestWelchDoesNotCancel(t *testing.T) {
	good, bad := []float64{1, 4, 2, 3, 7}, []float64{5, 9, 6, 6, 8}
	want, _ := Welch(good, bad, .99)
	far := func(xs []float64) []float64 {
		ys := make([]float64, len(xs))
		for i, x := range xs {
			ys[i] = x + 1<<52
		}
		return ys
	}
	got, err := Welch(far(good), far(bad), .99)
	if err != nil || !sameInterval(got, want, 1e-9) {
		t.Errorf("with 2^52 added: %+v, %v, want %+v", got, err, want)
	}
}

func TestWelchEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name      string
		good, bad []float64
		want      Interval
		err       error
	}{
		{"nothing", nil, nil, Interval{math.NaN(), -inf, inf}, ErrTooFew},
		{"one each", []float64{3}, []float64{5}, Interval{2, -inf, inf}, ErrTooFew},
		{"one bad", []float64{3, 4}, []float64{5}, Interval{1.5, -inf, inf}, ErrTooFew},
		{"equal values", []float64{.1, .1, .1}, []float64{.1, .1, .1}, Interval{}, nil},
		{"constant sides", []float64{.1, .1, .1}, []float64{.3, .3}, Interval{.3 - .1, .3 - .1, .3 - .1}, nil},
		{"zeros", []float64{0, 0}, []float64{0, 0}, Interval{}, nil},
		{"NaN", []float64{1, math.NaN()}, []float64{1, 2}, Interval{math.NaN(), -inf, inf}, ErrNotFinite},
		{"Inf", []float64{1, 2}, []float64{1, inf}, Interval{math.NaN(), -inf, inf}, ErrNotFinite},
		// R 4.2.2: t.test(c(1,2,3), mu=0, conf.level=.95)$conf.int: one side without spread
		// leaves the one-sample interval of the other.
		{"one constant side", []float64{0, 0, 0}, []float64{1, 2, 3}, Interval{2, -0.48413771175033, 4.48413771175033}, nil},
	} {
		got, err := Welch(test.good, test.bad, .95)
		if !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.err)
		}
		if math.IsNaN(test.want.Mean) && math.IsNaN(got.Mean) {
			got.Mean, test.want.Mean = 0, 0
		}
		if !sameInterval(got, test.want, 1e-13) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	for _, c := range []float64{0, 1, -1, 2, math.NaN()} {
		if _, err := Welch(steadyGood, steadyBad, c); err == nil {
			t.Errorf("confidence %v accepted", c)
		}
	}
}

func TestPairedRatioEdges(t *testing.T) {
	for _, test := range []struct {
		name      string
		good, bad []float64
		err       error
	}{
		{"unpaired", []float64{1, 2}, []float64{1, 2, 3}, ErrUnpaired},
		{"one pair", []float64{1}, []float64{2}, ErrTooFew},
		{"zero good", []float64{0, 1}, []float64{1, 1}, ErrNoRatio},
		{"negative", []float64{1, 1}, []float64{1, -1}, ErrNoRatio},
		{"NaN", []float64{1, math.NaN()}, []float64{1, 1}, ErrNotFinite},
	} {
		if _, err := PairedRatio(test.good, test.bad, .99); !errors.Is(err, test.err) {
			t.Errorf("%s: error %v, want %v", test.name, err, test.err)
		}
	}
	got, err := PairedRatio([]float64{1e-300, 2e-300}, []float64{1e300, 2e300}, .99)
	if err != nil || !near(math.Log(got.Low), 600*math.Ln10, 1e-12) && !math.IsInf(got.Low, 1) {
		t.Errorf("huge ratio: %+v, %v", got, err)
	}
	got, err = PairedRatio([]float64{3, 7, 1e9}, []float64{6, 14, 2e9}, .99)
	if err != nil || !sameInterval(got, Interval{2, 2, 2}, 1e-14) {
		t.Errorf("doubled: %+v, %v, want 2 without width", got, err)
	}
}

// Ratios next to one differ by less than their logarithms can be told apart.
func TestPairedRatioNearOne(t *testing.T) {
	logs, err := logRatios([]float64{1e15, 1e15}, []float64{1e15 + 1, 1e15 - 2})
	if err != nil || !near(logs[0], 1e-15, 1e-12) || !near(logs[1], -2e-15, 1e-12) {
		t.Errorf("logarithms %v, %v, want 1e-15 and -2e-15", logs, err)
	}
}

// Sides swapped must give the negated interval and the inverse ratio.
func TestInverse(t *testing.T) {
	there, _ := Welch(steadyGood, wildBad, .99)
	back, _ := Welch(wildBad, steadyGood, .99)
	if !sameInterval(there, Interval{-back.Mean, -back.High, -back.Low}, 1e-14) {
		t.Errorf("%+v is not the negative of %+v", there, back)
	}
	there, _ = PairedRatio(steadyGood, steadyBad, .99)
	back, _ = PairedRatio(steadyBad, steadyGood, .99)
	if !sameInterval(there, Interval{1 / back.Mean, 1 / back.High, 1 / back.Low}, 1e-14) {
		t.Errorf("%+v is not the inverse of %+v", there, back)
	}
}

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// scale is a prefix that keeps a number between 1 and 1000.
type scale struct {
	factor float64
	unit   string
}

// scaleFor picks the scale in which a quantity of this size reads best. All
// numbers of one line share it, or they could not be compared at a glance.
func scaleFor(size float64, unit string) scale {
	size = math.Abs(size)
	switch unit {
	case "ns", "ns/op":
		switch {
		case size >= 1e9:
			return scale{1e9, "s"}
		case size >= 1e6:
			return scale{1e6, "ms"}
		case size >= 1e3:
			return scale{1e3, "µs"}
		}
		return scale{1, "ns"}
	case "CPU-ns/op":
		s := scaleFor(size, "ns")
		return scale{s.factor, s.unit + " of CPU"}
	case "B/op":
		switch {
		case size >= 1e9:
			return scale{1e9, "GB"}
		case size >= 1e6:
			return scale{1e6, "MB"}
		case size >= 1e3:
			return scale{1e3, "kB"}
		}
		return scale{1, "B"}
	case "allocs/op", "calls/op":
		return scale{1, strings.TrimSuffix(unit, "/op")}
	}
	return scale{1, unit}
}

func (s scale) format(x float64) string { return significant(x/s.factor, 3) }

func (s scale) signed(x float64) string {
	if math.IsInf(x, 0) {
		return fmt.Sprintf("%+v", x)
	}
	if text := s.format(x); x > 0 {
		return "+" + text
	} else {
		return text
	}
}

// interval is the difference with its confidence interval, such as
// "+3.15 ms [+3.05, +3.27]".
func (s scale) interval(i Interval) string {
	return fmt.Sprintf("%s %s [%s, %s]", s.signed(i.Mean), s.unit, s.signed(i.Low), s.signed(i.High))
}

// significant prints x with n significant digits and never in exponent form,
// and without digits that pretend to more.
func significant(x float64, n int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', n, 64)
	}
	digits := n - 1 - int(math.Floor(math.Log10(math.Abs(x))))
	if digits < 0 {
		pow := math.Pow(10, float64(-digits))
		return strconv.FormatFloat(math.Round(x/pow)*pow, 'f', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', min(digits, 6), 64)
}

// count prints how often something happens per operation: exactly where it is a
// whole number of times.
func count(n float64) string {
	if whole := math.Round(n); math.Abs(n-whole) < 1e-9*math.Max(1, n) {
		return strconv.FormatFloat(whole, 'f', 0, 64)
	}
	text := significant(n, 4)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// percent prints a share. A share between 0 and 1 % is not nothing.
func percent(share float64) string {
	p := 100 * share
	if a := math.Abs(p); a >= 0.05 && a < 1 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.0f %%", math.Round(p)+0) // + 0: never "-0"
}

// ratio prints how many times as slow bad is.
func ratio(r Interval) string {
	return fmt.Sprintf("%sx [%s, %s]", significant(r.Mean, 3), significant(r.Low, 3), significant(r.High, 3))
}

package text

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Plural is n of a noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Percent prints a share. A share between 0 and 1 % is not nothing.
func Percent(share float64) string {
	p := 100 * share
	if a := math.Abs(p); a >= 0.05 && a < 1 {
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.0f %%", math.Round(p)+0) // + 0: never "-0"
}

// ParseShare reads "2%" or "0.02".
func ParseShare(s string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		x /= 100
	}
	return x, err
}

// Percents prints a share with its interval, which may have no end: "92 % [88, ∞]".
func Percents(mean, low, high float64) string {
	bound := func(x float64) string {
		if math.IsInf(x, 0) {
			return strings.TrimSuffix(fmt.Sprintf("%+.0f", x), "Inf") + "∞"
		}
		return fmt.Sprintf("%.0f", 100*x)
	}
	return fmt.Sprintf("%.0f %% [%s, %s]", 100*mean, strings.TrimPrefix(bound(low), "+"), strings.TrimPrefix(bound(high), "+"))
}

// Change prints what a ratio adds to 1, with its interval: "+12 % [+10, +14]". Below
// ten percent, and where the interval is narrow, there is a digit more.
func Change(mean, low, high float64) string {
	narrow := high-low < 0.02
	return fmt.Sprintf("%s %% [%s, %s]", added(mean, narrow), added(low, narrow), added(high, narrow))
}

func added(ratio float64, narrow bool) string {
	p := 100 * (ratio - 1)
	digits := 0
	if narrow || p > -9.95 && p < 9.95 {
		digits = 1
	}
	text := strconv.FormatFloat(p, 'f', digits, 64)
	if text == "-0.0" || text == "0.0" {
		return "0"
	}
	if p > 0 {
		text = "+" + text
	}
	return text
}

// Significant prints x with n significant digits and never in exponent form, and
// without digits that pretend to more.
func Significant(x float64, n int) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', n, 64)
	}
	rounded := strconv.FormatFloat(x, 'e', n-1, 64)
	_, power, _ := strings.Cut(rounded, "e")
	if e, _ := strconv.Atoi(power); e < n {
		return strconv.FormatFloat(x, 'f', min(n-1-e, 9), 64)
	}
	x, _ = strconv.ParseFloat(rounded, 64)
	return strconv.FormatFloat(x, 'f', 0, 64)
}

// Count prints how often something happens, with n significant digits and without
// zeros at the end; exactly where it is a whole number of times.
func Count(x float64, n int) string {
	if whole := math.Round(x); math.Abs(x-whole) < 1e-9*math.Max(1, x) {
		return strconv.FormatFloat(whole, 'f', 0, 64)
	}
	text := Significant(x, n)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// Duration is one of so many nanoseconds with the digits that an estimate has: three,
// and never 0 where there is something.
func Duration(ns float64) time.Duration {
	d := time.Duration(math.Ceil(ns))
	for unit := time.Nanosecond; ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit)
		}
	}
}

// A Scale is a unit by a power of ten that keeps numbers between 1 and 1000.
type Scale struct {
	Factor float64
	Unit   string
}

// ScaleOf picks the scale in which a quantity of this size reads best. unit is "ns"
// or "B"; others are taken as they are.
func ScaleOf(size float64, unit string) Scale {
	steps := map[string][]Scale{
		"ns": {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}},
		"B":  {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}},
	}
	for _, s := range steps[unit] {
		if math.Abs(size) >= s.Factor {
			return s
		}
	}
	return Scale{1, unit}
}

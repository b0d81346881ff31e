package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// scale is what the numbers of a line are shown in, and what stands behind the unit where
// a value is no difference.
type scale struct {
	text.Scale
	Per string
}

// scaleFor picks the scale in which a quantity of this size reads best. All
// numbers of one line share it, or they could not be compared at a glance.
func scaleFor(size float64, unit string) scale {
	name, per := strings.TrimSuffix(unit, "/op"), "/op"
	switch {
	case name == "ns" || name == "B":
		return scale{text.ScaleOf(size, name), per}
	case unit == "CPU-ns/op" || unit == "gc-ns/op":
		s := text.ScaleOf(size, "ns")
		return scale{text.Scale{Factor: s.Factor, Unit: s.Unit + map[string]string{"CPU-ns": " of CPU", "gc-ns": " of GC"}[name]}, per}
	case unit == "live-B":
		s := text.ScaleOf(size, "B")
		return scale{text.Scale{Factor: s.Factor, Unit: s.Unit + " live"}, ""}
	case strings.HasPrefix(unit, "ns/"):
		s := text.ScaleOf(size, "ns")
		return scale{s, strings.TrimPrefix(unit, "ns")}
	case name == unit:
		per = ""
	}
	return scale{text.Scale{Factor: 1, Unit: name}, per}
}

// perOp is the unit of a value that is no difference.
func (s scale) perOp() string { return s.Unit + s.Per }

func (s scale) format(x float64) string { return text.Significant(x/s.Factor, 3) }

// taken is what a step took. What is left below nothing, when the cost of the probes is
// taken off, is no time that anything takes.
func (s scale) taken(x float64) string {
	if x < 0 {
		return "about 0"
	}
	return s.format(x) + " " + s.Unit
}

func (s scale) signed(x float64) string {
	if math.IsInf(x, 0) {
		return fmt.Sprintf("%+v", x)
	}
	if x > 0 {
		return "+" + s.format(x)
	}
	return s.format(x)
}

// interval is the difference with its confidence interval, such as
// "+3.15 ms [+3.05, +3.27]".
func (s scale) interval(i Interval) string {
	return fmt.Sprintf("%s %s [%s, %s]", s.signed(i.Mean), s.Unit, s.signed(i.Low), s.signed(i.High))
}

// change is a difference and its ratio, on one line.
func (s scale) change(d *Delta) string {
	said := s.interval(d.Diff)
	if d.Ratio != nil {
		said += ", " + ratio(*d.Ratio)
	}
	return said
}

// ratio prints how many times as slow bad is.
func ratio(r Interval) string {
	return fmt.Sprintf("%sx [%s, %s]", text.Significant(r.Mean, 3), text.Significant(r.Low, 3), text.Significant(r.High, 3))
}

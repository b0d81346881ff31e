package measure

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// Confidence is the one of the intervals in tables, unless another is asked for.
const Confidence = 0.95

// WriteText writes the result for a reader: on what was measured, and each
// quantity of each scenario as mean and interval over the processes.
func (r *Result) WriteText(w io.Writer, confidence float64) error {
	var b strings.Builder
	if err := r.WriteHead(&b); err != nil {
		return err
	}
	scenario := -1
	metrics := r.Metrics()
	if r.writeCompact(&b, metrics, confidence) {
		metrics = nil
	}
	names := measurerWidth(metrics)
	for _, m := range metrics {
		if m.Scenario != scenario {
			scenario = m.Scenario
			s := r.Scenarios[scenario]
			fmt.Fprintf(&b, "\n%s  (%s)\n", s.Name(), s.Rev.Name)
		}
		if m.Of != "" {
			fmt.Fprintf(&b, "    %s\n  %-*s  %s\n", m.Of, names, "", strings.TrimRight(describe(m, confidence), " "))
			continue
		}
		b.WriteString(row(m, names, confidence))
	}
	if err := r.WriteRemarks(&b); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCompact writes a line a scenario, where there are several with one quantity
// each, of one revision, and names are short. It reports whether it did.
func (r *Result) writeCompact(b *strings.Builder, metrics []Metric, confidence float64) bool {
	const longest = 28
	if len(metrics) < 3 || len(metrics) != len(r.Scenarios) || len(r.revisions()) != 1 {
		return false
	}
	width := 0
	for i, m := range metrics {
		name := strings.TrimPrefix(r.Scenarios[m.Scenario].Name(), "Benchmark")
		if m.Scenario != i || m.Measurer != metrics[0].Measurer || len(name) > longest {
			return false
		}
		width = max(width, len(name))
	}
	fmt.Fprintf(b, "\n%s  (%s)\n", metrics[0].Measurer, r.revisions()[0])
	for _, m := range metrics {
		name := strings.TrimPrefix(r.Scenarios[m.Scenario].Name(), "Benchmark")
		mean, rest, _ := strings.Cut(describe(m, confidence), "  ")
		fmt.Fprintf(b, "  %-*s  %-12s %s\n", width, name, mean, strings.TrimLeft(rest, " "))
	}
	return true
}

// measurerWidth is that of the first column: short names are not padded for a
// long one's sake.
func measurerWidth(metrics []Metric) int {
	width := 0
	for _, m := range metrics {
		if n := len(m.Measurer); n <= 20 {
			width = max(width, n)
		}
	}
	return width
}

// row is one line of the table, or two where the measurer's name is long.
func row(m Metric, width int, confidence float64) string {
	name := m.Measurer
	lead := fmt.Sprintf("  %-*s  ", width, name)
	if len(name) > width {
		lead = fmt.Sprintf("  %s\n  %-*s  ", name, width, "")
	}
	return strings.TrimRight(lead+describe(m, confidence), " ") + "\n"
}

// describe is the mean with its unit, how sure it is, and of how many processes.
func describe(m Metric, confidence float64) string {
	iv := m.Interval(confidence)
	mean := Quantity(iv.Mean, m.Unit)
	of := text.Plural(len(m.Values), "value")
	switch {
	case m.Exact():
		return fmt.Sprintf("%-20s exact: %d of %d agree", mean, len(m.Values), len(m.Values))
	case len(m.Values) < 2:
		return fmt.Sprintf("%-20s a single value", mean)
	case math.IsInf(iv.Low, 0):
		return fmt.Sprintf("%-20s %s", mean, of)
	}
	scale := scaleOf(iv.Mean, m.Unit).Factor
	low, high := digits(iv.Low/scale), digits(iv.High/scale)
	spread := ""
	if iv.Mean != 0 {
		spread = fmt.Sprintf("± %.1f %%", 100*(iv.High-iv.Mean)/math.Abs(iv.Mean))
	}
	return fmt.Sprintf("%-20s %-9s [%s, %s]  n=%d", mean, spread, low, high, len(m.Values))
}

// WriteHead writes on what was measured.
func (r *Result) WriteHead(w io.Writer) error {
	shown := []string{"pkg", "cpu", "goos", "goarch", "cores", "governor", "virtual", "toolchain", "date"}
	var parts []string
	for _, name := range shown {
		for _, c := range r.Config {
			if c.Name == name {
				parts = append(parts, c.Name+" "+c.Value)
			}
		}
	}
	_, err := io.WriteString(w, text.Hang("", strings.Join(parts, ", ")))
	return err
}

// WriteRemarks writes the notes about processes and the warnings.
func (r *Result) WriteRemarks(w io.Writer) error {
	var b strings.Builder
	for i, note := range slices.Concat(r.Notes(), r.Warnings) {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(text.Fold("", "  ", "note: "+note))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Quantity is a value with its unit, in a unit that reads well: 1.234 µs/op for
// 1234 ns/op, 1.500 MB live-heap for 1500000 live-heap-B.
func Quantity(x float64, unit string) string {
	s := scaleOf(x, unit)
	return digits(x/s.Factor) + " " + s.Unit
}

// scaleOf finds the unit that x is shown in.
func scaleOf(x float64, unit string) text.Scale {
	for _, token := range []string{"ns", "B"} {
		if before, after, ok := cutToken(unit, token); ok {
			s := text.ScaleOf(x, token)
			s.Unit = strings.TrimRight(s.Unit+after+" "+strings.TrimSuffix(before, "-"), " ")
			return s
		}
	}
	return text.Scale{Factor: 1, Unit: unit}
}

// cutToken finds a unit's name in a compound such as cpu-ns/op.
func cutToken(unit, token string) (before, after string, ok bool) {
	for i := 0; i+len(token) <= len(unit); i++ {
		if unit[i:i+len(token)] != token {
			continue
		}
		before, after = unit[:i], unit[i+len(token):]
		if (before == "" || strings.HasSuffix(before, "-")) && (after == "" || after[0] == '/') {
			return before, after, true
		}
	}
	return "", "", false
}

// digits is x with 4 significant digits, and all digits of a whole number.
func digits(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return text.Significant(x, 4)
}

package doctor

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// width is the number of columns that text keeps to.
const width = 80

// WriteText writes the health for a reader.
func (h *Health) WriteText(w io.Writer) error {
	var t text
	t.item("host", h.describe())
	t.item("clock", fmt.Sprintf("%s, resolution %s; a read costs %s, a probe %s",
		h.Clock.Kind, nanos(h.Clock.Resolution), nanos(h.Clock.Read), nanos(h.Clock.Probe)))
	t.item("drift", fmt.Sprintf("a fixed loop varied by %s over %s", percent(h.Drift), seconds(h.Seconds)))
	t.item("others", fmt.Sprintf("per second of ours, other programs took %s and other guests %s of processor time; we waited %s for a processor",
		percent(h.Foreign), percent(h.Stolen), percent(h.Waited)))
	t.noise(h.Benchmarks)
	t.needs(h.Benchmarks)
	if len(h.Advice) > 0 {
		t.line("\nwhat would help:")
		for _, a := range h.Advice {
			t.hang("  - ", a)
		}
	}
	t.line("")
	t.hang("", h.verdict())
	_, err := io.WriteString(w, t.String())
	return err
}

type text struct{ strings.Builder }

func (t *text) line(format string, args ...any) {
	t.WriteString(strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

// item is a labelled paragraph.
func (t *text) item(label, s string) { t.hang(fmt.Sprintf("%-8s", label), s) }

// hang writes a paragraph folded at width, with its label hanging out.
func (t *text) hang(label, s string) {
	indent := strings.Repeat(" ", len(label))
	line := label
	for _, word := range strings.Fields(s) {
		if columns(line) > len(indent) && columns(line)+1+columns(word) > width {
			t.line("%s", line)
			line = indent
		}
		if columns(line) > len(indent) {
			line += " "
		}
		line += word
	}
	t.line("%s", line)
}

func (t *text) noise(all []Benchmark) {
	t.line("\n%-10s %6s  %10s  %10s  %s", "one binary", "pairs", "processes", "ratios of", "good against good")
	t.line("%-10s %6s  %10s  %10s  %s", "", "", "vary by", "pairs by", "at 99.9 % confidence")
	for _, b := range all {
		t.line("%-10s %6d  %10s  %10s  %s", b.Name, b.Pairs, percent(b.Processes), percent(b.Ratios), interval(b))
	}
}

func interval(b Benchmark) string {
	s := fmt.Sprintf("%.3fx [%.3f, %.3f]", b.AA.Mean, b.AA.Low, b.AA.High)
	if b.Differs {
		s += "  differs"
	}
	return s
}

func (t *text) needs(all []Benchmark) {
	head := fmt.Sprintf("%-20s", "to find a slowdown of")
	for _, s := range slowdowns {
		head += fmt.Sprintf("%14s", percent(s))
	}
	t.line("\n%s", head)
	for _, b := range all {
		row := fmt.Sprintf("%-21s", "  "+b.Name)
		for _, n := range b.Needs {
			row += fmt.Sprintf("%14s", pairs(n))
		}
		t.line("%s", row)
	}
	t.hang("  ", "pairs of processes and their time, for the first comparison alone, four times in five; with --min-effect 0.5% for 1 %")
}

func pairs(n Need) string {
	if n.Pairs > 99_999 {
		return "too many"
	}
	return fmt.Sprintf("%d %s", n.Pairs, seconds(n.Seconds))
}

func (h *Health) describe() string {
	f := h.Host
	s := []string{f.OS + "/" + f.Arch}
	if f.CPU != "" {
		s = append(s, f.CPU)
	}
	s = append(s, plural(f.Cores, "processor"))
	if f.Virtual != "" {
		s = append(s, "under "+f.Virtual)
	}
	if f.Governor != "" {
		s = append(s, "governor "+f.Governor)
	}
	if l := h.Settings.Load; l != nil {
		s = append(s, fmt.Sprintf("load %.2g", *l))
	}
	return strings.Join(append(s, h.Toolchain), ", ")
}

func (h *Health) verdict() string {
	if !h.Decided() {
		return fmt.Sprintf("Not decided: a host is judged by %d pairs of each benchmark and more; give it more time.", enough)
	}
	if d := h.Differs(); len(d) > 0 {
		return fmt.Sprintf("Not healthy: %s differs from itself. Don't believe small differences on this host now.", strings.Join(d, ", "))
	}
	switch s := h.Resolves(Budget); {
	case s == 0:
		return fmt.Sprintf("Not healthy: not even a slowdown of %s would be found in %s.", percent(slowdowns[len(slowdowns)-1]), seconds(Budget.Seconds()))
	case !h.Healthy():
		return fmt.Sprintf("Not healthy: in %s a slowdown of %s would be found, but hardly one of 5 %%.", seconds(Budget.Seconds()), percent(s))
	default:
		return fmt.Sprintf("Healthy: a slowdown of %s can be found within %s.", percent(s), seconds(Budget.Seconds()))
	}
}

// percent is a share with two digits.
func percent(x float64) string {
	p := 100 * x
	switch {
	case math.IsNaN(p):
		return "? %"
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 1 && p != math.Trunc(p):
		return fmt.Sprintf("%.1f %%", p)
	}
	return fmt.Sprintf("%.1g %%", p)
}

func nanos(ns float64) string { return fmt.Sprintf("%.3g ns", ns) }

// seconds is a time with the digits that an estimate has.
func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	switch {
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func columns(s string) int { return utf8.RuneCountInString(s) }

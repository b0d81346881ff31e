package doctor

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/pinpoint-go/pinpoint/internal/text"
)

// WriteText writes the health for a reader.
func (h *Health) WriteText(w io.Writer) error {
	t := printer{text.NewWriter(w)}
	t.Item("host    ", h.describe())
	t.Item("clock   ", fmt.Sprintf("%s, resolution %s; a read costs %s, a probe %s",
		h.Clock.Kind, nanos(h.Clock.Resolution), nanos(h.Clock.Read), nanos(h.Clock.Probe)))
	t.Item("drift   ", fmt.Sprintf("a fixed loop varied by %s over %s", percent(h.Drift), seconds(h.Seconds)))
	t.Item("others  ", fmt.Sprintf("per second of ours, other programs took %s and other guests %s of processor time; we waited %s for a processor",
		percent(h.Foreign), percent(h.Stolen), percent(h.Waited)))
	t.Item("counted ", h.counters())
	t.noise(h.Benchmarks)
	t.needs(h.Benchmarks)
	if len(h.Advice) > 0 {
		t.Paragraph()
		t.Line("what would help:")
		for _, a := range h.Advice {
			t.Item("  - ", a)
		}
	}
	t.Paragraph()
	t.Item("", h.verdict())
	return t.Flush()
}

// counters says whether what pairs execute is known besides their time.
func (h *Health) counters() string {
	if why := h.Settings.NoCounters; why != "" {
		return "nothing: " + why + "; pairs are compared by their time alone"
	}
	return "instructions and cycles, beside the time"
}

// A printer writes the parts of a health.
type printer struct{ *text.Writer }

func (t printer) noise(all []Benchmark) {
	t.Paragraph()
	t.Line("%-10s %6s  %10s  %10s  %s", "one binary", "pairs", "processes", "ratios of", "good against good")
	t.Line("%-10s %6s  %10s  %10s  %s", "", "", "vary by", "pairs by", "at 99.9 % confidence")
	for _, b := range all {
		t.Line("%-10s %6d  %10s  %10s  %s", b.Name, b.Pairs, percent(b.Processes), percent(b.Ratios), interval(b))
	}
}

func interval(b Benchmark) string {
	s := fmt.Sprintf("%.3fx [%.3f, %.3f]", b.AA.Mean, b.AA.Low, b.AA.High)
	if b.Differs {
		s += "  differs"
	}
	return s
}

func (t printer) needs(all []Benchmark) {
	head := fmt.Sprintf("%-20s", "to find a slowdown of")
	for _, s := range slowdowns {
		head += fmt.Sprintf("%14s", percent(s))
	}
	t.Paragraph()
	t.Line("%s", head)
	for _, b := range all {
		row := fmt.Sprintf("%-21s", "  "+b.Name)
		for _, n := range b.Needs {
			row += fmt.Sprintf("%14s", pairs(n))
		}
		t.Line("%s", row)
	}
	t.Item("  ", "pairs of processes and their time, for the first comparison alone, four times in five; with --min-effect 0.5% for 1 %")
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
	s = append(s, text.Plural(f.Cores, "processor"))
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
func percent(x float64) string { return text.Count(100*x, 2) + " %" }

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

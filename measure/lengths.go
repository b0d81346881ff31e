package measure

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/stats"
)

// Caliper's runs are of three lengths, 1, 0.5 and 1.5 times the planned one, and up
// to seven more follow while their standard deviation is above 1 % of their mean.
// Here both are options. What depends on the length of a batch is not paid per
// operation: a set-up within the timer, or a collection that only long batches meet.

// The shortest and the longest batch, as a multiple of the calibrated one.
const (
	shortest = 0.01
	longest  = 100
)

// lengthAlpha is the error of saying that time depends on the length.
const lengthAlpha = 0.01

// ParseLengths reads a list such as "1,0.5,1.5".
func ParseLengths(list string) ([]float64, error) {
	var lengths []float64
	for text := range strings.SplitSeq(list, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(x >= shortest && x <= longest) {
			return nil, fmt.Errorf("%q is no multiple of a batch between %v and %v", text, shortest, longest)
		}
		lengths = append(lengths, x)
	}
	return lengths, nil
}

// checkLengths finds what can't have batches of several lengths.
func (c *campaign) checkLengths() error {
	if len(c.opts.Lengths) == 0 && c.opts.Deviation == 0 {
		return nil
	}
	switch {
	case c.opts.Workload.Kind != harness.Bench:
		return fmt.Errorf("a %s has no batches: lengths and deviations are of benchmarks", c.opts.Workload.Kind)
	case c.opts.Local:
		return errors.New("lengths and deviations are of separate processes, and this is one")
	case !slices.ContainsFunc(c.runs, func(r run) bool { return r.timing != nil }):
		return errors.New("lengths and deviations are of the running time, and it is not measured")
	}
	return nil
}

// length is that of the batches of a process, as a multiple.
func (c *campaign) length(r run, round int) float64 {
	if r.timing == nil || len(c.opts.Lengths) == 0 {
		return 1
	}
	return c.opts.Lengths[max(round, 0)%len(c.opts.Lengths)]
}

// times are what the processes of a scenario took in runs of a kind.
func (r *Result) times(kind string, scenario int) (ns, lengths []float64) {
	for _, p := range r.Processes {
		if p.Kind == kind && p.Scenario == scenario && len(p.Values) > 0 {
			ns, lengths = append(ns, p.Values[0].Value), append(lengths, p.Length)
		}
	}
	return ns, lengths
}

// restless are the scenarios whose processes deviate more than was asked for.
func (c *campaign) restless(r run) (list []*cell) {
	for _, cell := range c.cells {
		ns, _ := c.result.times(r.key, cell.index)
		if s := stats.Summarize(ns); s.N < 2 || s.SD > c.opts.Deviation*s.Mean {
			list = append(list, cell)
		}
	}
	return list
}

// warnOfDeviation tells of scenarios that stayed restless.
func (c *campaign) warnOfDeviation(r run) {
	for _, cell := range c.restless(r) {
		ns, _ := c.result.times(r.key, cell.index)
		s := stats.Summarize(ns)
		c.result.warn("%s of %s: the standard deviation of %s stayed at %.2g %%, above %.3g %%",
			cell.Name(), cell.rev.Label, text.Plural(s.N, "process"), 100*s.SD/s.Mean, 100*c.opts.Deviation)
	}
}

// warnOfLengths tells of scenarios whose time per operation is another one in
// batches of another length. A length needs two processes to say so. Logarithms are
// compared: what disturbs a process multiplies its time.
func (c *campaign) warnOfLengths(r run) {
	for _, cell := range c.cells {
		lengths, groups := byLength(c.result.times(r.key, cell.index))
		v, err := stats.ANOVA(logarithms(groups)...)
		if err != nil || v.P > lengthAlpha || slices.ContainsFunc(groups, func(g []float64) bool { return len(g) < 2 }) {
			continue
		}
		var means []string
		for i, g := range groups {
			means = append(means, fmt.Sprintf("%.4g ns at %v", stats.Summarize(g).Mean, lengths[i]))
		}
		c.result.warn("%s of %s: an operation takes longer or shorter by the length of its batch (%s; p = %.2g): something is done once a batch, or only in long ones",
			cell.Name(), cell.rev.Label, strings.Join(means, ", "), v.P)
	}
}

// byLength groups times, the shortest first.
func byLength(ns, of []float64) (lengths []float64, groups [][]float64) {
	lengths = slices.Clone(of)
	slices.SortFunc(lengths, cmp.Compare)
	lengths = slices.Compact(lengths)
	groups = make([][]float64, len(lengths))
	for i, x := range ns {
		k := slices.Index(lengths, of[i])
		groups[k] = append(groups[k], x)
	}
	return lengths, groups
}

func logarithms(groups [][]float64) [][]float64 {
	logs := make([][]float64, len(groups))
	for i, g := range groups {
		for _, x := range g {
			logs[i] = append(logs[i], math.Log(x))
		}
	}
	return logs
}

package measure

import (
	"fmt"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A Result is what a measurement gave.
type Result struct {
	Config    []Setting // configuration lines that all scenarios share
	Scenarios []Scenario
	Processes []Process // in the order in which they ran
	Batches   []Batches // of the processes that timed
	Warnings  []string
	Seed      uint64
	By        string // see Options.By

	notes map[string]int
}

// A Process is what one process gave. In a local measurement it is one batch.
type Process struct {
	Scenario int     // index into Result.Scenarios
	Kind     string  // what is measured in processes like it
	Number   int     // of its kind and scenario, from 0
	N        int64   // operations
	Length   float64 // of its batches, as a multiple of the planned one
	Values   []Value
	Counted  bool // the values are counts
}

// A Value is one number of one process.
type Value struct {
	Measurer string
	Unit     string // as Go's benchmark format has it
	Value    float64
	Of       string // the function, where it is a part of the value without one
}

// Batches are all batches of a process, those that were left out too.
type Batches struct {
	Scenario int
	Process  int
	Batches  []harness.Batch
}

// A Metric is one quantity of one scenario over its processes.
type Metric struct {
	Scenario int
	Measurer string
	Unit     string
	Values   []float64 // in the order of the processes
	Counted  bool
	Of       string // the function that it is a part of a sum for; not compared, and in no benchmark file

	operations []int64 // of each value
}

// exactProcesses is how many processes must agree for a count to be exact.
const exactProcesses = 3

// Metrics are all quantities, by scenario and then in the order in which they were
// first measured.
func (r *Result) Metrics() []Metric {
	var all []Metric
	for _, run := range r.Processes {
		for _, v := range run.Values {
			i := slices.IndexFunc(all, func(m Metric) bool {
				return m.Scenario == run.Scenario && m.Measurer == v.Measurer && m.Unit == v.Unit && m.Of == v.Of
			})
			if i < 0 {
				i = len(all)
				all = append(all, Metric{Scenario: run.Scenario, Measurer: v.Measurer, Unit: v.Unit, Of: v.Of, Counted: run.Counted})
			}
			all[i].Values = append(all[i].Values, v.Value)
			all[i].operations = append(all[i].operations, run.N)
		}
	}
	slices.SortStableFunc(all, func(a, b Metric) int { return a.Scenario - b.Scenario })
	return all
}

// Exact reports whether the metric is a count on which enough processes agree
// entirely.
func (m Metric) Exact() bool {
	return m.Counted && len(m.Values) >= exactProcesses && slices.Min(m.Values) == slices.Max(m.Values)
}

// Interval is the mean over processes with Student's interval at a confidence in
// (0, 1); unbounded for a single value.
func (m Metric) Interval(confidence float64) stats.Interval {
	return stats.Summarize(m.Values).Interval(confidence)
}

// note keeps what processes had to remark, counted.
func (r *Result) note(s Scenario, notes []string) {
	if r.notes == nil {
		r.notes = map[string]int{}
	}
	for _, n := range notes {
		r.notes[s.Name()+" of "+s.Rev.Name+": "+n]++
	}
}

// Notes are the remarks about processes, with how many each is true of.
func (r *Result) Notes() []string {
	var all []string
	for note, n := range r.notes {
		all = append(all, fmt.Sprintf("%s (%s)", note, text.Plural(n, "process")))
	}
	slices.Sort(all)
	return all
}

func (r *Result) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

// setConfig adds a configuration line that is not there yet.
func (r *Result) setConfig(name, value string) {
	if !slices.ContainsFunc(r.Config, func(c Setting) bool { return c.Name == name }) {
		r.Config = append(r.Config, Setting{name, value})
	}
}

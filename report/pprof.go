package report

import (
	"io"
	"strings"

	"github.com/google/pprof/profile"
)

// WriteProfile writes the chains of one side as a profile: what an operation of good,
// or of bad, spends in every step of the way to each culprit, or 1000 of them where it is
// little, as a comment in the profile says. The profiles of both
// sides have the same stacks, so that pprof's -diff_base shows where it got slower.
func (r *Report) WriteProfile(w io.Writer, bad bool) error {
	p := &profile.Profile{}
	add := profileAdder(p)
	tree := r.tree()
	unit := "count"
	if r.Whole != nil {
		unit = profileUnit(r.Whole.Unit)
	}
	p.SampleType = []*profile.ValueType{{Type: r.Workload.metric(), Unit: unit}}
	p.DefaultSampleType = r.Workload.metric()
	operations, of := 1.0, "one operation of "
	if r.Whole != nil && max(r.Whole.Good, r.Whole.Bad) < 1000 { // a profile's values are whole numbers
		operations, of = 1000, "1000 operations of "
	}
	p.Comments = []string{r.Workload.title() + ": " + r.finding(), of + side(bad)}
	if n := len(tree.Below); n > 0 { // what the benchmark's own function does beside the first step
		add([]Step{{Function: tree.Below[0].Function}}, int64(operations*tree.room(bad)+0.5))
	} else {
		add([]Step{tree.Step}, int64(operations*tree.room(bad)+0.5))
	}
	tree.visit(nil, func(stack []Step, n *node) {
		if self := n.room(bad); self > 0 || n.room(!bad) > 0 {
			add(stack, int64(operations*self+0.5))
		}
	})
	if err := p.CheckValid(); err != nil {
		return err
	}
	return p.Write(w)
}

func (r *Report) writeBadProfile(w io.Writer) error  { return r.WriteProfile(w, true) }
func (r *Report) writeGoodProfile(w io.Writer) error { return r.WriteProfile(w, false) }

func side(bad bool) string {
	if bad {
		return "bad"
	}
	return "good"
}

// metric is the quantity's name.
func (w Workload) metric() string {
	if w.Metric == "" {
		return "time"
	}
	return w.Metric
}

// profileUnit is what pprof calls a unit.
func profileUnit(unit string) string {
	switch unit {
	case "ns/op", "CPU-ns/op":
		return "nanoseconds"
	case "B/op":
		return "bytes"
	}
	return "count"
}

// profileAdder adds samples to a profile: a function for each name, a location for each
// line of one.
func profileAdder(p *profile.Profile) func(stack []Step, value int64) {
	functions := make(map[string]*profile.Function)
	locations := make(map[string]*profile.Location)
	location := func(s Step) *profile.Location {
		key := s.Function + "\n" + s.Position
		if l := locations[key]; l != nil {
			return l
		}
		at, _ := placeOf(s.Position)
		f := functions[s.Function]
		if f == nil {
			f = &profile.Function{ID: uint64(len(p.Function) + 1), Name: s.Function, SystemName: s.Function, Filename: at.file}
			functions[s.Function], p.Function = f, append(p.Function, f)
		}
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: f, Line: int64(at.line), Column: int64(at.col)}}}
		locations[key], p.Location = l, append(p.Location, l)
		return l
	}
	return func(stack []Step, value int64) {
		s := &profile.Sample{Value: []int64{value}, Label: map[string][]string{}}
		for i := len(stack) - 1; i >= 0; i-- {
			s.Location = append(s.Location, location(stack[i]))
		}
		if last := stack[len(stack)-1].Call; last != "" && !strings.HasPrefix(last, "(") {
			s.Label["call"] = []string{last}
		}
		p.Sample = append(p.Sample, s)
	}
}

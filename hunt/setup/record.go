package setup

import (
	"context"
	"maps"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
	"github.com/pinpoint-go/pinpoint/trace"
)

// RecordHost puts into the report on what the hunt ran, and what its children were
// given.
func (j *Job) RecordHost(ctx context.Context) {
	p := &j.Report.Provenance
	p.Host = harness.Measuring(ctx).Lines(j.Set.Go().Version)
	p.Environment = harness.Environment(j.Bad.Unprobed, j.Options.Workload)
}

// RecordLog puts what was done into the report.
func (j *Job) RecordLog() {
	r := j.Report
	r.Search.Processes, r.Search.Disturbed = j.Log.Processes()
	r.Provenance.Campaigns = j.Log.Campaigns()
	r.Warnings, r.Continue = append(j.Set.Notes(), j.Log.Notes()...), j.Log.Continue()
	r.Provenance.Commands = j.Set.Commands()
	r.Search.Builds = len(r.Provenance.Commands)
}

// RecordPhases tells what the time went into.
func (j *Job) RecordPhases() {
	j.Log.Trace.Leave()
	spans := j.Log.Trace.Since(j.Start)
	for _, s := range spans {
		if s.Kind == trace.Phase {
			j.Report.Search.Phases = append(j.Report.Search.Phases, report.Phase{What: s.Name, Began: s.Began.Sub(j.Start).Seconds(), Seconds: s.Took.Seconds()})
		}
	}
	spent := trace.Spent(spans)
	for _, kind := range slices.Sorted(maps.Keys(spent)) {
		j.Report.Search.Spent = append(j.Report.Search.Spent, report.Spent{Kind: string(kind), Seconds: spent[kind].Seconds()})
	}
}

// Package evidence tells what is known of a culprit's code beside the proof: what the
// compiler made of it, where in it the time goes, what it waits for and allocates, who
// changed it and what its package's tests say. It promises that nothing of it decides
// anything, and that what can't be had is left out and ends no hunt.
package evidence

import (
	"context"
	"fmt"

	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/report"
)

// kind is one kind of evidence. A side that lacks the function has nil.
type kind struct {
	first bool // only of the first culprit: it takes builds
	both  bool // only of a function that both sides have
	add   func(g *Gatherer, ctx context.Context, c *report.Culprit, code change.Functions)
}

// kinds are in the order of what they tell for the time that they take, since there may
// not be enough for all. The compiler is asked by two builds, and tests may take long.
var kinds = []kind{
	{both: true, add: (*Gatherer).addModules},
	{both: true, add: (*Gatherer).addDiff},
	{add: (*Gatherer).addCommits},
	{both: true, add: (*Gatherer).addAllocations},
	{both: true, first: true, add: (*Gatherer).addStatement},
	{both: true, add: (*Gatherer).addWaits},
	{both: true, first: true, add: (*Gatherer).addDecisions},
	{add: (*Gatherer).addOtherwise},
	{add: (*Gatherer).addTests},
}

// Gather adds to each culprit what is known about its code.
func (g *Gatherer) Gather(ctx context.Context, culprits []report.Culprit) {
	if len(culprits) == 0 {
		return
	}
	g.Sampler.Log.Phase("gathering evidence")
	for _, k := range kinds {
		for i := range culprits {
			c := &culprits[i]
			code := change.Functions{Good: g.Good.LookUp(c.Function), Bad: g.Bad.LookUp(c.Function)}
			if code.Good == nil && code.Bad != nil { // it had another name there
				code.Good, _ = g.Prober.Change.InGood(code.Bad)
			}
			if k.first && i > 0 || k.both && (code.Good == nil || code.Bad == nil) {
				continue
			}
			k.add(g, ctx, c, code)
		}
	}
}

// records says that there is time to run the benchmark under a profiler.
func (g *Gatherer) records() bool {
	return g.Sampler.Workload.Kind == harness.Bench && g.Sampler.Budget.Left() > 0
}

// addModules says that it moved to another module, or to another version of one.
func (g *Gatherer) addModules(_ context.Context, c *report.Culprit, code change.Functions) {
	if good, bad := code.Good.Module(), code.Bad.Module(); good != bad {
		c.AttestAll("module", fmt.Sprintf("it comes from %s in good and from %s in bad", good, bad))
	}
}

// addStatement says in which statement of its own code the time goes.
func (g *Gatherer) addStatement(ctx context.Context, c *report.Culprit, code change.Functions) {
	if c.Kind != report.OwnCode || !g.Sampler.Quantity.IsTime() || !code.Good.HasBody() || !code.Bad.HasBody() {
		return
	}
	var err error
	if c.Statement, err = g.Prober.Statement(ctx, code, c.Delta.Diff); err != nil {
		g.Sampler.Log.Warn("looking into the own code of %s: %s", code.Bad.Name, harness.FirstLine(err))
	}
}

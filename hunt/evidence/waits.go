package evidence

import (
	"context"
	"fmt"

	"github.com/pinpoint-go/pinpoint/hunt/profile"

	"github.com/pinpoint-go/pinpoint/callgraph"
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// waitShare is the share of the whole difference from which waiting is worth a
// word.
const waitShare = 0.1

// addWaits says how much longer goroutines wait in it.
func (g *Gatherer) addWaits(ctx context.Context, c *report.Culprit, code change.Functions) {
	if !g.asked && g.Sampler.Quantity.IsTime() && g.records() {
		g.lookForWaits(ctx)
	}
	if f := g.blocking(code.Good, code.Bad); f != nil {
		c.Attest(*f)
	}
}

// blocking says how much longer goroutines wait in a culprit than in its twin in
// good, if that is some of the difference; nil if it is not.
func (g *Gatherer) blocking(good, bad *callgraph.Function) *report.Fact {
	if g.waits.Good == nil || g.waits.Bad == nil || !g.Sampler.Quantity.IsTime() {
		return nil
	}
	before, _ := g.waits.Good.In(good)
	now, longest := g.waits.Bad.In(bad)
	if now-before < waitShare*g.Whole.Comparison.Diff.Mean || longest == nil {
		return nil
	}
	was := "not at all"
	if before >= 1 {
		was = "for " + text.Duration(before).String() + " per operation"
	}
	return &report.Fact{
		Kind: "waits", Function: bad.Name, Position: g.Position(bad.Pos), Good: &before, Bad: &now, Unit: "ns/op",
		Text: fmt.Sprintf("goroutines wait in it %s in good and for %v per operation in bad, most of all in %s",
			was, text.Duration(now), g.waitsFor(*longest)),
	}
}

// waitsFor names what a stack waits in: the call that blocks, and the line of
// loaded source that makes it.
func (g *Gatherer) waitsFor(w profile.Wait) string {
	leaf := w.Frames[len(w.Frames)-1]
	at := lastKnown(w.Frames)
	if at == nil || at.Func == leaf.Func {
		return fmt.Sprintf("%s (line %d)", leaf.Name, leaf.Line)
	}
	pos := at.Func.Pos
	pos.Line, pos.Column = at.Line, 1
	return fmt.Sprintf("%s at %s", leaf.Name, g.Position(pos))
}

// lookForWaits records what both sides wait for.
func (g *Gatherer) lookForWaits(ctx context.Context) {
	g.asked = true
	// Evidence that can't be had is left out.
	g.waits.Good, _ = g.Recorder.Waits(ctx, g.Good)
	g.waits.Bad, _ = g.Recorder.Waits(ctx, g.Bad)
}

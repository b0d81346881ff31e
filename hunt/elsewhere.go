package hunt

import (
	"github.com/pinpoint-go/pinpoint/change"
	"github.com/pinpoint-go/pinpoint/hunt/profile"
	"github.com/pinpoint-go/pinpoint/report"
)

// mostItself is the part of what a culprit's code makes, of which the culprit itself takes
// less where the cost is paid elsewhere.
const mostItself = 0.5

// paidElsewhere says that what a culprit's code was proved to make is not paid in it, nor in
// what it calls: a table that it leaves larger, a buffer that it no longer keeps, a text that
// others go through. Both the probe of the call that leads to it and the profiles, which see
// all calls, have to say so; where the call is idle, which is not made while the timer runs,
// the profiles alone.
func (h *hunt) paidElsewhere(c *report.Culprit, chain []report.Step, of change.Functions, idle bool) bool {
	stacks, known := h.recorder.Known()
	if !known || c.Kind != report.OwnCode || c.Reverted == nil || len(chain) == 0 || !h.Sampler.Quantity.IsTime() {
		return false
	}
	call := chain[len(chain)-1].Delta
	if !idle && (call == nil || call.Diff.High >= mostItself*c.Delta.Diff.Low) {
		return false
	}
	good, allGood := profile.Inclusive(stacks.Good)
	bad, allBad := profile.Inclusive(stacks.Bad)
	if allGood == 0 || allBad == 0 {
		return false
	}
	return profile.GainShare(h.whole.Comparison.Ratio.Mean, good[of.Good]/allGood, bad[of.Bad]/allBad) < mostItself*c.Share
}

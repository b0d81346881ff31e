package finder

import (
	"github.com/pinpoint-go/pinpoint/stats"
)

// Where the linker places functions makes a binary some percent faster or slower
// without a change to any of them, and pairs of one binary each, however many, repeat
// that accident. What is small must be there in other orders of functions, too.
//
// LayoutConfidence is that of an interval over link layouts, which can only take
// back what pairs said. It is no part of what a hunt may spend.
const LayoutConfidence = 0.99

// OverLayouts takes back what c says of a part, of samples good and bad, if it is not
// so in all of the layouts that the pairs are of. What the part gains is set against
// the whole operation of good: the part may take no time at all on one side.
func OverLayouts(c stats.Comparison, whole, good, bad []float64, layouts []int) stats.Comparison {
	if layouts == nil || c.Verdict != stats.Slower && c.Verdict != stats.Faster {
		return c
	}
	with := make([]float64, len(whole))
	for i := range with {
		with[i] = whole[i] + bad[i] - good[i]
	}
	if over, err := stats.Grouped(whole, with, layouts, LayoutConfidence); err != nil || !c.Verdict.Upheld(over.Ratio) {
		c.Verdict = stats.Unknown
		c.Warnings = append(c.Warnings, "not in all other orders of functions")
	}
	return c
}

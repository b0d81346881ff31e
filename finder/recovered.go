package finder

import (
	"math"
	"slices"

	"github.com/pinpoint-go/pinpoint/stats"
)

// What putting good's code back must recover of the difference that is expected
// of it to speak for it, and what it must fail to recover to speak against it. In
// between it says nothing: two functions may be needed together.
const (
	RecoversMost   = 0.6
	RecoversLittle = 0.3
)

// Recovered is the share of a whole difference that c makes, and its lower bound if the
// whole were known exactly. It is taken of the ratios, which the speed of the machine,
// another one by now, does not enter. Its bounds are those of the whole, too: how
// much there was to recover is known no better than that.
func Recovered(c, whole stats.Comparison) (share stats.Interval, least float64) {
	part, all := c.Ratio, whole.Ratio
	bounds := []float64{gone(part.Low, all.Low), gone(part.Low, all.High), gone(part.High, all.Low), gone(part.High, all.High)}
	return stats.Interval{Mean: gone(part.Mean, all.Mean), Low: slices.Min(bounds), High: slices.Max(bounds)}, gone(part.Low, all.Mean)
}

func gone(part, whole float64) float64 {
	lost, gained := 1-1/max(whole, tinyRatio), 1-1/max(part, tinyRatio)
	if lost <= 0 { // by this bound there was nothing to recover
		return math.Copysign(math.MaxFloat64, gained)
	}
	return gained / lost
}

// tinyRatio keeps the arithmetic of ratios finite.
const tinyRatio = 1e-9

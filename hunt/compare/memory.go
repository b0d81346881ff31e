package compare

import (
	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// peaks compares what the processes of pairs had in use at most, at 95 %; nil where that is
// not known. It decides nothing.
func peaks(pairs []harness.Pair) *stats.Comparison {
	var good, bad []float64
	for _, p := range pairs {
		if p.Good.Usage.Peak > 0 && p.Bad.Usage.Peak > 0 {
			good, bad = append(good, float64(p.Good.Usage.Peak)), append(bad, float64(p.Bad.Usage.Peak))
		}
	}
	if len(good) < 2 {
		return nil
	}
	c := stats.Rule{Alpha: 0.05}.Compare(good, bad)
	return &c
}

package measure

import (
	"cmp"
	"fmt"
	"math"

	"github.com/pinpoint-go/pinpoint/harness"
	"github.com/pinpoint-go/pinpoint/stats"
)

// A series is the batches of one process on their way through the steps: those
// that are kept and those in reserve.
type series struct {
	kept    []harness.Batch
	reserve []harness.Batch
	notes   []string
}

// note keeps a remark that is the same for many processes once with its count
// left out, so that the processes' notes can be counted.
func (s *series) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

func perOp(b harness.Batch) float64 { return b.NS / float64(b.N) }

func byTime(a, b harness.Batch) int { return cmp.Compare(perOp(a), perOp(b)) }

// CoV is the coefficient of variation of batches: the standard deviation of
// their times per operation, as a share of the mean.
func CoV(batches []harness.Batch) float64 {
	var xs []float64
	for _, b := range batches {
		xs = append(xs, perOp(b))
	}
	sum := stats.Summarize(xs)
	if sum.Mean == 0 {
		return math.Inf(1)
	}
	return sum.SD / sum.Mean
}

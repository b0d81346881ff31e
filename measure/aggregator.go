package measure

import (
	"fmt"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// An Aggregator makes one value of the batches of a process, in nanoseconds per
// operation.
type Aggregator int

const (
	Mean   Aggregator = iota // of all operations
	Median                   // of the batches
	Min                      // of the batches
	Fast                     // mean of the fastest eighth of the batches: steady, but blind to what few of them pay
)

var aggregators = []string{"mean", "median", "min", "fast"}

// ParseAggregator finds an Aggregator by its name.
func ParseAggregator(name string) (Aggregator, error) {
	if i := slices.Index(aggregators, name); i >= 0 {
		return Aggregator(i), nil
	}
	return 0, fmt.Errorf("%q is none of %v", name, aggregators)
}

// of is 0 for no batches.
func (a Aggregator) of(batches []harness.Batch) float64 {
	if len(batches) == 0 {
		return 0
	}
	sorted := slices.SortedStableFunc(slices.Values(batches), byTime)
	switch a {
	case Median:
		k := len(sorted) / 2
		if len(sorted)%2 == 0 {
			return (perOp(sorted[k-1]) + perOp(sorted[k])) / 2
		}
		return perOp(sorted[k])
	case Min:
		return perOp(sorted[0])
	case Fast:
		sorted = sorted[:(len(sorted)+7)/8]
	}
	var ns, n float64
	for _, b := range sorted {
		ns += b.NS
		n += float64(b.N)
	}
	return ns / n
}

package measure

import (
	"maps"
	"slices"

	"github.com/pinpoint-go/pinpoint/harness"
)

// Reported is the measurer's name of what a benchmark reports itself, by b.ReportMetric
// and b.SetBytes. It comes with the first timing, from the same batches.
const Reported = "Reported"

// reported are the means over batches, one value a unit, by its name. A unit that only
// some of the batches report has the mean of those.
func reported(batches []harness.Batch) []Value {
	sums, n := make(map[string]float64), make(map[string]float64)
	for _, b := range batches {
		for unit, v := range b.Reported {
			sums[unit] += v
			n[unit]++
		}
	}
	var values []Value
	for _, unit := range slices.Sorted(maps.Keys(sums)) {
		values = append(values, Value{Measurer: Reported, Unit: unit, Value: sums[unit] / n[unit]})
	}
	return values
}

// reporting has the first of the timings report.
func reporting(all []Measurer) []Measurer {
	for i := range all {
		if all[i].run.timing != nil {
			all[i].run.reports = true
			break
		}
	}
	return all
}

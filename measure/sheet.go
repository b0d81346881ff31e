package measure

import (
	"fmt"
	"math"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/text"
	"github.com/pinpoint-go/pinpoint/report"
)

// Sheet is the results as they are saved, with intervals at a confidence in (0, 1).
func (all Results) Sheet(confidence float64) (*report.Sheet, error) {
	s := &report.Sheet{Job: "measure"}
	var printed strings.Builder
	names := map[string]bool{}
	for i, r := range all {
		if i > 0 {
			printed.WriteString("\n")
		}
		if err := r.WriteText(&printed, confidence); err != nil {
			return nil, err
		}
		s.Notes = append(append(s.Notes, r.Notes()...), r.Warnings...)
		for _, m := range r.Metrics() {
			row := r.row(m, confidence)
			names[row.Package+" "+row.Name] = true
			s.Rows = append(s.Rows, row)
		}
	}
	s.Printed = printed.String()
	s.Finding = fmt.Sprintf("%s of %s", text.Plural(len(s.Rows), "value"), text.Plural(len(names), "benchmark"))
	return s, nil
}

func (r *Result) row(m Metric, confidence float64) report.SheetRow {
	line := r.line(r.Scenarios[m.Scenario], 0)
	iv := m.Interval(confidence)
	row := report.SheetRow{
		Package: line.GetConfig("pkg"), Name: string(line.Name), Rev: line.GetConfig("rev"),
		Unit: unitOf(Value{Measurer: m.Measurer, Unit: m.Unit}, r), Measurer: m.Measurer,
		Of: m.Of, Values: m.Values, Operations: m.operations,
		Mean: iv.Mean, Confidence: confidence, Shown: Quantity(iv.Mean, m.Unit),
	}
	for _, c := range line.Config {
		row.Config = append(row.Config, report.SheetFact{Name: c.Key, Value: string(c.Value)})
	}
	if !math.IsInf(iv.High, 0) {
		row.Interval = &report.Interval{Mean: iv.Mean, Low: iv.Low, High: iv.High}
	}
	return row
}

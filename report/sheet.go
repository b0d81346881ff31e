package report

import (
	"errors"
	"html/template"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// SheetSchema names the JSON layout of a Sheet.
const SheetSchema = "pinpoint/sheet/v1"

// Sheet is what a job says that is no hunt: quantities that measure measured, that history
// check held against accepted ones, or the words of doctor.
type Sheet struct {
	Schema  string     `json:"schema"`
	Job     string     `json:"job"`     // measure, history check or doctor
	Finding string     `json:"finding"` // in a sentence
	Rows    []SheetRow `json:"rows"`
	Notes   []string   `json:"notes"`
	Printed string     `json:"printed"` // for a reader, as it was shown
}

// SheetRow is one quantity of one benchmark.
type SheetRow struct {
	Package    string      `json:"package"`
	Name       string      `json:"name"` // as Go's benchmark format has it, without the word Benchmark
	Rev        string      `json:"rev,omitempty"`
	Unit       string      `json:"unit"`
	Measurer   string      `json:"measurer,omitempty"` // of measure
	Of         string      `json:"of,omitempty"`       // the function whose part of the sum it is
	Config     []SheetFact `json:"config,omitempty"`   // on what it was measured
	Values     []float64   `json:"values,omitempty"`   // one a process
	Operations []int64     `json:"operations,omitempty"`
	Mean       float64     `json:"mean"`
	Interval   *Interval   `json:"interval"` // of the mean; null of a single value
	Confidence float64     `json:"confidence,omitempty"`
	Judgement  Judgement   `json:"judgement,omitempty"` // of history check
	Why        string      `json:"why,omitempty"`       // of the judgement
	Against    int         `json:"against,omitempty"`   // so many accepted results
	Ratio      *Interval   `json:"ratio"`               // to them; null where there is none
	Shown      string      `json:"shown"`               // the mean in a unit that reads well
}

// SheetFact is a configuration line.
type SheetFact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Judgement is what a check says of a quantity.
type Judgement string

// The judgements.
const (
	JudgedWorse  Judgement = "worse"
	JudgedBetter Judgement = "better"
	JudgedSame   Judgement = "the same"
	JudgedNot    Judgement = "not decided"
)

// WriteText writes it as it was shown.
func (s *Sheet) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, s.Printed)
	return err
}

// WriteJSON writes it as indented JSON with a final newline.
func (s *Sheet) WriteJSON(w io.Writer) error {
	out := *s
	out.Schema, out.Rows, out.Notes = SheetSchema, orEmpty(s.Rows), orEmpty(s.Notes)
	return output.JSON(w, out)
}

// cells are what a table shows of a row.
func (r SheetRow) cells() []string {
	change := "–"
	if r.Ratio != nil {
		change = text.Change(r.Ratio.Mean, r.Ratio.Low, r.Ratio.High)
	}
	interval := "–"
	if iv := r.Interval; iv != nil && r.Mean != 0 {
		interval = "± " + text.Percent((iv.High-iv.Low)/2/max(r.Mean, -r.Mean))
	}
	return []string{string(r.Judgement), r.Package, r.Name, r.Rev, r.Of, r.Shown, interval, change, r.Measurer}
}

var sheetHead = []string{"judgement", "package", "benchmark", "revision", "of", "mean", "interval", "against accepted", "measured"}

// table is the head and the rows without columns in which nothing is said.
func (s *Sheet) table() [][]string {
	all := make([][]string, 1+len(s.Rows))
	for column, head := range sheetHead {
		said := false
		for _, r := range s.Rows {
			cell := r.cells()[column]
			said = said || cell != "" && cell != "–"
		}
		if !said {
			continue
		}
		all[0] = append(all[0], head)
		for i, r := range s.Rows {
			all[i+1] = append(all[i+1], r.cells()[column])
		}
	}
	return all
}

// WriteMarkdown writes it as a table, and what was shown folded below it.
func (s *Sheet) WriteMarkdown(w io.Writer) error {
	m := &markdown{page: summaryPage}
	m.line("### pinpoint %s: %s", outside.Inline(s.Job), outside.Inline(s.Finding))
	m.line("")
	for i, row := range s.table() {
		var cells []outside.Markdown
		for _, c := range row {
			cells = append(cells, outside.Inline(c))
		}
		if len(s.Rows) > 0 {
			m.part("| %s |", outside.Join(cells, " | "))
		}
		if i == 0 && len(s.Rows) > 0 {
			m.part("| %s |", outside.Join(slices.Repeat([]outside.Markdown{outside.Literal("---")}, len(row)), " | "))
		}
	}
	for _, n := range s.Notes {
		m.part("\n<sub>Note: %s.</sub>", outside.Inline(n))
	}
	m.fold("As it was printed", outside.Fence(s.Printed))
	m.end()
	_, err := io.WriteString(w, m.b.String())
	return err
}

var sheetTemplate = template.Must(template.New("sheet").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{.Policy}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Job}}: {{.Finding}}</title>
<style>{{.Style}}</style>
</head>
<body>
<header><h1>{{.Job}}: {{.Finding}}</h1></header>
<main>
{{if .Rows}}<table class="sheet">
{{range $i, $row := .Table}}<tr>{{range $row}}{{if $i}}<td>{{.}}</td>{{else}}<th>{{.}}</th>{{end}}{{end}}</tr>
{{end}}</table>{{end}}
{{with .Notes}}<ul>{{range .}}<li>{{.}}</li>{{end}}</ul>{{end}}
<details open><summary>as it was printed</summary><pre>{{.Printed}}</pre></details>
</main>
</body>
</html>
`))

// WriteHTML writes it as one page that needs nothing else.
func (s *Sheet) WriteHTML(w io.Writer) error {
	var b strings.Builder
	err := sheetTemplate.Execute(&b, struct {
		*Sheet
		Policy string
		Style  template.CSS
		Table  [][]string
	}{s, pagePolicy(), template.CSS(pageStyle), s.table()})
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, outside.Visible(b.String()))
	return err
}

// WriteBenchfmt writes what was measured, a line for each value.
func (s *Sheet) WriteBenchfmt(w io.Writer) error {
	if s.Job != "measure" {
		return errors.New("what " + s.Job + " says holds no samples: for benchfmt, take the file of measure -o")
	}
	out := benchfmt.NewWriter(w)
	for _, r := range s.Rows {
		if r.Of != "" {
			continue
		}
		res := &benchfmt.Result{Name: benchfmt.Name(r.Name)}
		for _, c := range r.Config {
			res.Config = append(res.Config, benchfmt.Config{Key: c.Name, Value: []byte(c.Value), File: true})
		}
		for i, x := range r.Values {
			res.Iters = 1
			if i < len(r.Operations) {
				res.Iters = int(max(1, r.Operations[i]))
			}
			res.Values = []benchfmt.Value{{Value: x, Unit: r.Unit}}
			if err := out.Write(res); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteJUnit writes what a check says: a test case for each quantity, a failure what is
// worse, skipped what was not decided.
func (s *Sheet) WriteJUnit(w io.Writer) error {
	if s.Job != "history check" {
		return errors.New("what " + s.Job + " says is better or worse than nothing: junit is of find, compare, ci and history check")
	}
	var all junitSuites
	for _, r := range s.Rows {
		c := junitCase{ClassName: outside.PlainOf(r.Package), Name: outside.PlainOf(r.Name + " " + r.Unit)}
		said := r.Shown + ": " + string(r.Judgement)
		if r.Ratio != nil {
			said += ", " + text.Change(r.Ratio.Mean, r.Ratio.Low, r.Ratio.High)
		}
		switch r.Judgement {
		case JudgedWorse:
			c.Failure = &junitProblem{Message: outside.PlainOf(said), Type: "worse", Text: outside.PlainOf(r.Why)}
		case JudgedNot:
			c.Skipped = &junitProblem{Message: outside.PlainOf("not decided: " + r.Why)}
		default:
			c.Output = outside.PlainOf(said)
		}
		all.add(r.Package, c)
	}
	return all.write(w)
}

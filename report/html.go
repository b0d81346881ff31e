package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/outside"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

var (
	//go:embed page.tmpl
	pageSource string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Parse(pageSource))
)

// What a page has room for: it is to stay below a megabyte, whatever is in the report.
const (
	mostDiffLines = 400
	mostRows      = 200
	mostJSON      = 400_000
)

// WriteHTML writes the report as one page that needs nothing else: no script, no network,
// and no style where a policy forbids it.
func (r *Report) WriteHTML(w io.Writer) error {
	var b strings.Builder
	if err := pageTemplate.Execute(&b, r.page()); err != nil {
		return err
	}
	_, err := io.WriteString(w, outside.Visible(b.String()))
	return err
}

// htmlPage is what the template shows. All of its text becomes text.
type htmlPage struct {
	*Report
	Title, Finding string
	Policy         string // of the page's own content security
	Style          template.CSS
	Sides          []htmlSide
	Differences    []htmlRow
	Blamed         []htmlCulprit
	Proof          []htmlFigure
	Way            *picture
	Timeline       *picture
	Tried          []htmlRow
	Open           []string // what is not decided
	Notes          []string
	Refused        []Refused
	Campaigns      []Campaign
	Left           string // what is not explained
	Facts          []htmlRow
	JSON           string
}

type (
	htmlSide struct{ Label, Rev, Commit, Value string }
	htmlRow  struct {
		Name  string
		Cells []string
	}
	htmlFigure struct {
		Says    string
		Picture *picture
	}
	htmlCulprit struct {
		Culprit
		Heading, Because string
		Steps            []htmlRow
		Lines            []diffLine
		More             int // lines of the change that are left out
		Statement        string
		Allocating       []htmlRow
	}
	diffLine struct{ Class, Text string }
)

// pagePolicy lets a page have its style, and nothing else.
func pagePolicy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

func (r *Report) page() htmlPage {
	p := htmlPage{
		Report: r, Title: r.Workload.title(), Finding: r.finding(),
		Policy: pagePolicy(),
		Style:  template.CSS(pageStyle),
		Way:    r.icicle(), Timeline: timeline(r.Search.Phases[:min(mostRows, len(r.Search.Phases))], r.Search.Seconds),
		Refused:   r.Provenance.Refused[:min(mostRows, len(r.Provenance.Refused))],
		Campaigns: r.Provenance.Campaigns[:min(mostRows, len(r.Provenance.Campaigns))],
		Proof:     r.proofs(), Facts: r.facts(), JSON: r.folded(),
	}
	p.Sides, p.Differences = r.htmlSides()
	for _, c := range r.Culprits {
		p.Blamed = append(p.Blamed, c.html())
	}
	for i, t := range r.Tried {
		if i < mostRows {
			p.Tried = append(p.Tried, t.row())
		}
	}
	for _, u := range r.Undecided {
		p.Open = append(p.Open, u.String())
	}
	p.Open = text.First(p.Open, mostRows)
	p.Notes = text.First(r.Warnings, mostRows)
	if u := r.Unexplained; u != nil && len(r.Culprits) > 0 {
		p.Left = text.Percent(max(0, *u))
	}
	return p
}

func (r *Report) htmlSides() (sides []htmlSide, differences []htmlRow) {
	for i, rev := range []Revision{r.Good, r.Bad} {
		s := htmlSide{Label: side(i == 1), Rev: rev.Rev, Commit: short(rev.Commit)}
		if d := r.Whole; d != nil {
			in := scaleFor(max(d.Good, d.Bad), d.Unit)
			s.Value = in.format([]float64{d.Good, d.Bad}[i]) + " " + in.perOp()
		}
		sides = append(sides, s)
	}
	if r.Whole == nil {
		return sides, nil
	}
	row := func(name string, d *Delta) htmlRow {
		cells := []string{scaleFor(d.Diff.Mean, d.Unit).interval(d.Diff), "–"}
		if d.Ratio != nil {
			cells[1] = ratio(*d.Ratio)
		}
		return htmlRow{name, cells}
	}
	if mean := r.WholeMean; mean != nil && mean.Diff != r.Whole.Diff {
		return sides, []htmlRow{row("typical operation", r.Whole), row("mean of all", mean)}
	}
	return sides, []htmlRow{row("difference", r.Whole)}
}

func (c Culprit) html() htmlCulprit {
	out := htmlCulprit{Culprit: c, Heading: c.heading(), Because: c.because()}
	for i, step := range c.Chain {
		cells := []string{step.Call, step.Position, "–", "–", "–", "–"}
		if d := step.Delta; d != nil {
			in := scaleFor(max(d.Good, d.Bad), d.Unit)
			cells = []string{step.Call, step.Position, in.taken(d.Good), in.taken(d.Bad), in.interval(d.Diff), text.Percent(step.Share)}
			if c.Reverted != nil && d.Diff == c.Delta.Diff && d.Bad == c.Delta.Bad { // of the proof, whose sides are of the whole operation
				cells[2], cells[3] = "–", "–"
			}
		}
		out.Steps = append(out.Steps, htmlRow{fmt.Sprintf("%d %s", i, shortFunction(step.Function)), cells})
	}
	for l := range strings.Lines(c.Diff) {
		if len(out.Lines) == mostDiffLines {
			out.More++
			continue
		}
		class := map[byte]string{'+': "add", '-': "del", '@': "hunk"}[l[0]]
		if strings.HasPrefix(l, "+++") || strings.HasPrefix(l, "---") || strings.HasPrefix(l, "diff ") {
			class = "hunk"
		}
		out.Lines = append(out.Lines, diffLine{class, strings.TrimRight(l, "\n")})
	}
	if c.Statement != nil {
		out.Statement = c.Statement.sentence()
	}
	if a := c.Allocations; a != nil {
		out.Allocating = append(out.Allocating, htmlRow{"all of it", []string{"", amount(a.AllocsGood, a.BytesGood), amount(a.AllocsBad, a.BytesBad)}})
		for _, s := range a.Sites[:min(len(a.Sites), mostRows)] {
			out.Allocating = append(out.Allocating, htmlRow{s.Position, []string{s.Text, amount(s.AllocsGood, s.BytesGood), amount(s.AllocsBad, s.BytesBad)}})
		}
	}
	return out
}

// proofs are the samples that the answer rests on.
func (r *Report) proofs() []htmlFigure {
	if r.Whole == nil {
		return nil
	}
	in := scaleFor(max(r.Whole.Good, r.Whole.Bad), r.Whole.Unit)
	var list []htmlFigure
	add := func(says string, p *picture) {
		if p != nil {
			list = append(list, htmlFigure{says, p})
		}
	}
	for _, c := range r.Provenance.Campaigns {
		if c.What == "whole" {
			add(fmt.Sprintf("The whole operation, %s of processes without probes.", text.Plural(len(c.Good), "pair")),
				rounds("good and bad by round", []samples{{"good", c.Good}, {"bad", c.Bad}}, in))
		}
	}
	add("The same in other link orders: "+overLayouts(r.Whole.Layouts)+".", layoutsPicture(r.Whole.Layouts))
	for _, c := range r.Culprits {
		if c.Reverted == nil {
			continue
		}
		says := fmt.Sprintf("Bad with good's code for %s: %s of the difference is gone.", shortFunction(c.Function),
			text.Percents(c.Reverted.Recovered.Mean, c.Reverted.Recovered.Low, c.Reverted.Recovered.High))
		if t := c.Reverted.Triples; t != nil {
			add(says, rounds("good, bad with good's code, and bad, by round", []samples{{"good", t.Good}, {"back", t.Back}, {"bad", t.Bad}}, in))
		} else if i := slices.IndexFunc(r.Provenance.Campaigns, func(k Campaign) bool {
			return strings.HasPrefix(k.What, "measuring bad with good's "+c.Function)
		}); i >= 0 {
			k := r.Provenance.Campaigns[i]
			add(says, rounds("bad with good's code, and bad, by round", []samples{{"back", k.Good}, {"bad", k.Bad}}, in))
		}
		add("The same proof in other link orders: "+overLayouts(c.Reverted.Delta.Layouts)+".", layoutsPicture(c.Reverted.Delta.Layouts))
	}
	return list
}

func (t Trial) row() htmlRow {
	said := map[TrialOutcome]string{
		TrialGone: "the difference is gone", TrialPart: "part of it is gone", TrialCleared: "cleared: the difference stays",
		TrialOpen: "not decided", TrialNotBuilt: "does not compile", TrialNotRun: "does not run", TrialNotProbed: "could not be probed",
	}
	recovered := "–"
	if i := t.Recovered; i != nil {
		recovered = text.Percents(i.Mean, i.Low, i.High)
	}
	return htmlRow{t.title(), []string{cmp.Or(said[t.Outcome], string(t.Outcome)), recovered, t.Why}}
}

// facts are on what and how it was measured.
func (r *Report) facts() []htmlRow {
	s := r.Search
	rows := []htmlRow{
		{"pinpoint", []string{r.Provenance.Pinpoint + ", " + r.Provenance.Date}},
		{"search", []string{fmt.Sprintf("%s: %s, %s, %s, %s, %s s, seed %d", cmp.Or(s.Finder, "none"), text.Plural(s.Layers, "layer"),
			text.Plural(s.Comparisons, "comparison"), text.Plural(s.Builds, "build"), text.Plural(s.Processes, "process"), text.Significant(s.Seconds, 3), s.Seed)}},
		{"bound", []string{fmt.Sprintf("by chance alone at most %s of hunts accuse anything; differences below %s of the whole do not count", text.Percent(s.Alpha), text.Percent(s.MinEffect))}},
	}
	for _, line := range r.Provenance.Host {
		key, value, _ := strings.Cut(line, ": ")
		rows = append(rows, htmlRow{key, []string{value}})
	}
	if len(r.Provenance.Environment) > 0 {
		rows = append(rows, htmlRow{"environment", []string{strings.Join(r.Provenance.Environment, " ")}})
	}
	return rows
}

// folded is the report itself, where the page has room for it.
func (r *Report) folded() string {
	var b strings.Builder
	if err := r.WriteJSON(&b); err != nil || b.Len() > mostJSON {
		return ""
	}
	return b.String()
}

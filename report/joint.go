package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pinpoint-go/pinpoint/internal/output"
	"github.com/pinpoint-go/pinpoint/internal/text"
)

// JointSchema names the JSON layout of a [Joint].
const JointSchema = "pinpoint/joint/v1"

// Joint is what hunts in several workloads said to one question.
type Joint struct {
	Schema   string    `json:"schema"`
	Verdict  Verdict   `json:"verdict"`            // regression if one of them found one, else inconclusive if one is
	Suspects []Suspect `json:"suspects,omitempty"` // of two profiles of the program
	Agreed   []Agreed  `json:"agreed"`             // named by most workloads first
	Reports  []*Report `json:"reports"`
	Warnings []string  `json:"warnings"`
}

// Agreed is a function with the workloads in which it was named.
type Agreed struct {
	Function  string   `json:"function"`
	Confirmed []string `json:"confirmed"` // names of workloads
	Suspected []string `json:"suspected"` // of those in which it was not confirmed
}

// Join puts reports of the same two revisions together.
func Join(reports []*Report) *Joint {
	j := &Joint{Schema: JointSchema, Reports: reports, Warnings: []string{}, Agreed: []Agreed{}}
	j.Verdict = verdictOf(reports)
	for _, r := range reports {
		for _, c := range r.Culprits {
			i := slices.IndexFunc(j.Agreed, func(a Agreed) bool { return a.Function == c.Function })
			if i < 0 {
				i = len(j.Agreed)
				j.Agreed = append(j.Agreed, Agreed{Function: c.Function, Confirmed: []string{}, Suspected: []string{}})
			}
			in := &j.Agreed[i].Suspected
			if c.Confirmed {
				in = &j.Agreed[i].Confirmed
			}
			if !slices.Contains(*in, r.Workload.title()) {
				*in = append(*in, r.Workload.title())
			}
		}
	}
	slices.SortStableFunc(j.Agreed, func(a, b Agreed) int {
		return cmp.Or(len(b.Confirmed)-len(a.Confirmed), len(b.Suspected)-len(a.Suspected))
	})
	return j
}

// verdictOf is the one that weighs most.
func verdictOf(reports []*Report) Verdict {
	for _, v := range []Verdict{Regression, Inconclusive, NoRegression} {
		if slices.ContainsFunc(reports, func(r *Report) bool { return r.Verdict == v }) {
			return v
		}
	}
	return Improvement
}

// ExitStatus is what the command exits with.
func (j *Joint) ExitStatus() int { return (&Report{Verdict: j.Verdict}).ExitStatus() }

// WriteJSON writes it as indented JSON with a final newline.
func (j *Joint) WriteJSON(w io.Writer) error {
	out := struct {
		Joint
		Reports []Report `json:"reports"`
	}{Joint: *j, Reports: []Report{}}
	for _, r := range j.Reports {
		out.Reports = append(out.Reports, r.complete())
	}
	return output.JSON(w, out)
}

// WriteText writes first what the workloads say together, then each report.
func (j *Joint) WriteText(w io.Writer) error {
	t := printer{text.NewWriter(w)}
	t.suspects(j.Suspects)
	for _, r := range j.Reports {
		t.Item("", r.Workload.title()+": "+r.finding())
	}
	t.Paragraph()
	for _, a := range j.Agreed {
		t.Item("", a.Function+": "+a.text(len(j.Reports)))
	}
	for _, warning := range j.Warnings {
		t.Item("note  ", warning)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, r := range j.Reports {
		if _, err := io.WriteString(w, "\n"+strings.Repeat("-", text.Width)+"\n"); err != nil {
			return err
		}
		if err := r.WriteText(w); err != nil {
			return err
		}
	}
	return nil
}

// text says in how many of the workloads a function was named.
func (a Agreed) text(of int) string {
	var parts []string
	for _, p := range []struct {
		how string
		in  []string
	}{{"culprit", a.Confirmed}, {"suspect", a.Suspected}} {
		switch {
		case len(p.in) == 0:
		case len(p.in) == of && of > 1:
			parts = append(parts, fmt.Sprintf("%s in all %d workloads", p.how, of))
		default:
			parts = append(parts, p.how+" in "+strings.Join(p.in, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
